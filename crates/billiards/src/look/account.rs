//! The last shot in numbers, on a key.

use bevy::{input::common_conditions::input_just_pressed, prelude::*};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use scene_kit::window::keys_are_free;

use super::paint::{ACCENT, FAINT, TEXT, panel};
use crate::{
    play::{
        account::{Account, Hit, Leaves, Motion},
        matches::Match,
    },
    player::menu::Menu,
    rules::Discipline,
    table::bed::Table,
};

/// Whether the panel is shown.
#[derive(Resource, Clone, Copy, Debug, Default)]
struct Shown(bool);

pub(super) struct AccountPanelPlugin;

impl Plugin for AccountPanelPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Shown>()
            .add_systems(
                Update,
                (|mut shown: ResMut<Shown>| shown.0 = !shown.0)
                    .run_if(input_just_pressed(KeyCode::KeyI))
                    .run_if(keys_are_free),
            )
            .add_systems(
                EguiPrimaryContextPass,
                show.run_if(|shown: Res<Shown>, menu: Res<Menu>| shown.0 && !menu.open),
            );
    }
}

fn show(
    mut contexts: EguiContexts,
    account: Res<Account>,
    on: Res<Match>,
    table: Res<Table>,
) -> Result {
    let context = contexts.ctx_mut()?;
    let game = on.discipline().unwrap_or(Discipline::FreeTable);
    panel(context, "account", egui::Align2::RIGHT_TOP, [-12.0, 160.0]).show(context, |ui| {
        ui.label(
            egui::RichText::new("The last shot")
                .size(17.0)
                .color(ACCENT),
        );
        if account.start.speed() == 0.0 {
            ui.label(egui::RichText::new("No shot yet").size(14.0).color(FAINT));
            return;
        }
        egui::Grid::new("account").num_columns(2).show(ui, |ui| {
            for (what, value) in lines(&account, game, table.spec.ball.radius) {
                ui.label(egui::RichText::new(what).size(14.0).color(FAINT));
                ui.label(egui::RichText::new(value).size(14.0).color(TEXT));
                ui.end_row();
            }
        });
    });
    Ok(())
}

/// What the panel says, line by line.
fn lines(account: &Account, game: Discipline, radius: f32) -> Vec<(&'static str, String)> {
    let mut lines = vec![
        ("Cue ball", format!("{:.2} m/s", account.start.speed())),
        ("Motion", motion(&account.start, radius)),
    ];
    if let Some(hit) = &account.hit {
        let Hit {
            ball,
            before,
            cut,
            leaves,
        } = hit;
        lines.extend([
            ("Hits", game.name_of(*ball)),
            ("at", format!("{:.2} m/s", before.speed())),
            ("Motion", motion(before, radius)),
            ("Cut", format!("{:.1}°", cut.to_degrees())),
        ]);
        if let Some(Leaves { speed, throw }) = leaves {
            lines.extend([
                ("Throw", format!("{:.1}°", throw.to_degrees())),
                ("Ball leaves with", format!("{speed:.2} m/s")),
            ]);
        }
    }
    lines.extend([
        ("Cushions", account.cushions.to_string()),
        ("Way", format!("{:.2} m", account.way)),
        ("Time", format!("{:.1} s", account.seconds)),
    ]);
    lines
}

/// "rolls, 3.2 turns/s to the right".
fn motion(motion: &Motion, radius: f32) -> String {
    let along = match motion.roll(radius) {
        roll if roll > 1.1 => "overspin",
        roll if roll > 0.9 => "rolls",
        roll if roll > 0.1 => "slides forward",
        roll if roll > -0.1 => "slides",
        _ => "draws",
    };
    let side = motion.side();
    if side.abs() < 0.1 {
        return along.to_owned();
    }
    let way = if side > 0.0 { "right" } else { "left" };
    format!("{along}, {:.1} turns/s {way}", side.abs())
}

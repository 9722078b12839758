//! The white ball at the bottom right, on which the player points where the tip shall meet it; how steep the cue is; and how
//! hard the shot will be.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};

use super::{
    paint::{ACCENT, FAINT, TEXT, WARNING, panel},
    stick::on_bed,
};
use crate::{
    play::{
        blow::MISCUE,
        cue::{Cue, FASTEST_SHOT, LARGEST_OFFSET, STEEPEST, Stroke},
        matches::Match,
    },
    player::{menu::Menu, sight::Sight},
    rules::Ball,
    table::bed::Table,
};

/// Radius of the white ball, in logical pixels.
const BALL: f32 = 52.0;
const WHITE: egui::Color32 = egui::Color32::from_rgb(242, 236, 220);
const TIP: egui::Color32 = egui::Color32::from_rgb(38, 92, 190);

pub(super) struct GaugesPlugin;

impl Plugin for GaugesPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            EguiPrimaryContextPass,
            show.run_if(|menu: Res<Menu>| !menu.open),
        );
    }
}

fn show(
    mut contexts: EguiContexts,
    mut cue: ResMut<Cue>,
    on: Res<Match>,
    table: Res<Table>,
    sight: Res<Sight>,
    balls: Query<(&Ball, &Transform)>,
) -> Result {
    let context = contexts.ctx_mut()?;
    let mut held = *cue;
    let ball = balls.iter().find(|(ball, _)| **ball == Ball::CUE);
    let steep = ball.map_or(0.0, |(_, place)| {
        cue.elevation(place.translation.xz(), on_bed(&balls, &table), &table)
    });
    panel(
        context,
        "gauges",
        egui::Align2::RIGHT_BOTTOM,
        [-12.0, -12.0],
    )
    .show(context, |ui| {
        ui.add_enabled_ui(on.is_human_turn(), |ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            ui.horizontal(|ui| {
                point_of_contact(ui, &mut held);
                elevation(ui, &mut held, steep);
            });
            let what = match held.tip {
                tip if tip.length() < 0.03 => "Spin: click the ball".to_owned(),
                tip => describe(tip),
            };
            ui.label(egui::RichText::new(what).size(14.0).color(FAINT));
            power(ui, &held, sight.foul().is_some());
        });
    });
    if on.is_human_turn() {
        cue.set_if_neq(held);
    }
    Ok(())
}

/// The effect of the spin, in players' words.
fn describe(tip: Vec2) -> String {
    let word = |value: f32, plus: &'static str, minus: &'static str| {
        [(value > 0.03, plus), (value < -0.03, minus)]
            .into_iter()
            .find_map(|(is, word)| is.then_some(word))
    };
    let words = [word(tip.y, "follow", "draw"), word(tip.x, "right", "left")];
    words.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn point_of_contact(ui: &mut egui::Ui, cue: &mut Cue) {
    let size = egui::Vec2::splat(2.0 * BALL + 2.0);
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::click_and_drag());
    let center = rect.center();
    if let Some(at) = response.interact_pointer_pos() {
        let off = (at - center) / BALL;
        cue.tip = Vec2::new(off.x, -off.y).clamp_length_max(LARGEST_OFFSET);
    }
    if response.double_clicked() {
        cue.tip = Vec2::ZERO;
    }
    let painter = ui.painter();
    painter.circle_filled(center, BALL, WHITE);
    let line = egui::Stroke::new(1.0, egui::Color32::from_black_alpha(50));
    painter.circle_stroke(center, MISCUE * BALL, line);
    painter.hline(rect.x_range().shrink(6.0), center.y, line);
    painter.vline(center.x, rect.y_range().shrink(6.0), line);
    let tip = center + BALL * egui::vec2(cue.tip.x, -cue.tip.y);
    painter.circle_filled(tip, 8.0, TIP);
}

fn elevation(ui: &mut egui::Ui, cue: &mut Cue, steep: f32) {
    ui.vertical(|ui| {
        let text = format!("{:.0}°", steep.to_degrees());
        ui.label(egui::RichText::new(text).size(14.0).color(TEXT));
        ui.spacing_mut().slider_width = 74.0;
        ui.add(
            egui::Slider::new(&mut cue.raised, 0.0..=STEEPEST)
                .vertical()
                .show_value(false),
        )
        .on_hover_text("Raise the cue: the ball jumps, or swerves with side spin");
    });
}

fn power(ui: &mut egui::Ui, cue: &Cue, is_foul: bool) {
    let pulls = matches!(cue.stroke, Stroke::Pull { .. } | Stroke::Strike { .. });
    let speed = Cue::speed(cue.pull());
    let part = speed / FASTEST_SHOT;
    let size = egui::vec2(2.0 * BALL + 34.0, 12.0);
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    ui.painter()
        .rect_filled(rect, 6.0, egui::Color32::from_white_alpha(28));
    let mut bar = rect;
    bar.set_width(rect.width() * part);
    let color = Color::hsl(120.0 * (1.0 - part), 0.85, 0.5).to_srgba();
    let [r, g, b, _] = color.to_u8_array();
    let alpha = if pulls { 1.0 } else { 0.45 };
    let color = egui::Color32::from_rgb(r, g, b).gamma_multiply(alpha);
    ui.painter().rect_filled(bar, 6.0, color);
    let (text, color) = match (is_foul, pulls) {
        (true, _) => (format!("{speed:.1} m/s: a foul"), WARNING),
        (false, true) => (format!("{speed:.1} m/s"), ACCENT),
        (false, false) => (format!("The lines: {speed:.1} m/s"), FAINT),
    };
    ui.label(egui::RichText::new(text).size(14.0).color(color));
}

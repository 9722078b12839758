//! The controls, and the state of the physics.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use scene_kit::{
    color::{BLUE_TO_RED, ramp},
    pace::Pace,
    panel::{self, choice, heading, row},
};

use super::{
    again::empty,
    colors::{ColorBy, fastest, highest_pressure},
};
use crate::pile::{drum::Drum, options::PileOptions, vessel::Vessel};

pub(super) fn show_controls(
    mut commands: Commands,
    mut contexts: EguiContexts,
    mut options: ResMut<PileOptions>,
    mut color_by: ResMut<ColorBy>,
    (vessel, drum): (Res<Vessel>, Option<Res<Drum>>),
    pace: Res<Pace>,
) -> Result {
    let mut edited = options.clone();
    let mut colored = *color_by;
    let mut pour = false;
    panel::show(
        contexts.ctx_mut()?,
        "pile_controls",
        panel::RIGHT,
        236.0,
        |ui| {
            heading(ui, "Next pile");
            pour = show_next(ui, &mut edited);
            heading(ui, "At once");
            show_laws(ui, &mut edited, drum.as_deref());
            heading(ui, "Colours (V)");
            ui.horizontal(|ui| {
                choice(
                    ui,
                    &mut colored,
                    [
                        (ColorBy::Hue, "hue"),
                        (ColorBy::Speed, "speed"),
                        (ColorBy::Pressure, "pressure"),
                    ],
                );
            });
            show_legend(ui, colored, &vessel);
            heading(ui, "Physics");
            show_pace(ui, &pace);
        },
    );
    pour |= edited.drum != options.drum;
    options.set_if_neq(edited);
    color_by.set_if_neq(colored);
    if pour {
        commands.run_system_cached(empty);
    }
    Ok(())
}

/// Whether the next pile is asked for.
fn show_next(ui: &mut egui::Ui, options: &mut PileOptions) -> bool {
    egui::Grid::new("pile").num_columns(2).show(ui, |ui| {
        let balls = egui::Slider::new(&mut options.balls, 1..=100_000).logarithmic(true);
        row(ui, "Balls", balls);
        ui.label("Sizes");
        ui.horizontal(|ui| {
            choice(
                ui,
                &mut options.polydisperse,
                [(false, "equal"), (true, "1 to 100")],
            );
        });
        ui.end_row();
        ui.label("Start");
        ui.horizontal(|ui| {
            choice(
                ui,
                &mut options.settled,
                [(false, "poured"), (true, "stacked")],
            );
        });
        ui.end_row();
    });
    let mut pour = false;
    ui.horizontal(|ui| {
        pour = panel::main_button(ui, "Pour anew (R)");
        choice(ui, &mut options.drum, [(false, "box"), (true, "drum")]);
    });
    pour
}

fn show_laws(ui: &mut egui::Ui, options: &mut PileOptions, drum: Option<&Drum>) {
    egui::Grid::new("laws").num_columns(2).show(ui, |ui| {
        let friction = egui::Slider::new(&mut options.friction, 0.0..=1.0).fixed_decimals(2);
        row(ui, "Friction", friction);
        if let Some(drum) = drum {
            let mut speed = drum.target() as f32;
            let slider = egui::Slider::new(&mut speed, -2.0..=2.0).fixed_decimals(2);
            if row(ui, "Drum, rad/s", slider).changed() {
                options.drum_speed = Some(speed);
            }
        }
    });
}

fn show_legend(ui: &mut egui::Ui, color_by: ColorBy, vessel: &Vessel) {
    let marks = match color_by {
        ColorBy::Hue => return,
        ColorBy::Speed => {
            let fastest = fastest(vessel);
            [
                "0".to_owned(),
                format!("{:.1}", 0.25 * fastest),
                format!("{fastest:.1} m/s"),
            ]
        }
        ColorBy::Pressure => [
            "0".to_owned(),
            String::new(),
            format!("{:.0} kN/m²", 1e-3 * highest_pressure(vessel)),
        ],
    };
    panel::legend(ui, |x| ramp(&BLUE_TO_RED, x), marks);
}

fn show_pace(ui: &mut egui::Ui, pace: &Pace) {
    let step = match pace.step_ms {
        Some(ms) => format!("{ms:.1} ms"),
        None => "none made".to_owned(),
    };
    let figures = [
        ("Steps a second", format!("{:.0}", pace.steps_per_second)),
        ("A step takes", step),
        ("Contacts", pace.contacts.to_string()),
        (
            "Mean overlap",
            format!("{:.3} % of a radius", 100.0 * pace.overlap),
        ),
    ];
    panel::figures(ui, figures);
}

//! The controls at the right.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use scene_kit::panel::{self, choice, heading, row, short};

use super::{
    again::refill,
    colors::{ColorBy, ramp},
    measure::Legend,
};
use crate::{
    gathering::view::measured::Measured,
    planet::options::{Dimensions, GravitySum, PlanetOptions, Projection},
};

pub(super) fn show_controls(
    mut commands: Commands,
    mut contexts: EguiContexts,
    mut options: ResMut<PlanetOptions>,
    mut color_by: ResMut<ColorBy>,
    mut time: ResMut<Time<Virtual>>,
    (legend, heap): (Res<Legend>, Res<Measured>),
) -> Result {
    let mut edited = options.clone();
    let mut colored = *color_by;
    let mut speed = time.relative_speed();
    let mut scatter = false;
    panel::show(
        contexts.ctx_mut()?,
        "planet_controls",
        panel::RIGHT,
        236.0,
        |ui| {
            heading(ui, "Next cloud");
            egui::Grid::new("cloud").num_columns(2).show(ui, |ui| {
                let mut balls = edited.ball_count();
                let slider = egui::Slider::new(&mut balls, 20..=10_000).logarithmic(true);
                if row(ui, "Balls", slider).changed() {
                    edited.balls = Some(balls);
                }
                row(
                    ui,
                    "Spin, rad/s",
                    egui::Slider::new(&mut edited.spin, -0.4..=0.4).fixed_decimals(2),
                );
            });
            ui.horizontal(|ui| {
                scatter |= panel::main_button(ui, "Scatter anew (R)");
                choice(
                    ui,
                    &mut edited.dim,
                    [(Dimensions::Two, "2D"), (Dimensions::Three, "3D")],
                );
            });

            heading(ui, "Laws, at once");
            egui::Grid::new("laws").num_columns(2).show(ui, |ui| {
                row(
                    ui,
                    "G",
                    egui::Slider::new(&mut edited.g, 0.0..=2000.0).fixed_decimals(0),
                );
                row(
                    ui,
                    "Restitution",
                    egui::Slider::new(&mut edited.restitution, 0.0..=1.0).fixed_decimals(2),
                );
                ui.label("Projection");
                ui.horizontal(|ui| {
                    choice(
                        ui,
                        &mut edited.projection,
                        [
                            (Projection::Conserving, "conserving"),
                            (Projection::Naive, "naive"),
                        ],
                    );
                });
                ui.end_row();
                ui.label("Gravity");
                ui.horizontal(|ui| {
                    choice(
                        ui,
                        &mut edited.gravity,
                        [
                            (GravitySum::Tree, "tree"),
                            (GravitySum::Direct, "direct sum"),
                        ],
                    );
                });
                ui.end_row();
                let angle = egui::Slider::new(&mut edited.theta, 0.0..=0.9).fixed_decimals(2);
                ui.label("Opening angle");
                ui.add_enabled(edited.gravity == GravitySum::Tree, angle);
                ui.end_row();
                row(
                    ui,
                    "Time",
                    egui::Slider::new(&mut speed, 0.02..=2.0)
                        .logarithmic(true)
                        .fixed_decimals(2)
                        .suffix("×"),
                );
            });

            heading(ui, "Colours (V)");
            ui.horizontal(|ui| {
                choice(
                    ui,
                    &mut colored,
                    [
                        (ColorBy::Heat, "heat"),
                        (ColorBy::Speed, "speed"),
                        (ColorBy::Pressure, "pressure"),
                    ],
                );
            });
            show_legend(ui, colored, &legend, heap.escape_speed);
        },
    );
    scatter |= edited.dim != options.dim;
    options.set_if_neq(edited);
    color_by.set_if_neq(colored);
    if speed != time.relative_speed() {
        time.set_relative_speed(speed);
    }
    if scatter {
        commands.run_system_cached(refill);
    }
    Ok(())
}

/// The colours from the least to the most, with their values.
fn show_legend(ui: &mut egui::Ui, color_by: ColorBy, legend: &Legend, escape_speed: f64) {
    let marks = match color_by {
        ColorBy::Heat => ["cold".to_owned(), String::new(), "just hit hard".to_owned()],
        ColorBy::Speed => [
            "0".to_owned(),
            format!("{:.0}", 0.25 * escape_speed),
            format!("{escape_speed:.0} m/s escapes"),
        ],
        ColorBy::Pressure => [
            "0".to_owned(),
            String::new(),
            format!("{} {}", short(legend.pressure), legend.pressure_unit),
        ],
    };
    panel::legend(ui, |x| ramp(color_by, x), marks);
}

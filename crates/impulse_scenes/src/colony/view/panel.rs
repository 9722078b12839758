//! The controls, and the state of the colony and the physics.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use bevy_impulse_collide::prelude::*;
use scene_kit::{
    pace::Pace,
    panel::{self, choice, heading, row, short},
};

use super::{again::regrow, colors::ColorBy, figures::Figures, look::color_of};
use crate::colony::options::{ColonyOptions, Walls};

pub(super) fn show_controls(
    mut commands: Commands,
    mut contexts: EguiContexts,
    mut options: ResMut<ColonyOptions>,
    mut color_by: ResMut<ColorBy>,
    (mut time, fixed): (ResMut<Time<Virtual>>, Res<Time<Fixed>>),
    mut control: ResMut<StepControl>,
    (figures, pace, solver): (Res<Figures>, Res<Pace>, Res<SolverReport>),
) -> Result {
    let mut edited = options.clone();
    let mut colored = *color_by;
    let mut speed = time.relative_speed();
    let mut steps = *control;
    let mut grow = false;
    panel::show(
        contexts.ctx_mut()?,
        "colony_controls",
        panel::RIGHT,
        248.0,
        |ui| {
            heading(ui, "Next colony");
            grow = show_next(ui, &mut edited);
            heading(ui, "At once");
            show_laws(ui, &mut edited, &mut speed);
            show_steps(ui, &mut steps);
            heading(ui, "Colours (V)");
            ui.horizontal(|ui| {
                choice(
                    ui,
                    &mut colored,
                    [
                        (ColorBy::Lineage, "lineage"),
                        (ColorBy::Pressure, "pressure"),
                        (ColorBy::Direction, "direction"),
                    ],
                );
            });
            show_legend(ui, colored, &figures);
            heading(ui, "Colony");
            let times_real = pace.steps_per_second * fixed.timestep().as_secs_f64();
            let pressures = [figures.mean_pressure, figures.greatest_pressure];
            let [mean, greatest] = pressures.map(|pressure| short(pressure.into()));
            let rows = [
                ("Cells", figures.cells.to_string()),
                ("Generation, mean", format!("{:.1}", figures.generation)),
                ("Pressure, mean", format!("{mean} N/m")),
                ("Pressure, greatest", format!("{greatest} N/m")),
                (
                    "Mean overlap",
                    format!("{:.2} % of a radius", 100.0 * pace.overlap),
                ),
                ("Solver iterations", solver.iterations.to_string()),
                ("New cells a second", short(figures.cells_per_second)),
                ("Speed", format!("{times_real:.2} × real time")),
            ];
            panel::figures(ui, rows);
        },
    );
    grow |= edited.walls != options.walls;
    options.set_if_neq(edited);
    color_by.set_if_neq(colored);
    control.set_if_neq(steps);
    if speed != time.relative_speed() {
        time.set_relative_speed(speed);
    }
    if grow {
        commands.run_system_cached(regrow);
    }
    Ok(())
}

/// Whether the next colony is asked for.
fn show_next(ui: &mut egui::Ui, options: &mut ColonyOptions) -> bool {
    egui::Grid::new("colony").num_columns(2).show(ui, |ui| {
        let cells = egui::Slider::new(&mut options.cells, 16..=32_768).logarithmic(true);
        row(ui, "Grow to", cells);
        ui.label("Walls");
        ui.horizontal(|ui| {
            choice(
                ui,
                &mut options.walls,
                [
                    (Walls::None, "none"),
                    (Walls::Box, "box"),
                    (Walls::Channel, "channel"),
                ],
            );
        });
        ui.end_row();
    });
    panel::main_button(ui, "Grow another (R)")
}

fn show_laws(ui: &mut egui::Ui, options: &mut ColonyOptions, speed: &mut f32) {
    egui::Grid::new("laws").num_columns(2).show(ui, |ui| {
        let inertia = egui::Slider::new(&mut options.inertia, 1.0..=1e5)
            .logarithmic(true)
            .custom_formatter(|value, _| short(value));
        row(ui, "Growth inertia, kg", inertia)
            .on_hover_text("The larger, the less pressure slows the growth");
        let slider = egui::Slider::new(speed, 0.1..=4.0)
            .logarithmic(true)
            .fixed_decimals(2)
            .suffix("×");
        row(ui, "Time", slider);
    });
}

/// Pause and single steps.
fn show_steps(ui: &mut egui::Ui, control: &mut StepControl) {
    ui.horizontal(|ui| {
        let label = if control.paused {
            "Go on (P)"
        } else {
            "Pause (P)"
        };
        if ui.button(label).clicked() {
            control.paused = !control.paused;
            control.pending_steps = 0;
        }
        if ui.button("Step (N)").clicked() {
            control.paused = true;
            control.pending_steps += 1;
        }
    });
}

fn show_legend(ui: &mut egui::Ui, color_by: ColorBy, figures: &Figures) {
    let marks = match color_by {
        ColorBy::Lineage => ["one colour", "for each of the first 16 cells", ""].map(String::from),
        ColorBy::Pressure => [
            "0".to_owned(),
            String::new(),
            format!("{} N/m", short(figures.pressure_scale.into())),
        ],
        ColorBy::Direction => ["—", "|", "—"].map(String::from),
    };
    panel::legend(ui, |x| color_of(color_by, x), marks);
}

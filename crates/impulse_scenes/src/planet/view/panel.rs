//! The controls at the right, and the plots at the left.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use bevy_impulse_collide::prelude::*;
use egui_plot::{Line, PlotPoints, uniform_grid_spacer};
use scene_kit::panel::{self, ACCENT, FAINT, choice, heading, row, short, still_plot};

use super::{
    again::refill,
    colors::{ColorBy, ramp},
    history::{ENERGY_LIMIT, History, Sample},
    measure::Legend,
};
use crate::planet::options::{Dimensions, GravitySum, PlanetOptions, Projection};

const KINETIC: egui::Color32 = egui::Color32::from_rgb(255, 160, 60);
const POTENTIAL: egui::Color32 = egui::Color32::from_rgb(90, 180, 255);
const TOTAL: egui::Color32 = egui::Color32::from_gray(235);

pub(super) fn show_controls(
    mut commands: Commands,
    mut contexts: EguiContexts,
    mut options: ResMut<PlanetOptions>,
    mut color_by: ResMut<ColorBy>,
    mut time: ResMut<Time<Virtual>>,
    legend: Res<Legend>,
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
            show_legend(ui, colored, &legend);
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
fn show_legend(ui: &mut egui::Ui, color_by: ColorBy, legend: &Legend) {
    let marks = match color_by {
        ColorBy::Heat => ["cold".to_owned(), String::new(), "just hit hard".to_owned()],
        ColorBy::Speed => [
            "0".to_owned(),
            format!("{:.0}", 0.25 * legend.escape_speed),
            format!("{:.0} m/s escapes", legend.escape_speed),
        ],
        ColorBy::Pressure => [
            "0".to_owned(),
            String::new(),
            format!("{} {}", short(legend.pressure), legend.pressure_unit),
        ],
    };
    panel::legend(ui, |x| ramp(color_by, x), marks);
}

pub(super) fn show_plots(
    mut contexts: EguiContexts,
    history: Res<History>,
    control: Res<StepControl>,
) -> Result {
    let Some(latest) = history.samples.last().copied() else {
        return Ok(());
    };
    let corner = panel::left(&control);
    panel::show(contexts.ctx_mut()?, "planet_plots", corner, 226.0, |ui| {
        ui.spacing_mut().item_spacing.y = 3.0;
        let least = history.least_momentum;

        title(
            ui,
            "Angular momentum",
            &format!("{} kg·m²/s", short(latest.angular_momentum)),
        );
        plot(
            ui,
            &history,
            "momentum",
            [-0.2 * least, least],
            &[(ACCENT, |s| Some(s.angular_momentum))],
        );

        match latest.energy {
            Some((kinetic, potential)) => {
                title(ui, "Energy", &format!("{} J", short(kinetic + potential)));
                plot(
                    ui,
                    &history,
                    "energy",
                    [0.0, 0.0],
                    &[
                        (KINETIC, |s| s.energy.map(|(kinetic, _)| kinetic)),
                        (POTENTIAL, |s| s.energy.map(|(_, potential)| potential)),
                        (TOTAL, |s| {
                            s.energy.map(|(kinetic, potential)| kinetic + potential)
                        }),
                    ],
                );
                ui.horizontal(|ui| {
                    for (color, name) in [
                        (KINETIC, "kinetic"),
                        (POTENTIAL, "potential"),
                        (TOTAL, "total"),
                    ] {
                        ui.label(egui::RichText::new(name).color(color).size(11.0));
                    }
                });
            }
            None => {
                title(ui, "Energy", "");
                ui.colored_label(FAINT, format!("not measured above {ENERGY_LIMIT} balls"));
            }
        }

        title(
            ui,
            "90 % of the mass within",
            &format!("{:.1} m", latest.radius90),
        );
        plot(
            ui,
            &history,
            "radius",
            [0.0, 0.0],
            &[(ACCENT, |s| Some(s.radius90))],
        );
        ui.label(
            egui::RichText::new(format!("over {:.1} s", latest.time))
                .color(FAINT)
                .size(11.0),
        );
    });
    Ok(())
}

fn title(ui: &mut egui::Ui, name: &str, value: &str) {
    ui.horizontal(|ui| {
        ui.label(egui::RichText::new(name).size(12.5));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(egui::RichText::new(value).size(12.5).color(ACCENT));
        });
    });
}

/// One curve: its colour, and its value of a sample.
type Curve = (egui::Color32, fn(&Sample) -> Option<f64>);

/// Curves since the cloud was scattered, in a plot that the mouse leaves alone and that shows at least `range`.
fn plot(ui: &mut egui::Ui, history: &History, name: &str, range: [f64; 2], curves: &[Curve]) {
    still_plot(name, 64.0)
        .show_axes(false)
        .set_margin_fraction(egui::vec2(0.0, 0.08))
        .include_x(0.0)
        .include_y(range[0])
        .include_y(range[1])
        // The line of zero, and no other.
        .y_grid_spacer(uniform_grid_spacer(|axis| {
            [2.0 * (axis.bounds.1 - axis.bounds.0).abs().max(1e-9); 3]
        }))
        .x_grid_spacer(uniform_grid_spacer(|axis| {
            [2.0 * (axis.bounds.1 - axis.bounds.0).abs().max(1e-9); 3]
        }))
        .show(ui, |plot| {
            for (color, value) in curves {
                let points: PlotPoints = history
                    .samples
                    .iter()
                    .filter_map(|sample| Some([sample.time, value(sample)?]))
                    .filter(|[_, y]| y.is_finite())
                    .collect();
                plot.line(Line::new("", points).color(*color).width(1.6));
            }
        });
}

//! Plots of the angular momentum, the energy and the size of a heap.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use bevy_impulse_collide::prelude::*;
use egui_plot::{Line, PlotPoints, uniform_grid_spacer};
use scene_kit::panel::{self, ACCENT, FAINT, short, still_plot};

use super::history::{ENERGY_LIMIT, History, Sample};

const KINETIC: egui::Color32 = egui::Color32::from_rgb(255, 160, 60);
const POTENTIAL: egui::Color32 = egui::Color32::from_rgb(90, 180, 255);
const TOTAL: egui::Color32 = egui::Color32::from_gray(235);

/// Shows the plots at the left.
pub(crate) fn show_plots(
    mut contexts: EguiContexts,
    history: Res<History>,
    control: Res<StepControl>,
) -> Result {
    let Some(latest) = history.samples.last().copied() else {
        return Ok(());
    };
    let corner = panel::left(&control);
    panel::show(contexts.ctx_mut()?, "plots", corner, 226.0, |ui| {
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
                ui.colored_label(FAINT, format!("not measured above {ENERGY_LIMIT} bodies"));
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

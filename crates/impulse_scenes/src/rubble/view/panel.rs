//! The controls at the right.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use scene_kit::panel::{self, choice, figures, heading, row};

use super::{again::refill, dress::Shown, figures::PileNow};
use crate::{gathering::view::measured::Measured, rubble::options::RubbleOptions};

pub(super) fn show_controls(
    mut commands: Commands,
    mut contexts: EguiContexts,
    mut options: ResMut<RubbleOptions>,
    mut shown: ResMut<Shown>,
    mut time: ResMut<Time<Virtual>>,
    (pile, heap): (Res<PileNow>, Res<Measured>),
) -> Result {
    let mut edited = options.clone();
    let mut chosen = *shown;
    let mut speed = time.relative_speed();
    let mut scatter = false;
    panel::show(
        contexts.ctx_mut()?,
        "rubble_controls",
        panel::RIGHT,
        236.0,
        |ui| {
            heading(ui, "Next cloud");
            egui::Grid::new("cloud").num_columns(2).show(ui, |ui| {
                let boulders = egui::Slider::new(&mut edited.boulders, 10..=1000);
                row(ui, "Boulders", boulders.logarithmic(true));
                let spin = egui::Slider::new(&mut edited.spin, -0.08..=0.08);
                row(ui, "Spin, rad/s", spin.fixed_decimals(3));
            });
            scatter |= panel::main_button(ui, "Scatter anew (R)");

            heading(ui, "Laws, at once");
            egui::Grid::new("laws").num_columns(2).show(ui, |ui| {
                let friction = egui::Slider::new(&mut edited.friction, 0.0..=1.0);
                row(ui, "Friction", friction.fixed_decimals(2));
                let restitution = egui::Slider::new(&mut edited.restitution, 0.0..=1.0);
                row(ui, "Restitution", restitution.fixed_decimals(2));
                let speed = egui::Slider::new(&mut speed, 0.02..=4.0);
                let speed = speed.logarithmic(true).fixed_decimals(2);
                row(ui, "Time", speed.suffix("×"));
            });

            heading(ui, "Show (V)");
            ui.horizontal(|ui| {
                let all = [(Shown::Stones, "stones"), (Shown::Balls, "their balls")];
                choice(ui, &mut chosen, all);
            });

            heading(ui, "The pile");
            let Some(core) = Some(&heap.core).filter(|_| pile.0.is_one()) else {
                ui.label("There is none yet.");
                return;
            };
            figures(
                ui,
                [
                    ("boulders", format!("{:.0} %", 100.0 * pile.0.share)),
                    ("radius", format!("{:.1} m", core.radius90)),
                    ("density", format!("{:.0} kg/m³", pile.0.bulk_density)),
                    ("empty space", format!("{:.0} %", 100.0 * pile.0.porosity)),
                    ("escape speed", format!("{:.0} m/s", heap.escape_speed)),
                ],
            );
        },
    );
    options.set_if_neq(edited);
    shown.set_if_neq(chosen);
    if speed != time.relative_speed() {
        time.set_relative_speed(speed);
    }
    if scatter {
        commands.run_system_cached(refill);
    }
    Ok(())
}

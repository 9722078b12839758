//! Energy, momentum and angular momentum over the last seconds: a conserved quantity is a flat line.

use std::collections::VecDeque;

use bevy::{math::DVec3, platform::time::Instant, prelude::*};
use bevy_egui::egui;
use bevy_impulse_collide::prelude::*;
use egui_plot::{GridInput, GridMark, Line, Plot, PlotPoints, uniform_grid_spacer};

/// Seconds shown.
const SPAN: f64 = 20.0;
/// Seconds of simulated time between two samples, at the least.
const INTERVAL: f64 = 0.05;
/// Measuring may take this part of the time: under self-gravity its cost grows with the square of the bodies.
const BUDGET: f64 = 0.02;
const HEIGHT: f32 = 96.0;

struct Sample {
    time: f64,
    kinetic_energy: f64,
    potential_energy: f64,
    momentum: DVec3,
    angular_momentum: DVec3,
}

/// Measurements of the last [`SPAN`] seconds, oldest first.
#[derive(Resource, Default)]
pub(crate) struct History {
    samples: VecDeque<Sample>,
    /// Simulated seconds since the overlay was opened.
    now: f64,
    next: f64,
}

pub(crate) fn sample(measure: Measure, mut history: ResMut<History>, time: Res<Time>) {
    let now = history.now;
    history.now += time.delta_secs_f64();
    if now < history.next {
        return;
    }
    let started = Instant::now();
    let measured = measure.measure();
    history.next = now + INTERVAL.max(started.elapsed().as_secs_f64() / BUDGET);

    history.samples.push_back(Sample {
        time: now,
        kinetic_energy: measured.kinetic_energy,
        potential_energy: measured.potential_energy,
        momentum: measured.momentum,
        angular_momentum: measured.angular_momentum,
    });
    while history
        .samples
        .front()
        .is_some_and(|oldest| oldest.time < now - SPAN)
    {
        history.samples.pop_front();
    }
}

/// One curve: its name, its colour, and its value of a sample.
type Curve = (&'static str, egui::Color32, fn(&Sample) -> f64);

const X: egui::Color32 = egui::Color32::from_rgb(240, 96, 96);
const Y: egui::Color32 = egui::Color32::from_rgb(120, 210, 100);
const Z: egui::Color32 = egui::Color32::from_rgb(90, 150, 255);
const WHOLE: egui::Color32 = egui::Color32::from_rgb(235, 235, 235);

const ENERGY: [Curve; 3] = [
    ("kinetic", egui::Color32::from_rgb(255, 160, 60), |s| {
        s.kinetic_energy
    }),
    ("potential", egui::Color32::from_rgb(80, 180, 255), |s| {
        s.potential_energy
    }),
    ("total", WHOLE, |s| s.kinetic_energy + s.potential_energy),
];
const MOMENTUM: [Curve; 4] = [
    ("x", X, |s| s.momentum.x),
    ("y", Y, |s| s.momentum.y),
    ("z", Z, |s| s.momentum.z),
    ("size", WHOLE, |s| s.momentum.length()),
];
const ANGULAR_MOMENTUM: [Curve; 4] = [
    ("x", X, |s| s.angular_momentum.x),
    ("y", Y, |s| s.angular_momentum.y),
    ("z", Z, |s| s.angular_momentum.z),
    ("size", WHOLE, |s| s.angular_momentum.length()),
];

pub(crate) fn show(InMut(ui): InMut<egui::Ui>, history: Res<History>) {
    plot(ui, &history, "Energy", "J", &ENERGY, true);
    plot(ui, &history, "Momentum", "kg·m/s", &MOMENTUM, false);
    plot(
        ui,
        &history,
        "Angular momentum",
        "kg·m²/s",
        &ANGULAR_MOMENTUM,
        false,
    );
}

fn plot(
    ui: &mut egui::Ui,
    history: &History,
    title: &str,
    unit: &str,
    curves: &[Curve],
    open: bool,
) {
    egui::CollapsingHeader::new(format!("{title}, {unit}"))
        .id_salt(title)
        .default_open(open)
        .show_unindented(ui, |ui| {
            if let Some(latest) = history.samples.back() {
                ui.horizontal_wrapped(|ui| {
                    for (name, color, value) in curves {
                        ui.colored_label(*color, format!("{name} {}", short(value(latest))));
                    }
                });
            }
            Plot::new(title)
                .height(HEIGHT)
                .include_x(-SPAN)
                .include_x(0.0)
                .set_margin_fraction(egui::vec2(0.0, 0.1))
                .x_grid_spacer(uniform_grid_spacer(round_steps))
                .y_grid_spacer(uniform_grid_spacer(round_steps))
                .x_axis_formatter(|mark, _| format!("{} s", mark.value))
                .y_axis_formatter(|mark, _| tick(mark))
                .y_axis_min_width(40.0)
                .label_formatter(|_, point| format!("{:.1} s\n{}", point.x, short(point.y)))
                // The wheel scrolls the panel.
                .allow_scroll(false)
                .allow_zoom(false)
                .allow_drag(false)
                .allow_boxed_zoom(false)
                .allow_axis_zoom_drag(false)
                .show(ui, |plot| {
                    for (name, color, value) in curves {
                        let points: PlotPoints = history
                            .samples
                            .iter()
                            .map(|sample| [sample.time - history.now, value(sample)])
                            .filter(|[_, y]| y.is_finite())
                            .collect();
                        plot.line(Line::new(*name, points).color(*color).width(1.5));
                    }
                });
        });
}

/// A grid of about four lines, at multiples of 1, 2 or 5 times a power of ten.
fn round_steps(axis: GridInput) -> [f64; 3] {
    let rough = ((axis.bounds.1 - axis.bounds.0) / 4.0).max(axis.base_step_size);
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0]
        .map(|digit| digit * power)
        .into_iter()
        .find(|step| *step >= rough);
    [step.unwrap_or(10.0 * power); 3]
}

/// A grid value with as many digits as tell it from the next one.
fn tick(mark: GridMark) -> String {
    let decimals = (-mark.step_size.log10().floor()).max(0.0) as usize;
    if decimals > 3 || mark.value.abs() >= 1e5 {
        format!("{:.1e}", mark.value)
    } else {
        format!("{:.decimals$}", mark.value)
    }
}

/// A number of any size in three or four digits.
fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        1e-2..1e1 => format!("{value:.3}"),
        1e1..1e2 => format!("{value:.2}"),
        1e2..1e3 => format!("{value:.1}"),
        1e3..1e5 => format!("{value:.0}"),
        _ => format!("{value:.2e}"),
    }
}

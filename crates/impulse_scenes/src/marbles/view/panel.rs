//! Laps, the bins of the Galton board against the binomial distribution, and the energy of the followed marble.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use egui_plot::{Bar, BarChart, Legend, Line, PlotPoints, Points};
use scene_kit::panel;

use super::follow::{Energy, EnergyCurve, Followed};
use crate::marbles::{course::ROWS, laps::Record, walk::Walks};

const COUNTED: egui::Color32 = egui::Color32::from_rgb(245, 190, 80);
const THEORY: egui::Color32 = egui::Color32::from_rgb(150, 205, 255);

pub(super) fn show(
    mut contexts: EguiContexts,
    record: Res<Record>,
    curve: Res<EnergyCurve>,
    followed: Res<Followed>,
) -> Result {
    panel::show(contexts.ctx_mut()?, "marbles", panel::RIGHT, 268.0, |ui| {
        laps(ui, &record);
        panel::heading(ui, "Marbles in the bins of the board");
        bins(ui, &record.walks);
        if followed.0.is_some() {
            panel::heading(ui, "Energy of the marble, J/kg");
            energy(ui, &curve);
        }
    });
    Ok(())
}

fn laps(ui: &mut egui::Ui, record: &Record) {
    let seconds = |s: Option<f64>| s.map_or("–".to_owned(), |s| format!("{s:.2} s"));
    let best = match record.best {
        Some((marble, s)) => format!("{s:.2} s, marble {}", marble.0 + 1),
        None => "–".to_owned(),
    };
    let last = record.latest.front();
    let fell: u32 = record.fell.iter().sum();
    panel::figures(
        ui,
        [
            ("Laps", record.laps.to_string()),
            ("Best", best),
            ("Mean", seconds(record.mean_seconds())),
            ("Last", seconds(last.map(|&(_, s)| s.into()))),
            ("Fell off", fell.to_string()),
        ],
    );
}

/// The counts, the binomial distribution of as many marbles, and whether it may be expected.
fn bins(ui: &mut egui::Ui, walks: &Walks) {
    let place = |bin: usize| bin as f64 - f64::from(ROWS) / 2.0;
    let counted = walks.bins.iter().enumerate().map(|(bin, &count)| {
        Bar::new(place(bin), count.into())
            .width(0.9)
            .stroke(egui::Stroke::NONE)
    });
    let expected = walks.binomial();
    let expected: Vec<[f64; 2]> = (0..)
        .map(place)
        .zip(expected)
        .map(|point| point.into())
        .collect();
    panel::still_plot("bins", 92.0)
        .include_y(4.0)
        .show(ui, |plot| {
            plot.bar_chart(BarChart::new("counted", counted.collect()).color(COUNTED));
            plot.line(Line::new("binomial", expected.clone()).color(THEORY));
            plot.points(Points::new("binomial", expected).color(THEORY).radius(2.5));
        });
    if let (Some(spread), Some(correlation)) = (walks.spread(), walks.correlation()) {
        let law = Walks::binomial_spread();
        ui.colored_label(
            panel::FAINT,
            format!(
                "Line: the binomial law. Its spread is {law:.2} bins, here it is {spread:.2}.\n\
                 It holds if each peg decides anew: a marble keeps its side by {correlation:+.2} (0: not at all, 1: always)."
            ),
        );
    }
}

fn energy(ui: &mut egui::Ui, curve: &EnergyCurve) {
    let now = curve.samples.back().map_or(0.0, |last| last.seconds);
    let points = |value: &dyn Fn(&Energy) -> f64| -> PlotPoints {
        curve
            .samples
            .iter()
            .map(|sample| [sample.seconds - now, value(sample)])
            .collect()
    };
    let line = |name: &str, color: egui::Color32, value: &dyn Fn(&Energy) -> f64| {
        Line::new(name.to_owned(), points(value))
            .color(color)
            .width(1.6)
    };
    panel::still_plot("energy", 150.0)
        .legend(Legend::default().position(egui_plot::Corner::RightTop))
        .include_y(0.0)
        .show(ui, |plot| {
            plot.set_plot_bounds_x(-EnergyCurve::SPAN..=0.0);
            plot.line(line("all", egui::Color32::WHITE, &|e| {
                e.height + e.motion + e.spin
            }));
            plot.line(line("height", THEORY, &|e| e.height));
            plot.line(line("motion", COUNTED, &|e| e.motion));
            plot.line(line("spin", egui::Color32::from_rgb(230, 110, 130), &|e| {
                e.spin
            }));
        });
}

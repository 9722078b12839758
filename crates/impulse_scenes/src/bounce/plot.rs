//! The heights of the balls over the last seconds, over the exact curves.

use std::collections::VecDeque;

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use bevy_impulse_overlay::panel_rect;
use egui_plot::{Line, Plot, PlotPoints};

use super::{
    balls::{BounceOptions, DROP, Fall, Flight, Lane, watch_balls},
    view::{color, exact_height_now},
};

pub(super) struct BouncePlotPlugin;

impl Plugin for BouncePlotPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Curves>()
            .add_systems(
                FixedLast,
                sample.after(watch_balls).run_if(resource_changed::<Fall>),
            )
            .add_systems(EguiPrimaryContextPass, show);
    }
}

/// Seconds shown.
const SPAN: f64 = 10.0;

struct Sample {
    seconds: f64,
    /// The height of each ball, and the exact one.
    heights: Vec<[f64; 2]>,
}

/// The samples shown, oldest first.
#[derive(Resource, Default)]
struct Curves(VecDeque<Sample>);

fn sample(
    mut curves: ResMut<Curves>,
    balls: Query<(&Lane, &Flight)>,
    fall: Res<Fall>,
    options: Res<BounceOptions>,
) {
    let samples = &mut curves.0;
    let is_new_drop = samples
        .back()
        .is_some_and(|last| last.seconds >= fall.seconds);
    if is_new_drop {
        samples.clear();
    }
    while samples
        .front()
        .is_some_and(|oldest| oldest.seconds < fall.seconds - SPAN)
    {
        samples.pop_front();
    }
    samples.push_back(Sample {
        seconds: fall.seconds,
        heights: balls
            .iter()
            .sort::<&Lane>()
            .zip(&options.restitution)
            .map(|((_, flight), &e)| [flight.height, exact_height_now(&fall, e)])
            .collect(),
    });
}

fn show(mut contexts: EguiContexts, curves: Res<Curves>) -> Result {
    /// Room for the list of keys at the left, in points.
    const LEFT: f32 = 372.0;
    const MARGIN: f32 = 12.0;
    const HEIGHT: f32 = 164.0;
    let ctx = contexts.ctx_mut()?;
    let screen = ctx.content_rect();
    let right = panel_rect(ctx).map_or(screen.right(), |inspector| inspector.left());
    let width = right - screen.left() - LEFT - MARGIN;
    let frame = egui::Frame::new()
        .fill(egui::Color32::from_rgba_unmultiplied(5, 6, 10, 200))
        .corner_radius(6.0)
        .inner_margin(8.0);
    egui::Area::new("bounce heights".into())
        .pivot(egui::Align2::RIGHT_BOTTOM)
        .fixed_pos(egui::pos2(right - MARGIN, screen.bottom() - MARGIN))
        .order(egui::Order::Background)
        .interactable(false)
        .show(ctx, |ui| {
            frame.show(ui, |ui| {
                ui.set_width(width - 16.0);
                plot(ui, &curves.0, HEIGHT);
            })
        });
    Ok(())
}

fn plot(ui: &mut egui::Ui, samples: &VecDeque<Sample>, height: f32) {
    let now = samples.back().map_or(0.0, |last| last.seconds);
    let end = now.max(SPAN);
    let highest = samples
        .iter()
        .flat_map(|sample| sample.heights.iter().map(|[height, _]| *height))
        .fold(f64::from(DROP), f64::max);
    let count = samples.back().map_or(0, |last| last.heights.len());
    let points = |lane: usize, which: usize| -> PlotPoints {
        let of = |sample: &Sample| {
            sample
                .heights
                .get(lane)
                .map_or(f64::NAN, |pair| pair[which])
        };
        samples
            .iter()
            .map(|sample| [sample.seconds, of(sample)])
            .collect()
    };
    Plot::new("heights")
        .height(height)
        .show_crosshair(false)
        .sense(egui::Sense::hover())
        .show_x(false)
        .show_y(false)
        .x_axis_formatter(|mark, _| format!("{} s", mark.value))
        .y_axis_formatter(|mark, _| format!("{} m", mark.value))
        .show(ui, |plot| {
            plot.set_plot_bounds_x(end - SPAN..=end);
            plot.set_plot_bounds_y(-0.05 * highest..=1.1 * highest);
            for lane in 0..count {
                let exact = Line::new(format!("exact {lane}"), points(lane, 1));
                plot.line(exact.color(egui::Color32::from_white_alpha(90)).width(5.0));
            }
            for lane in 0..count {
                let [r, g, b, _] = color(Lane(lane)).to_u8_array();
                let curve = Line::new(format!("ball {lane}"), points(lane, 0));
                plot.line(curve.color(egui::Color32::from_rgb(r, g, b)).width(1.5));
            }
        });
}

//! The panes: the world by a method, its figures, and its curves.

use bevy_egui::egui;
use egui_plot::{AxisHints, Line, Plot, PlotPoints};
use scene_kit::panel::{FAINT, short};

use super::{Lab, painting::paint};
use crate::lab::world::LabWorld;

const GAP: f32 = 6.0;
const PLOT: f32 = 92.0;
/// Height of the name of the method, and of its figures.
const HEAD: f32 = 76.0;

/// Time in s that the curves go back: an explosion does not hide for ever what follows it.
const SHOWN: f64 = 10.0;

const COLORS: [egui::Color32; 6] = [
    egui::Color32::from_rgb(96, 200, 255),
    egui::Color32::from_rgb(255, 190, 92),
    egui::Color32::from_rgb(163, 220, 90),
    egui::Color32::from_rgb(245, 130, 190),
    egui::Color32::from_rgb(180, 150, 255),
    egui::Color32::from_rgb(255, 120, 100),
];

/// The colour of pane number `place`.
pub(super) fn color(place: usize) -> egui::Color32 {
    COLORS[place % COLORS.len()]
}

/// All panes in a grid.
pub(super) fn show_all(ui: &mut egui::Ui, room: egui::Rect, lab: &mut Lab) {
    let room = room.shrink(GAP);
    let count = lab.worlds.len();
    if count == 0 {
        ui.put(room, egui::Label::new("Choose a method at the left."));
        return;
    }
    let columns = match count {
        1 => 1,
        2 | 4 => 2,
        _ => 3,
    };
    let rows = count.div_ceil(columns);
    let size = egui::vec2(
        (room.width() - GAP * (columns - 1) as f32) / columns as f32,
        (room.height() - GAP * (rows - 1) as f32) / rows as f32,
    );
    for place in 0..count {
        let cell = egui::vec2((place % columns) as f32, (place / columns) as f32);
        let at = room.min + cell * (size + egui::Vec2::splat(GAP));
        let rect = egui::Rect::from_min_size(at, size);
        let response = ui.interact(rect, ui.id().with(("pane", place)), egui::Sense::click());
        if response.clicked() {
            lab.selected = place;
        }
        let is_chosen = lab.selected == place && count > 1;
        pane(ui, rect, lab, place, is_chosen);
    }
}

fn pane(ui: &mut egui::Ui, rect: egui::Rect, lab: &mut Lab, place: usize, is_chosen: bool) {
    let (view, zoom, far) = (lab.scene.view, lab.zoom, lab.options.far);
    let world = &mut lab.worlds[place];
    let hue = color(place);
    let frame = if is_chosen {
        hue
    } else {
        egui::Color32::from_gray(52)
    };
    let plot = egui::Rect::from_min_max(egui::pos2(rect.left(), rect.bottom() - PLOT), rect.max);
    // No body passes behind the figures.
    let picture = egui::Rect::from_min_max(rect.min + egui::vec2(0.0, HEAD), plot.right_top());
    paint(
        ui.painter(),
        picture,
        world,
        (view.0 + bevy::math::Vec2::X * far, view.1 / zoom),
        hue,
    );
    let name = world.method.title;
    ui.painter().text(
        rect.min + egui::vec2(8.0, 6.0),
        egui::Align2::LEFT_TOP,
        name,
        egui::FontId::proportional(16.0),
        hue,
    );
    ui.painter().text(
        rect.min + egui::vec2(8.0, 28.0),
        egui::Align2::LEFT_TOP,
        figures(world),
        egui::FontId::proportional(12.0),
        egui::Color32::from_gray(210),
    );
    curves(ui, plot.shrink(4.0), world, place, hue);
    let stroke = egui::Stroke::new(1.0, frame);
    ui.painter()
        .rect_stroke(rect, 4.0, stroke, egui::StrokeKind::Inside);
}

fn figures(world: &LabWorld) -> String {
    let now = &world.figures.now;
    let summary = world.figures.summary();
    let mut text = format!(
        "{:.1} s, {:.2} ms a step, {} m/s\nenergy {}, overlap {}, worst {}",
        now.seconds,
        summary.step_ms,
        short(now.rms_speed),
        percent(summary.energy_drift),
        percent(now.overlap),
        percent(now.worst_overlap),
    );
    if let Some(turned) = summary.angular_momentum_drift {
        text += &format!("\nangular momentum {}", percent(turned));
    }
    text
}

/// A part in percent, without a sign where nothing is left of it.
fn percent(part: f64) -> String {
    let text = format!("{:.2} %", 100.0 * part);
    match text.strip_prefix('-') {
        Some(zero) if zero == "0.00 %" => zero.to_owned(),
        _ => text,
    }
}

/// Energy and overlap against time, both in percent, of the last ten seconds.
fn curves(ui: &mut egui::Ui, rect: egui::Rect, world: &LabWorld, place: usize, hue: egui::Color32) {
    let of = |value: &dyn Fn(&crate::lab::figures::Sample) -> f64| -> PlotPoints {
        let from = world.figures.now.seconds - SHOWN;
        let curve = world.figures.curve.iter();
        curve
            .filter(|sample| sample.seconds >= from)
            .map(|sample| [sample.seconds, 100.0 * value(sample)])
            .collect()
    };
    let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(rect));
    // Marks so near to each other that the small plot has two and more on each axis.
    let seconds = AxisHints::new_x()
        .label_spacing(28.0..=44.0)
        .formatter(|mark, _| format!("{} s", mark.value));
    let percents = AxisHints::new_y()
        .label_spacing(10.0..=16.0)
        .formatter(|mark, _| percent_mark(mark.value));
    Plot::new(("curves", place))
        .height(rect.height())
        .width(rect.width())
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .show_crosshair(false)
        .sense(egui::Sense::hover())
        .custom_x_axes(vec![seconds])
        .custom_y_axes(vec![percents])
        .show(&mut inside, |plot| {
            let energy = of(&|sample| world.figures.drift(sample));
            plot.line(Line::new("energy", energy).color(hue).width(2.0));
            let overlap = of(&|sample| sample.overlap);
            plot.line(Line::new("mean overlap", overlap).color(FAINT).width(1.2));
        });
    let names = [("energy", hue), ("overlap", FAINT)];
    let mut at = rect.right_top() + egui::vec2(-6.0, 2.0);
    for (name, color) in names.into_iter().rev() {
        let font = egui::FontId::proportional(11.0);
        let drawn = (ui.painter()).text(at, egui::Align2::RIGHT_TOP, name, font, color);
        at.x = drawn.left() - 8.0;
    }
}

/// A mark of an axis in percent.
fn percent_mark(value: f64) -> String {
    match value.abs() {
        0.0 => "0 %".to_owned(),
        1e-2..1e3 => format!("{value} %"),
        _ => format!("{value:.0e} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_has_no_sign() {
        assert_eq!(percent(-1e-6), "0.00 %");
        assert_eq!(percent(-0.5), "-50.00 %");
    }
}

//! Controls and figures in panels over the scene.

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_impulse_collide::prelude::*;
use egui_plot::Plot;

const PANEL: egui::Color32 = egui::Color32::from_rgba_premultiplied(7, 8, 12, 226);
const TEXT: egui::Color32 = egui::Color32::from_gray(222);
/// The colour of less important texts.
pub const FAINT: egui::Color32 = egui::Color32::from_gray(150);
/// The colour of important texts.
pub const ACCENT: egui::Color32 = egui::Color32::from_rgb(255, 190, 92);

/// Height of the line of news at the top, in points.
const BELOW_LINE: f32 = 44.0;

/// A window that stays where it is: at a corner or an edge of the screen beside the inspector, with an offset from it in points.
pub fn window(
    ctx: &egui::Context,
    name: &str,
    (corner, offset): (egui::Align2, [f32; 2]),
    frame: egui::Frame,
) -> egui::Window<'static> {
    let mut screen = ctx.content_rect();
    if let Some(inspector) = bevy_impulse_overlay::panel_rect(ctx) {
        screen.max.x = inspector.min.x;
        // The line of news may reach as far.
        if corner == RIGHT.0 {
            screen.min.y += BELOW_LINE;
        }
    }
    egui::Window::new(name)
        .title_bar(false)
        .resizable(false)
        .constrain_to(screen)
        .anchor(corner, offset)
        .frame(frame)
}

/// A panel of `width` points in a corner.
pub fn show(
    ctx: &egui::Context,
    name: &str,
    place: (egui::Align2, [f32; 2]),
    width: f32,
    contents: impl FnOnce(&mut egui::Ui),
) {
    let frame = egui::Frame::new()
        .fill(PANEL)
        .corner_radius(6)
        .inner_margin(10);
    window(ctx, name, place, frame).show(ctx, |ui| {
        ui.visuals_mut().override_text_color = Some(TEXT);
        ui.spacing_mut().slider_width = 104.0;
        ui.spacing_mut().item_spacing.y = 5.0;
        ui.set_width(width);
        contents(ui);
    });
}

/// The left side, below the line at the top and the sign that says when the world is paused.
pub fn left(control: &StepControl) -> (egui::Align2, [f32; 2]) {
    let top = if control.paused { 106.0 } else { 62.0 };
    (egui::Align2::LEFT_TOP, [12.0, top])
}

/// The right side.
pub const RIGHT: (egui::Align2, [f32; 2]) = (egui::Align2::RIGHT_TOP, [-12.0, 12.0]);

/// The name of a part of a panel.
pub fn heading(ui: &mut egui::Ui, text: &str) {
    ui.add_space(3.0);
    ui.colored_label(FAINT, text);
}

/// A row of a grid: a name, and its slider.
pub fn row(ui: &mut egui::Ui, name: &str, slider: egui::Slider) -> egui::Response {
    ui.label(name);
    let response = ui.add(slider);
    ui.end_row();
    response
}

/// Measurements: names, and values with their units.
pub fn figures<const N: usize>(ui: &mut egui::Ui, figures: [(&str, String); N]) {
    egui::Grid::new("figures").num_columns(2).show(ui, |ui| {
        for (name, value) in figures {
            ui.colored_label(FAINT, name);
            ui.label(value);
            ui.end_row();
        }
    });
}

/// Values to choose from, with their names, side by side.
pub fn choice<T: PartialEq, const N: usize>(
    ui: &mut egui::Ui,
    value: &mut T,
    choices: [(T, &str); N],
) {
    for (choice, name) in choices {
        ui.selectable_value(value, choice, name);
    }
}

/// A plot of `height` points that the mouse leaves alone.
pub fn still_plot(name: &str, height: f32) -> Plot<'_> {
    Plot::new(name)
        .height(height)
        .allow_scroll(false)
        .allow_zoom(false)
        .allow_drag(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .allow_double_click_reset(false)
        .show_x(false)
        .show_y(false)
        .y_axis_min_width(24.0)
}

/// A button that stands out. Whether it was pressed.
pub fn main_button(ui: &mut egui::Ui, text: &str) -> bool {
    let text = egui::RichText::new(text).color(ACCENT);
    ui.add(egui::Button::new(text)).clicked()
}

/// Colours from the least, at 0, to the most, at 1, with marks for the ends and the middle.
pub fn legend(ui: &mut egui::Ui, color: impl Fn(f32) -> Srgba, marks: [String; 3]) {
    const CELLS: usize = 48;
    let (rect, _) =
        ui.allocate_exact_size(egui::vec2(ui.available_width(), 9.0), egui::Sense::hover());
    let width = rect.width() / CELLS as f32;
    for cell in 0..CELLS {
        let [r, g, b, _] = color(cell as f32 / (CELLS - 1) as f32).to_u8_array();
        let left = rect.left() + cell as f32 * width;
        let cell = egui::Rect::from_min_size(
            egui::pos2(left, rect.top()),
            egui::vec2(width + 0.5, rect.height()),
        );
        ui.painter()
            .rect_filled(cell, 0.0, egui::Color32::from_rgb(r, g, b));
    }
    let places = [
        (rect.left_bottom(), egui::Align2::LEFT_TOP),
        (rect.center_bottom(), egui::Align2::CENTER_TOP),
        (rect.right_bottom(), egui::Align2::RIGHT_TOP),
    ];
    for (mark, (place, align)) in marks.into_iter().zip(places) {
        let font = egui::FontId::proportional(11.0);
        ui.painter()
            .text(place + egui::vec2(0.0, 2.0), align, mark, font, TEXT);
    }
    ui.add_space(14.0);
}

/// A number of any size in three or four digits.
pub fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        1e-2..1e1 => format!("{value:.2}"),
        1e1..1e3 => format!("{value:.0}"),
        _ => format!("{value:.2e}"),
    }
}

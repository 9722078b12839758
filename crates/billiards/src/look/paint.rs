//! Shared by the game's panels: colours, frames, little balls.

use bevy::color::{ColorToPacked, Srgba};
use bevy_egui::egui;
use scene_kit::panel::window;

use super::textures::ball_color;
use crate::rules::{Ball, Kind};

pub(super) const PANEL: egui::Color32 = egui::Color32::from_rgba_premultiplied(5, 6, 9, 215);
pub(super) const TEXT: egui::Color32 = egui::Color32::from_gray(232);
pub(super) const FAINT: egui::Color32 = egui::Color32::from_gray(165);
pub(super) const ACCENT: egui::Color32 = egui::Color32::from_rgb(255, 209, 115);
pub(super) const WARNING: egui::Color32 = egui::Color32::from_rgb(255, 120, 95);

/// A panel at a corner or an edge of the window.
pub(super) fn panel(
    ctx: &egui::Context,
    name: &str,
    corner: egui::Align2,
    offset: [f32; 2],
) -> egui::Window<'static> {
    let frame = egui::Frame::new()
        .fill(PANEL)
        .corner_radius(8)
        .inner_margin(12);
    window(ctx, name, (corner, offset), frame)
}

/// A little ball of one colour.
pub(super) fn plain_ball(ui: &mut egui::Ui, radius: f32, of: Srgba) {
    let (rect, _) = ui.allocate_exact_size(egui::Vec2::splat(2.0 * radius), egui::Sense::hover());
    let edge = egui::Stroke::new(1.0, egui::Color32::from_gray(90));
    ui.painter().circle(rect.center(), radius, color(of), edge);
}

/// A little ball; faint if it is down.
pub(super) fn ball(painter: &egui::Painter, at: egui::Pos2, radius: f32, ball: Ball, down: bool) {
    let fade = |color: egui::Color32| {
        if down {
            color.gamma_multiply(0.16)
        } else {
            color
        }
    };
    let color = fade(color(ball_color(ball)));
    let white = fade(egui::Color32::from_rgb(242, 236, 220));
    let stripe = ball.kind() == Kind::Stripe;
    painter.circle_filled(at, radius, if stripe { white } else { color });
    if stripe {
        let band = egui::Rect::from_center_size(at, egui::vec2(1.76 * radius, 1.06 * radius));
        painter.rect_filled(band, 0.3 * radius, color);
    }
    // The 8 is as dark as the panel.
    painter.circle_stroke(
        at,
        radius,
        egui::Stroke::new(1.0, egui::Color32::from_gray(90)),
    );
    if ball != Ball::CUE {
        painter.circle_filled(at, 0.52 * radius, white);
        let font = egui::FontId::proportional(0.86 * radius);
        let text = fade(egui::Color32::BLACK);
        let number = ball.0.to_string();
        painter.text(at, egui::Align2::CENTER_CENTER, number, font, text);
    }
}

pub(super) fn color(color: Srgba) -> egui::Color32 {
    let [r, g, b, _] = color.to_u8_array();
    egui::Color32::from_rgb(r, g, b)
}

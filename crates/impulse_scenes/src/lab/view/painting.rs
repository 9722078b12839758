//! A flat world, painted from the front.

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_impulse_collide::prelude::*;

use crate::lab::world::LabWorld;

pub(super) const BACKGROUND: egui::Color32 = egui::Color32::from_rgb(14, 16, 22);
/// The same, where egui draws nothing.
pub(super) const CLEAR: Color = Color::srgb_u8(14, 16, 22);
const SOLID: egui::Color32 = egui::Color32::from_rgb(44, 50, 62);
const EDGE: egui::Color32 = egui::Color32::from_rgb(120, 132, 150);

/// Paints the part of the world with this middle and size in m.
pub(super) fn paint(
    painter: &egui::Painter,
    rect: egui::Rect,
    world: &mut LabWorld,
    (middle, height): (Vec2, f32),
    hue: egui::Color32,
) {
    let painter = painter.with_clip_rect(rect);
    let scale = rect.size().min_elem() / height;
    let place = |x: Vec3| {
        let from_middle = (x.truncate() - middle) * scale;
        rect.center() + egui::vec2(from_middle.x, -from_middle.y)
    };
    let app = world.app.world_mut();
    let mut planes = app.query::<(&Plane, &Transform)>();
    for (plane, at) in planes.iter(app) {
        half_space(
            &painter,
            rect,
            place(at.translation),
            (at.rotation * plane.normal).truncate(),
        );
    }
    let outline = egui::Stroke::new(1.0, hue.gamma_multiply(0.9));
    let fill = hue.gamma_multiply(0.35);
    let mut balls = app.query::<(&Particle, &Transform)>();
    for (ball, at) in balls.iter(app) {
        let (centre, r) = (place(at.translation), ball.radius * scale);
        painter.circle(centre, r, fill, outline);
        if r > 6.0 {
            let mark = (at.rotation * Vec3::X).truncate() * r;
            painter.line_segment([centre, centre + egui::vec2(mark.x, -mark.y)], outline);
        }
    }
    let mut capsules = app.query::<(&Capsule, &Transform)>();
    for (capsule, at) in capsules.iter(app) {
        let half = at.rotation * (Vec3::Y * (0.5 * capsule.length));
        let ends = [place(at.translation - half), place(at.translation + half)];
        let r = capsule.radius * scale;
        if ends[0].distance(ends[1]) < 0.1 {
            painter.circle(ends[0], r, fill, outline);
        } else {
            painter.line_segment(
                ends,
                egui::Stroke::new(2.0 * r, SOLID.lerp_to_gamma(hue, 0.45)),
            );
            for end in ends {
                painter.circle_filled(end, r, SOLID.lerp_to_gamma(hue, 0.45));
            }
        }
    }
}

/// The solid side of a half-space through a point of the screen.
fn half_space(painter: &egui::Painter, rect: egui::Rect, point: egui::Pos2, normal: Vec2) {
    let Some(normal) = normal.try_normalize() else {
        return;
    };
    let far = 2.0 * rect.size().length() + point.distance(rect.center());
    let inward = egui::vec2(-normal.x, normal.y) * far;
    let along = egui::vec2(normal.y, normal.x) * far;
    let (one, other) = (point - along, point + along);
    let corners = vec![one, other, other + inward, one + inward];
    painter.add(egui::Shape::convex_polygon(
        corners,
        SOLID,
        egui::Stroke::NONE,
    ));
    painter.line_segment([one, other], egui::Stroke::new(1.5, EDGE));
}

//! The boxes that bodies sweep in a substep, and whether two bodies may touch while each is in its box.

use glam::Vec3A;

use super::aabb::Aabb;
use crate::{body::Bodies, shape::Shape};

/// Room that a body at rest is given on all sides, as a part of its radius, and the most that any body is given for its
/// speed. What moves further in a substep than this gets no room for more.
const ROOM_AT_REST: f32 = 0.05;
const MOST_ROOM: f32 = 0.25;

/// Substeps that a body's room should last.
const SUBSTEPS_OF_ROOM: f32 = 8.0;

pub(super) fn reaches_plane(
    bodies: &Bodies,
    i: usize,
    swept: &Aabb,
    plane: usize,
    margin: f32,
) -> bool {
    let normal = Vec3A::from(bodies.axis[plane]);
    let centre = 0.5 * (swept.min + swept.max) - Vec3A::from(bodies.position[plane]);
    let half = 0.5 * (swept.max - swept.min);
    centre.dot(normal) - half.dot(normal.abs()) <= margin * bodies.shape[i].radius()
}

/// Room that a body gets on all sides of its swept box, in m.
pub(super) fn room_for(bodies: &Bodies, i: usize) -> f32 {
    if !bodies.is_free(i) {
        return 0.0;
    }
    let radius = bodies.shape[i].radius();
    let path = (bodies.velocity[i].length() + tip_speed(bodies, i)) * bodies.h;
    let wanted = if path < MOST_ROOM * radius {
        SUBSTEPS_OF_ROOM * path
    } else {
        0.0
    };
    wanted.clamp(ROOM_AT_REST * radius, MOST_ROOM * radius)
}

/// Whether two bodies may touch while each is in its box.
pub(super) fn may_meet(bodies: &Bodies, boxes: &[Aabb], a: usize, b: usize, margin: f32) -> bool {
    if !(bodies.is_pushed(a) || bodies.is_pushed(b)) {
        return false;
    }
    if let (Shape::Particle { radius: r_a }, Shape::Particle { radius: r_b }) =
        (bodies.shape[a], bodies.shape[b])
    {
        return are_in_reach(&boxes[a], &boxes[b], r_a + r_b, margin);
    }
    boxes[a].gap(&boxes[b]).max_element() <= 0.0
}

/// Whether balls whose radii sum up to `radii` may touch while each is in its box.
pub(super) fn are_in_reach(a: &Aabb, b: &Aabb, radii: f32, margin: f32) -> bool {
    // The boxes that their centres are in are smaller by the radii.
    let reach = radii * (1.0 + margin);
    let gap = (a.gap(b) + reach).max(Vec3A::ZERO);
    gap.length_squared() <= reach * reach
}

/// Speed in m/s at which the ends of a free capsule go about its centre. It stays, however the capsule tumbles.
pub(super) fn tip_speed(bodies: &Bodies, i: usize) -> f32 {
    match bodies.shape[i] {
        Shape::Capsule { half_length, .. } if bodies.is_free(i) => {
            let w = bodies.angular_velocity[i];
            half_length * w.cross(bodies.launch_axis(i)).length()
        }
        Shape::Particle { .. } | Shape::Capsule { .. } | Shape::Plane => 0.0,
    }
}

/// The box that holds body `i` from `from` seconds into the substep to its end.
pub(super) fn swept_box(bodies: &Bodies, i: usize, from: f32, margin: f32) -> Aabb {
    let radius = bodies.shape[i].radius() * (1.0 + margin);
    let half = match bodies.shape[i] {
        Shape::Capsule { half_length, .. } => {
            let turned = tip_speed(bodies, i) * bodies.h;
            Vec3A::from(bodies.launch_axis(i).abs()) * half_length + (radius + turned)
        }
        Shape::Particle { .. } => Vec3A::splat(radius),
        Shape::Plane => return Aabb::EMPTY,
    };
    if !bodies.is_free(i) {
        let x = Vec3A::from(bodies.position[i]);
        return Aabb {
            min: x - half,
            max: x + half,
        };
    }
    let x = Vec3A::from(bodies.launch_position[i]);
    let v = Vec3A::from(bodies.velocity[i]);
    let a = Vec3A::from(bodies.flight_acceleration(i));
    let at = |s: Vec3A| x + s * (v + a * (0.5 * s));
    let (h, from) = (Vec3A::splat(bodies.h), Vec3A::splat(from));
    let (start, end) = (at(from), at(h));
    // A parabola may turn inside the step, on each axis at its own time −v/a.
    let turn = -v / a;
    let turns = turn.cmpgt(from) & turn.cmplt(h);
    let extreme = at(Vec3A::select(turns, turn, h));
    Aabb {
        min: start.min(end).min(extreme) - half,
        max: start.max(end).max(extreme) + half,
    }
}

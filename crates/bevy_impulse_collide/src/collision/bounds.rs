//! The AABBs that bodies sweep in a substep, the margin of the fat AABBs, and whether two bodies may touch while each is in its
//! AABB.

use glam::{Mat3, Quat, Vec3, Vec3A};

use super::{aabb::Aabb, grid::GridEntry};
use crate::{body::Bodies, shape::Shape};

/// Margin of the fat AABB of a body at rest, as a fraction of its radius.
const MIN_FAT_MARGIN: f32 = 0.05;

/// Largest margin of a fat AABB, as a fraction of the body's radius. That of a fast body holds it for one substep, whatever most impacts
/// do to it.
pub(super) const MAX_FAT_MARGIN: f32 = 0.25;

/// Substeps that a fat AABB, or a plane's bound, should last.
pub(super) const FAT_MARGIN_SUBSTEPS: f32 = 8.0;

/// Margin in m between the swept AABB and the fat AABB.
pub(super) fn fat_margin(bodies: &Bodies, i: usize) -> f32 {
    if bodies.is_static(i) {
        return 0.0;
    }
    if bodies.shape[i].is_collider() {
        let reach = collider_half(bodies, i).length();
        return bodies.velocity[i].as_vec3().length() * bodies.h * FAT_MARGIN_SUBSTEPS
            + 1e-6 * reach;
    }
    let radius = bodies.shape[i].radius();
    let wanted = FAT_MARGIN_SUBSTEPS * path(bodies, i);
    wanted.clamp(MIN_FAT_MARGIN * radius, MAX_FAT_MARGIN * radius)
}

/// Whether no margin would hold a ball or a capsule for another substep.
pub(super) fn is_fast(bodies: &Bodies, i: usize) -> bool {
    path(bodies, i) >= MAX_FAT_MARGIN * bodies.shape[i].radius()
}

/// The way in m of a ball or a capsule in a substep.
fn path(bodies: &Bodies, i: usize) -> f32 {
    (bodies.velocity[i].as_vec3().length() + tip_speed(bodies, i)) * bodies.h
}

/// Whether two bodies may touch while each is in its AABB.
pub(super) fn may_meet(bodies: &Bodies, aabbs: &[Aabb], a: usize, b: usize, margin: f32) -> bool {
    if !(bodies.is_dynamic(a) || bodies.is_dynamic(b)) || !bodies.may_collide(a, b) {
        return false;
    }
    if let (Shape::Particle { radius: r_a }, Shape::Particle { radius: r_b }) =
        (bodies.shape[a], bodies.shape[b])
    {
        return are_in_reach(&aabbs[a], &aabbs[b], r_a + r_b, margin);
    }
    aabbs[a].gap(&aabbs[b]).max_element() <= 0.0 && may_touch_surface(bodies, aabbs, a, b)
}

/// The label of a ball in the grid: its radius, negative if no impulse moves the ball. Infinite for other shapes.
pub(super) fn ball_label(bodies: &Bodies, i: usize) -> f32 {
    match bodies.shape[i] {
        Shape::Particle { radius } if bodies.is_dynamic(i) => radius,
        Shape::Particle { radius } => -radius,
        Shape::Capsule { .. } | Shape::Plane | Shape::Collider | Shape::Compound { .. } => {
            f32::INFINITY
        }
    }
}

/// [`may_meet`] for two balls, without reading [`Bodies`]; `None` if one of them is not a ball.
#[inline]
pub(super) fn balls_may_meet(one: &GridEntry, other: &GridEntry, margin: f32) -> Option<bool> {
    let radii = one.label.abs() + other.label.abs();
    let is_dynamic = one.label.max(other.label) > 0.0;
    (radii < f32::INFINITY)
        .then(|| is_dynamic && are_in_reach(&one.aabb, &other.aabb, radii, margin))
}

/// Whether a body in its AABB may touch a part of a static collider. Only boxes are tested for other pairs.
fn may_touch_surface(bodies: &Bodies, aabbs: &[Aabb], a: usize, b: usize) -> bool {
    let (body, collider) = match (bodies.shape[a].is_collider(), bodies.shape[b].is_collider()) {
        (false, true) => (a, b),
        (true, false) => (b, a),
        _ => return true,
    };
    let Some(geometry) = bodies.geometry[collider].get() else {
        return false;
    };
    if !bodies.is_static(collider) {
        return true;
    }
    let back = bodies.rotation[collider].inverse();
    let centre = Vec3::from(aabbs[body].centre()) - bodies.position[collider].as_vec3();
    let half = 0.5 * Vec3::from(aabbs[body].sides()) + centre.abs() * (2.0 * f32::EPSILON);
    let (centre, half) = (back * centre, half_of_turned_box(half, back));
    let mut parts = geometry.parts_in((centre - half, centre + half));
    parts.next().is_some()
}

/// Half the sides of the box that holds a turned box.
pub(crate) fn half_of_turned_box(half: Vec3, rotation: Quat) -> Vec3 {
    if rotation == Quat::IDENTITY {
        return half;
    }
    let axes = Mat3::from_quat(rotation);
    axes.x_axis.abs() * half.x + axes.y_axis.abs() * half.y + axes.z_axis.abs() * half.z
}

/// Half the sides of the box about a collider's position that holds the collider, and any rotation of a collider that turns.
fn collider_half(bodies: &Bodies, i: usize) -> Vec3 {
    let Some(geometry) = bodies.geometry[i].get() else {
        return Vec3::ZERO;
    };
    if !bodies.is_static(i) && bodies.angular_velocity[i].as_vec3() != Vec3::ZERO {
        return Vec3::splat(geometry.reach());
    }
    let (low, high) = geometry.bounds();
    half_of_turned_box(low.abs().max(high.abs()), bodies.rotation[i])
}

/// The box that holds a collider that does not turn.
fn collider_box(bodies: &Bodies, i: usize) -> (Vec3, Vec3) {
    let Some(geometry) = bodies.geometry[i].get() else {
        return (Vec3::ZERO, Vec3::ZERO);
    };
    let (low, high) = geometry.bounds();
    let centre = bodies.rotation[i] * (0.5 * (low + high));
    let half = half_of_turned_box(0.5 * (high - low), bodies.rotation[i]);
    (centre, half)
}

/// Whether balls whose radii sum up to `radii` may touch while each is in its AABB.
pub(super) fn are_in_reach(a: &Aabb, b: &Aabb, radii: f32, margin: f32) -> bool {
    // The AABBs of the centres are smaller by the radii.
    let reach = radii * (1.0 + margin);
    let gap = (a.gap(b) + reach).max(Vec3A::ZERO);
    gap.length_squared() <= reach * reach
}

/// Speed in m/s of the ends of a free core about the centre of mass of its body. Of a capsule it is constant in free rotation if the capsule is symmetric;
/// otherwise it is an upper limit.
pub(super) fn tip_speed(bodies: &Bodies, i: usize) -> f32 {
    match bodies.shape[i] {
        _ if bodies.is_aside(i) && !bodies.is_static(i) => {
            let arm = bodies.offset[i].length() + bodies.shape[i].core_reach();
            arm * bodies.fastest_turn(i)
        }
        Shape::Capsule { half_length, .. } if !bodies.is_static(i) => {
            half_length
                * match bodies.inverse_inertia[i].is_symmetric_about_y() {
                    true => {
                        let w = bodies.angular_velocity[i].as_vec3();
                        w.cross(bodies.flight_axis(i)).length()
                    }
                    false => bodies.fastest_turn(i),
                }
        }
        Shape::Particle { .. }
        | Shape::Capsule { .. }
        | Shape::Plane
        | Shape::Collider
        | Shape::Compound { .. } => 0.0,
    }
}

/// The AABB that holds body `i` from `from` seconds into the substep to its end.
pub(crate) fn swept_aabb(bodies: &Bodies, i: usize, from: f32, margin: f32) -> Aabb {
    let radius = bodies.shape[i].radius() * (1.0 + margin);
    let half = match bodies.shape[i] {
        Shape::Capsule { half_length, .. } => {
            let turned = tip_speed(bodies, i) * bodies.h;
            Vec3A::from(bodies.flight_axis(i).abs()) * half_length + (radius + turned)
        }
        // A part on its arc stays as near to where its body would take it.
        Shape::Particle { .. } => Vec3A::splat(radius + tip_speed(bodies, i) * bodies.h),
        Shape::Plane | Shape::Compound { .. } => return Aabb::EMPTY,
        Shape::Collider if !bodies.is_static(i) => collider_half(bodies, i).into(),
        Shape::Collider => {
            let (centre, half) = collider_box(bodies, i);
            let x = Vec3A::from(bodies.position[i].as_vec3() + centre);
            let half = Vec3A::from(half) + x.abs() * f32::EPSILON;
            return Aabb {
                min: x - half,
                max: x + half,
            };
        }
    };
    if bodies.is_static(i) {
        let x = Vec3A::from(bodies.position[i].as_vec3());
        return Aabb {
            min: x - half,
            max: x + half,
        };
    }
    let x = Vec3A::from(bodies.flight_origin(i));
    let v = Vec3A::from(bodies.velocity[bodies.whole_of(i)].as_vec3());
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

//! What the steppers with impulses have in common.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use crate::contact::ContactPoint;

/// Sweeps over the contact points, if they do not end before.
const SWEEPS: usize = 64;

/// An approach in m/s that is none.
const SLOWEST: f32 = 1e-6;

/// A substep has v(t−h/2), and v(t) if it is the first one of its body: the kick from there to v(t+h/2).
pub(super) fn kick_of_substep(bodies: &mut Bodies, gravity: Vec3) {
    let h = bodies.substep();
    bodies.for_each(|mut body| {
        if body.is_dynamic() {
            let s = if body.is_new() { 0.5 * h } else { h };
            body.add_velocity(gravity * body.gravity_scale() * s);
        }
    });
}

/// v(t) = v(t−h/2) + g·h/2; the first substep of a body starts with v(t).
pub(super) fn first_half_kick(bodies: &mut Bodies, gravity: Vec3) {
    let half = 0.5 * bodies.substep();
    bodies.for_each(|mut body| {
        if body.is_dynamic() && !body.is_new() {
            body.add_velocity(gravity * body.gravity_scale() * half);
        }
    });
}

/// Impacts of all points that approach, until none does: v = −e·v. With `e` = `None`, each has the restitution of its pair.
pub(super) fn stop_approach(bodies: &mut Bodies, points: &[ContactPoint], e: Option<f32>) {
    for _ in 0..SWEEPS {
        let mut has_changed = false;
        for point in points {
            if point.velocity(bodies).dot(point.normal) < -SLOWEST {
                point.impact(bodies, e.unwrap_or(point.restitution));
                has_changed = true;
            }
        }
        if !has_changed {
            break;
        }
    }
}

/// Moves bodies out of each other: x = 0 if x < 0.
pub(super) fn project(bodies: &mut Bodies, find: impl Fn(&Bodies) -> Vec<ContactPoint>) {
    for point in find(bodies) {
        if point.depth > 0.0 {
            point.move_apart(bodies, point.depth);
        }
    }
}

/// Lets the components show v(t) = v(t−h/2) + a·h/2, where a is zero for a body that lies on another one. The next substep takes
/// the half kick back.
pub(super) fn show_velocities(bodies: &mut Bodies, gravity: Vec3, points: &[ContactPoint]) {
    bodies.for_each(|mut body| {
        let pull = gravity * body.gravity_scale();
        body.set_contact_acceleration(if body.is_dynamic() { pull } else { Vec3::ZERO });
    });
    for point in points {
        if point.velocity(bodies).dot(point.normal).abs() <= SLOWEST {
            for i in [point.a, point.b] {
                bodies.get_mut(i).set_contact_acceleration(Vec3::ZERO);
            }
        }
    }
}

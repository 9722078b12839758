//! Tells an impact from the approach of bodies that rest on each other.

use bevy::prelude::*;

use crate::{
    body::Bodies,
    config::CollisionConfig,
    kernel::{ContactClass, contact_class},
};

pub(super) fn is_impact(
    bodies: &Bodies,
    config: &CollisionConfig,
    a: usize,
    b: usize,
    normal: Vec3,
    v_n: f32,
) -> bool {
    let tolerance = resting_speed(bodies, config, a, b, normal);
    contact_class(v_n, tolerance) == ContactClass::Impacting
}

/// Approach speed under which an impact is a resting contact: the configured speed, plus the speed that the fields and the pressure
/// of neighbours give the pair along the normal in a substep. A bounce slower than that would be over within the substep.
pub(crate) fn resting_speed(
    bodies: &Bodies,
    config: &CollisionConfig,
    a: usize,
    b: usize,
    normal: Vec3,
) -> f32 {
    let field = normal.dot(bodies.flight_acceleration(a) - bodies.flight_acceleration(b));
    let pressure = |i: usize| normal.dot(bodies.contact_acceleration[i]).abs();
    config.resting_speed + bodies.h * (0.5 * field.abs() + pressure(a).max(pressure(b)))
}

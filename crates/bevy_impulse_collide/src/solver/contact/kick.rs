//! Conversion between accelerations and the velocity changes that they make in a substep.

use bevy::prelude::*;
use glam::DVec3;

use crate::body::Bodies;

/// Velocity and angular velocity that the fields give a body in this substep. The first kick of a body starts from v(t), not from
/// v(t−h/2), so it is half as long.
pub(super) fn field_kick(bodies: &Bodies, i: usize) -> (Vec3, Vec3) {
    let seconds = if bodies.is_fresh(i) { 0.5 } else { 1.0 } * bodies.h;
    let linear = bodies.acceleration[i].as_vec3() * seconds;
    (linear, bodies.angular_acceleration[i] * seconds)
}

/// Factor from a change of velocity by contacts to their acceleration, in 1/s. The first kick of a body is half as long.
pub(super) fn contact_rate(is_fresh: bool, h: f32) -> f32 {
    if is_fresh { 2.0 / h } else { 1.0 / h }
}

/// Largest contact acceleration in m/s² that predicts the next substep, of a body with the fields' acceleration, the acceleration
/// in m/s² with which a curved surface is `turning` it, and this radius; and largest angular one in rad/s².
pub(super) fn prediction_limits(field: DVec3, turning: f32, radius: f32) -> (f32, f32) {
    let linear = 2.0 * (field.length() as f32 + turning);
    (linear, 2.5 * linear / radius)
}

use bevy::prelude::*;
use glam::DVec3;

use crate::{
    bodies::Bodies,
    config::CollisionConfig,
    field::{Gravity, SelfGravity},
};

/// Stage 1: a(t) = g + F/m, and the pull of the other bodies; angular acceleration I⁻¹·τ from external torques.
pub fn gravity(
    mut bodies: ResMut<Bodies>,
    config: Res<CollisionConfig>,
    uniform: Res<Gravity>,
    self_gravity: Option<Res<SelfGravity>>,
    mut sums: Local<Vec<DVec3>>,
) {
    let bodies = &mut *bodies;
    if !config.stages.gravity {
        bodies.acceleration.fill(DVec3::ZERO);
        bodies.angular_acceleration.fill(Vec3::ZERO);
        return;
    }
    for i in 0..bodies.len() {
        let a =
            uniform.0 * bodies.gravity_scale[i] + bodies.external_force[i] * bodies.inverse_mass[i];
        bodies.acceleration[i] = a.as_dvec3();
        bodies.angular_acceleration[i] =
            bodies.inverse_inertia[i].mul(bodies.axis[i], bodies.external_torque[i]);
    }
    if let Some(field) = self_gravity {
        field.accelerate(bodies, &mut sums);
    }
    for i in 0..bodies.len() {
        if !bodies.is_free(i) {
            bodies.acceleration[i] = DVec3::ZERO;
        }
    }
}

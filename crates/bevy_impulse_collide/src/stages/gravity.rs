use bevy::prelude::*;
use glam::DVec3;

use crate::{
    body::Bodies,
    config::CollisionConfig,
    field::{Gravity, GravitySolver, SelfGravity},
    parallel::compute_pool,
    shape::Shape,
};

/// Stage 1: a(t) = g + F/m, and the pull of the other bodies; angular acceleration I⁻¹·τ from external torques.
pub fn gravity(
    mut bodies: ResMut<Bodies>,
    config: Res<CollisionConfig>,
    uniform: Res<Gravity>,
    self_gravity: Option<Res<SelfGravity>>,
    mut solver: Local<GravitySolver>,
    mut radii: Local<Vec<f32>>,
    mut uniform_before: Local<Option<Vec3>>,
) {
    let bodies = &mut *bodies;
    // If the fields change, sleeping bodies must feel it.
    let uniform_now = config.stages.gravity.then_some(uniform.0);
    let before = std::mem::replace(&mut *uniform_before, uniform_now);
    if self_gravity.is_some() || before != uniform_now {
        bodies.activate_all();
    }
    if !config.stages.gravity {
        bodies.acceleration.fill(DVec3::ZERO);
        bodies.angular_acceleration.fill(Vec3::ZERO);
        return;
    }
    bodies.for_each_run(|_, run| {
        for i in 0..run.len() {
            let a = uniform.0 * run.gravity_scale[i] + run.external_force[i] * run.inverse_mass[i];
            run.acceleration[i] = a.as_dvec3();
            let torque = run.external_torque[i];
            run.angular_acceleration[i] = if torque == Vec3::ZERO {
                Vec3::ZERO
            } else {
                run.inverse_inertia[i].mul(run.axis[i], torque)
            };
        }
    });
    if let Some(field) = self_gravity {
        radii.clear();
        radii.extend(bodies.shape.iter().map(Shape::radius));
        solver.solve(
            &field,
            &bodies.position,
            &bodies.mass,
            &radii,
            compute_pool(),
        );
        for (sum, a) in bodies.acceleration.iter_mut().zip(&solver.accelerations) {
            *sum += *a;
        }
    }
}

/// Clears the accelerations that the fields, a user's fields among them, gave to static and kinematic bodies.
pub(crate) fn clear_fields_of_held_bodies(mut bodies: ResMut<Bodies>) {
    let bodies = &mut *bodies;
    bodies.for_each_run(|_, run| {
        for i in 0..run.len() {
            if !run.is_pushed(i) {
                run.acceleration[i] = DVec3::ZERO;
                run.angular_acceleration[i] = Vec3::ZERO;
            }
        }
    });
}

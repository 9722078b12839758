//! Stage 1: accelerations from every field.

use bevy::prelude::*;
use glam::DVec3;

use crate::{
    body::{Bodies, FieldSettings},
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
    (mut radii, mut masses): (Local<Vec<f32>>, Local<Vec<f32>>),
) {
    let bodies = &mut *bodies;
    let fields = FieldSettings {
        uniform: config.stages.gravity.then_some(uniform.0),
        own: self_gravity.as_deref().copied(),
    };
    let is_first = bodies.time == 0.0;
    let (are_others, are_switched) = match is_first {
        true => bodies.last_step.note_fields(fields),
        false => (false, false),
    };
    // If the fields change, sleeping bodies must feel it.
    if self_gravity.is_some() || are_others {
        bodies.activate_all();
    }
    // The new fields act from t on, and what the contacts gave against the old ones has ended.
    if are_switched {
        bodies.start_all_anew();
    }
    bodies.takes_fields = config.stages.gravity;
    if !config.stages.gravity {
        bodies.for_each_run(|_, mut run| (0..run.len()).for_each(|i| run.note_fields(i)));
        bodies.acceleration.fill(DVec3::ZERO);
        bodies.angular_acceleration.fill(Vec3::ZERO);
        return;
    }
    bodies.for_each_run(|_, mut run| {
        for i in 0..run.len() {
            run.note_fields(i);
            let a = uniform.0 * run.gravity_scale[i] + run.external_force[i] * run.inverse_mass[i];
            run.acceleration[i] = a.as_dvec3();
            let torque = run.external_torque[i];
            run.angular_acceleration[i] = if torque == Vec3::ZERO {
                Vec3::ZERO
            } else {
                run.inverse_inertia[i].mul(run.rotation[i], torque)
            };
        }
    });
    if let Some(field) = self_gravity {
        radii.clear();
        radii.extend(bodies.shape.iter().map(Shape::radius));
        masses.clear();
        masses.extend((0..bodies.len()).map(|i| bodies.own_mass(i)));
        solver.solve(&field, &bodies.position, &masses, &radii, compute_pool());
        for (sum, a) in bodies.acceleration.iter_mut().zip(&solver.accelerations) {
            *sum += *a;
        }
    }
}

/// Clears the accelerations that the fields, a user's fields among them, gave to static and kinematic bodies, and to locked
/// rotations.
pub(crate) fn clear_fields_of_held_bodies(mut bodies: ResMut<Bodies>) {
    let bodies = &mut *bodies;
    bodies.takes_fields = false;
    bodies.for_each_run(|_, mut run| {
        for i in 0..run.len() {
            if !run.is_dynamic(i) {
                run.acceleration[i] = DVec3::ZERO;
                run.angular_acceleration[i] = Vec3::ZERO;
            }
            run.hold_rotation(i);
        }
    });
    bodies.place_parts();
}

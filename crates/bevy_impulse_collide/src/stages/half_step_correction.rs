//! Stage 2: brings v(t) up to date with the fields at the place where the bodies have come to.

use bevy::prelude::*;
use glam::DVec3;

use crate::{
    body::{Bodies, Columns},
    config::CollisionConfig,
    field::SelfGravity,
};

/// Stage 2: v(t) = v(t) + (a(t) − a(t−h))·h/2, and the first half of the drag.
///
/// The last substep has ended with a half kick by the fields at its start, a(t−h): those at its end were not known. Now they are.
/// With the correction, the half kick is a(t)·h/2, and the step is the velocity Verlet method, symmetric in time and of second
/// order. Only what the motion itself has made of the fields counts: a field that a user has switched acts from t on.
pub fn half_step_correction(
    mut bodies: ResMut<Bodies>,
    config: Res<CollisionConfig>,
    self_gravity: Option<Res<SelfGravity>>,
) {
    if !config.stages.half_step_correction {
        return;
    }
    let half = 0.5 * bodies.h;
    // The pull of bodies that a user has taken away, or put elsewhere, ends at t.
    let are_switched = self_gravity.is_some() && std::mem::take(&mut bodies.are_others);
    bodies.for_each_run(|_, mut run| {
        for i in 0..run.len() {
            if !run.responds(i) {
                continue;
            }
            // A new body has had no half kick yet.
            if !run.is_fresh(i) && !are_switched {
                let change = run.acceleration[i] - run.field_before[i].as_dvec3();
                if change != DVec3::ZERO {
                    run.velocity[i] += change * f64::from(half);
                }
                let change = run.angular_acceleration[i] - run.angular_field_before[i];
                run.add_spin(i, change * half);
            }
            damp(&mut run, i, half);
        }
    });
    bodies.place_parts();
}

/// Drag over `s` seconds: v·e^(−d·s).
///
/// Half of a substep's drag acts on v(t), before the fields' half kick, and half on v(t+h), after it. So the step is symmetric in
/// time, and the velocity at its end is that of the end.
#[inline]
pub(crate) fn damp(run: &mut Columns, i: usize, s: f32) {
    let decay = |d: f32| libm::expf(-d * s);
    if run.linear_damping[i] > 0.0 {
        let v = run.velocity[i] * f64::from(decay(run.linear_damping[i]));
        run.velocity[i] = v;
    }
    if run.angular_damping[i] > 0.0 {
        run.angular_velocity[i] *= f64::from(decay(run.angular_damping[i]));
    }
}

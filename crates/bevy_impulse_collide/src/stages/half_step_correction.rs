use bevy::prelude::*;

use crate::{
    body::{Bodies, Columns},
    config::CollisionConfig,
};

/// Stage 2: v(t) = v(t−h/2) + a·h/2, so that an impact sees the velocity at its own time.
///
/// The acceleration is the fields', plus the contacts' of the last substep, which is the best known. Without the contacts, a ball
/// that rolls on a table would meet the next ball while it falls through the cloth.
pub fn half_step_correction(mut bodies: ResMut<Bodies>, config: Res<CollisionConfig>) {
    if !config.stages.half_step_correction {
        return;
    }
    let half = 0.5 * bodies.h;
    bodies.for_each_run(|_, mut run| {
        for i in 0..run.len() {
            if run.asleep[i] {
                continue;
            }
            let a = run.acceleration[i];
            let contact = run.contact_acceleration[i].as_dvec3();
            let angular = run.angular_acceleration[i];
            let contact_angular = run.contact_angular_acceleration[i];
            // A new body starts with v(t).
            let is_new = run.steps[i] == 0;
            if run.linear_damping[i] > 0.0 || run.angular_damping[i] > 0.0 {
                if !is_new {
                    run.add_velocity(i, a * f64::from(half));
                    run.angular_velocity[i] += angular * half;
                }
                damp(&mut run, i, if is_new { half } else { 2.0 * half });
                if !is_new {
                    run.add_velocity(i, contact * f64::from(half));
                    run.angular_velocity[i] += contact_angular * half;
                }
            } else if !is_new {
                run.add_velocity(i, (a + contact) * f64::from(half));
                run.angular_velocity[i] += (angular + contact_angular) * half;
            }
        }
    });
}

/// Drag over `s` seconds, between the two half kicks of the fields: v·e^(−d·s).
fn damp(run: &mut Columns, i: usize, s: f32) {
    let decay = |d: f32| libm::expf(-d * s);
    let v = run.precise_velocity(i) * f64::from(decay(run.linear_damping[i]));
    run.set_velocity(i, v);
    run.angular_velocity[i] *= decay(run.angular_damping[i]);
}

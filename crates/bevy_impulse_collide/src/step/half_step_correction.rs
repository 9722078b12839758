use bevy::prelude::*;

use crate::{bodies::Bodies, config::CollisionConfig};

/// Stage 2: v(t) = v(t−h/2) + a·h/2, so that an impact sees the velocity at its own time.
///
/// The acceleration is the fields' and, as best known, the contacts': that of the last substep. Without the latter a ball
/// that rolls on a table would meet the next ball while falling through the cloth.
pub fn half_step_correction(mut bodies: ResMut<Bodies>, config: Res<CollisionConfig>) {
    if !config.stages.half_step_correction {
        return;
    }
    let half = 0.5 * bodies.h;
    bodies.for_each_run(|_, mut run| {
        for i in 0..run.len() {
            // A new body comes with v(t).
            if run.steps[i] == 0 {
                continue;
            }
            let a = run.acceleration[i] + run.contact_acceleration[i].as_dvec3();
            run.add_velocity(i, a * f64::from(half));
            let angular = run.angular_acceleration[i] + run.contact_angular_acceleration[i];
            run.angular_velocity[i] += angular * half;
        }
    });
}

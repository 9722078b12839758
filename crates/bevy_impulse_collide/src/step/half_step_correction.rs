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
    let bodies = &mut *bodies;
    let half = 0.5 * bodies.h;
    for i in 0..bodies.len() {
        // A new body comes with v(t).
        if bodies.steps[i] == 0 {
            continue;
        }
        let a = bodies.acceleration[i] + bodies.contact_acceleration[i].as_dvec3();
        bodies.add_velocity(i, a * f64::from(half));
        let angular = bodies.angular_acceleration[i] + bodies.contact_angular_acceleration[i];
        bodies.angular_velocity[i] += angular * half;
    }
}

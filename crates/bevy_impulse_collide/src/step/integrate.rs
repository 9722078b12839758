use bevy::prelude::*;

use crate::{
    bodies::{Bodies, Shape},
    config::CollisionConfig,
    kernel::free_rotation,
};

/// Stage 5: x(t+h) = x(t) + h·v(t+h/2) from where the last impact put the launch, and the free rotation over h.
pub fn integrate(mut bodies: ResMut<Bodies>, config: Res<CollisionConfig>) {
    let bodies = &mut *bodies;
    let h = bodies.h;
    for i in 0..bodies.len() {
        if config.stages.integrate && bodies.is_free(i) {
            let travelled = bodies.precise_velocity(i) * f64::from(h);
            bodies.set_position(i, bodies.launch_position[i].as_dvec3() + travelled);
            let (rotation, w) = free_rotation(
                bodies.launch_rotation[i],
                bodies.angular_velocity[i],
                bodies.inverse_inertia[i],
                h,
            );
            bodies.rotation[i] = rotation;
            bodies.angular_velocity[i] = w;
            if let Shape::Capsule { .. } = bodies.shape[i] {
                bodies.axis[i] = rotation * Vec3::Y;
            }
        }
        bodies.launch_position[i] = bodies.position[i];
        bodies.launch_rotation[i] = bodies.rotation[i];
        bodies.steps[i] = bodies.steps[i].saturating_add(1);
    }
    bodies.time += h;
}

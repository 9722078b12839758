//! How a method takes the place of the stages.

use bevy::{ecs::system::ScheduleSystem, prelude::*};
use bevy_impulse_collide::prelude::*;

/// Switches all six stages and sleep off, and lets `step` make each substep.
///
/// `step` finds the pairs of this substep in [`BroadPhase`](bevy_impulse_collide::collision::BroadPhase). With the stage of gravity
/// off, accelerations are zero, and no stage changes a velocity or a position but for the half kicks: the substep ends with
/// v + a·h/2, and the next one begins with v − a·h/2, where a is the acceleration by contacts. A method that keeps v(t−h/2) sets
/// it, another one leaves zeros.
pub fn replace_step<M>(app: &mut App, step: impl IntoScheduleConfigs<ScheduleSystem, M>) {
    let mut config = app.world_mut().get_resource_or_init::<CollisionConfig>();
    config.sleep_speed = 0.0;
    config.stages = Stages {
        gravity: false,
        half_step_correction: false,
        impulse_jolt: false,
        contact: false,
        integrate: false,
        projection: false,
    };
    app.add_systems(
        ImpulseStep,
        step.after(StepSystems::Contact)
            .before(StepSystems::Integrate),
    );
}

/// v = v + g·s for all dynamic bodies.
pub fn kick(bodies: &mut Bodies, gravity: Vec3, s: f32) {
    bodies.for_each(|mut body| {
        if body.is_dynamic() {
            body.add_velocity(gravity * body.gravity_scale() * s);
        }
    });
}

/// x = x + v·s, and the rotation turns by |ω|·s about ω.
pub fn drift(bodies: &mut Bodies, s: f32) {
    bodies.for_each(|mut body| {
        if !body.is_static() {
            let turn = Quat::from_scaled_axis(body.angular_velocity() * s);
            body.set_position(body.position() + body.velocity() * s);
            body.set_rotation((turn * body.rotation()).normalize());
        }
    });
}

use bevy::prelude::*;

use crate::{
    body::Bodies,
    collision::BroadPhase,
    config::CollisionConfig,
    solver::impact::{Impacts, resolve_impacts},
};

/// Stage 3: the impacts inside this substep, soonest first, each at its own place on the bodies' parabolas
/// x(s) = x + v·s + a·s²/2. Impacts at the same moment are resolved together, by generalised reflections; after each, only
/// the flights of its bodies are predicted anew. Then the second half kick takes v(t) to v(t+h/2); that is given even with
/// the stage off, or gravity would be halved.
///
/// An impact changes v by Δv and back-dates the launch by −Δv·s, so that integrating over the whole substep lands where
/// the flight after the impact does. Approaches too slow to be impacts are left to the contact stage, and so is whatever
/// is left when the impacts allowed are used up.
pub fn impulse_jolt(
    mut bodies: ResMut<Bodies>,
    config: Res<CollisionConfig>,
    mut broad_phase: ResMut<BroadPhase>,
    mut impacts: ResMut<Impacts>,
) {
    let bodies = &mut *bodies;
    impacts.begin();
    if config.stages.impulse_jolt {
        resolve_impacts(bodies, &config, &mut broad_phase, &mut impacts);
    }
    let h = bodies.h;
    let is_corrected = config.stages.half_step_correction;
    bodies.for_each_run(|_, mut run| {
        for i in 0..run.len() {
            let kick = if is_corrected { 0.5 * h } else { h };
            // The contacts' half kick, which a new body has not had, served the flights only: the contact stage gives it in full.
            let unkick = if is_corrected && run.steps[i] > 0 {
                0.5 * h
            } else {
                0.0
            };
            let dv = run.acceleration[i] * f64::from(kick)
                - run.contact_acceleration[i].as_dvec3() * f64::from(unkick);
            let dw =
                run.angular_acceleration[i] * kick - run.contact_angular_acceleration[i] * unkick;
            run.add_velocity(i, dv);
            // The change was meant for the rotation at t. For a capsule that an impact has re-launched from another one, its
            // angular momentum is what must come over.
            let inertia = run.inverse_inertia[i];
            let momentum = inertia.inverse_mul(run.axis[i], dw);
            let launch_axis = run.launch_axis(i);
            run.angular_velocity[i] += inertia.mul(launch_axis, momentum);
        }
    });
}

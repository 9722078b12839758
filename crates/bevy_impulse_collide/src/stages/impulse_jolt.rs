//! Stage 3: impacts, each at its own time, and the first half kick.

use bevy::prelude::*;

use crate::{
    body::{Bodies, Columns},
    collision::BroadPhase,
    config::CollisionConfig,
    field::Gravity,
    solver::{
        Constraints,
        impact::{Impacts, resolve_impacts},
    },
};

/// Growth of the energy of a kick, as a factor, up to which it keeps its angular momentum when the body turns.
const GROWTH: f32 = 4.0;

/// Stage 3: the impacts inside this substep, soonest first, each at its own place on the bodies' parabolas x(s) = x + v·s + a·s²/2.
/// Impacts at the same moment are resolved together, by generalised reflections. After each set, only the impacts of its bodies are
/// predicted anew. Then [`first_half_kick`] takes v(t) to v(t+h/2).
///
/// An impact changes v by Δv and shifts the start of the flight by −Δv·s, so that the integration over the whole substep ends at the end of
/// the flight after the impact. Approaches too slow to be impacts are left to the contact stage. Of the impacts above the allowed
/// numbers, the contact stage stops the slow ones. A fast body stays where such an impact would happen, and goes on in the next
/// substep.
pub fn impulse_jolt(
    mut bodies: ResMut<Bodies>,
    config: Res<CollisionConfig>,
    gravity: Res<Gravity>,
    mut broad_phase: ResMut<BroadPhase>,
    mut impacts: ResMut<Impacts>,
    mut constraints: ResMut<Constraints>,
) {
    let bodies = &mut *bodies;
    impacts.begin(bodies.len());
    if config.stages.impulse_jolt {
        let gravity = if config.stages.gravity {
            gravity.0
        } else {
            Vec3::ZERO
        };
        let joints = constraints.get_mut();
        resolve_impacts(
            bodies,
            &config,
            &mut broad_phase,
            &mut impacts,
            joints,
            gravity,
        );
    }
}

/// The end of stage 3: v(t+h/2) = v(t) + a·h/2. The kick is given even if the stage is off; otherwise gravity would be halved. By
/// now the sleeping bodies that an impact has hit are awake.
pub fn first_half_kick(mut bodies: ResMut<Bodies>) {
    let h = bodies.h;
    bodies.for_each_run(|_, mut run| {
        for i in 0..run.len() {
            if run.is_asleep(i) {
                continue;
            }
            let (dv, dw) = run.first_half_kick(i, h);
            run.velocity[i] += dv;
            let turned = half_turn(&run, i, dw);
            run.add_spin(i, turned);
        }
    });
    bodies.place_parts();
}

/// The change of the spin by the half kick `dw`, which belongs to the rotation at t. If an impact has given a body a flight from
/// another rotation, the angular momentum of the change must be the same.
///
/// A thin body may have turned so that this momentum lies along its axis, where it would be a great spin. No contact gives that much
/// there. So a kick whose energy would grow by more than [`GROWTH`], and above that of the body, turns with the body instead: it keeps
/// its energy, and not its angular momentum.
fn half_turn(run: &Columns, i: usize, dw: Vec3) -> Vec3 {
    let (inertia, before, after) = (
        run.inverse_inertia[i],
        run.rotation[i],
        run.flight_rotation[i],
    );
    let momentum = inertia.inverse_mul(before, dw);
    let turned = inertia.mul(after, momentum);
    let own = || {
        let w = run.angular_velocity[i].as_vec3();
        w.dot(inertia.inverse_mul(after, w))
    };
    let energy = momentum.dot(turned);
    match energy > GROWTH * momentum.dot(dw) && energy > own() {
        true => after * (before.inverse() * dw),
        false => turned,
    }
}

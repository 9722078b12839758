//! Stage 6: the remaining overlap, and the second half kick.

use bevy::prelude::*;

use crate::{
    body::Bodies,
    collision::BroadPhase,
    config::CollisionConfig,
    solver::{
        contact::{Constraints, ContactSolver},
        partition::Partition,
        position::Projector,
    },
    stages::half_step_correction::damp,
};

/// Stage 6: overlap that is left is pushed out with factor k_p, pair by pair. Velocities change only to conserve the pair's angular
/// momentum, which the push alone would raise if the pair turns.
///
/// [`Constraints`] of other kinds are corrected likewise. The stage works on the pairs that overlap when it begins. New overlaps by their pushes wait for the next substep.
pub fn projection(
    mut bodies: ResMut<Bodies>,
    config: Res<CollisionConfig>,
    broad_phase: Res<BroadPhase>,
    mut partition: ResMut<Partition>,
    solver: Res<ContactSolver>,
    mut constraints: ResMut<Constraints>,
    mut projector: Local<Projector>,
) {
    if !config.stages.projection || config.projection_iterations == 0 {
        return;
    }
    projector.push_apart(
        &mut bodies,
        &config,
        &broad_phase,
        &mut partition,
        &solver.graph,
        &mut constraints,
    );
}

/// The end of a substep: v(t+h) = v(t+h/2) + a·h/2, with the fields and the contacts of this substep, and the second half of the
/// drag. The fields at t+h are not known yet: stage 2 of the next substep corrects the kick.
///
/// [`Constraints`] that act on both halves of the step, as joints do, give their second half.
pub fn second_half_kick(
    mut bodies: ResMut<Bodies>,
    config: Res<CollisionConfig>,
    mut constraints: ResMut<Constraints>,
) {
    let half = 0.5 * bodies.h;
    let has_drag = config.stages.half_step_correction;
    bodies.for_each_run(|_, mut run| {
        for i in 0..run.len() {
            if !run.responds(i) {
                continue;
            }
            let a = run.acceleration[i].as_vec3() + run.contact_acceleration[i];
            let turning = run.angular_acceleration[i] + run.contact_angular_acceleration[i];
            run.velocity[i] += (a * half).as_dvec3();
            run.add_spin(i, turning * half);
            if has_drag {
                damp(&mut run, i, half);
            }
            run.hold_rotation(i);
        }
    });
    if config.stages.contact && !constraints.is_empty() {
        constraints.give_second_half(&mut bodies);
    }
    bodies.place_parts();
}

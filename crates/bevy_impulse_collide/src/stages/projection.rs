use bevy::prelude::*;

use crate::{
    body::Bodies,
    collision::BroadPhase,
    config::CollisionConfig,
    solver::{contact::ContactSolver, partition::Partition, position::Projector},
};

/// Stage 6: overlap that is left is pushed out with factor k_p, pair by pair. Velocities change only to conserve the pair's angular
/// momentum, which the push alone would raise if the pair turns.
///
/// The stage works on the pairs that overlap when it begins. New overlaps by their pushes wait for the next substep.
pub fn projection(
    mut bodies: ResMut<Bodies>,
    config: Res<CollisionConfig>,
    broad_phase: Res<BroadPhase>,
    mut partition: ResMut<Partition>,
    solver: Res<ContactSolver>,
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
    );
}

use bevy::prelude::*;

use crate::solver::{impact::Impacts, partition::Partition};
use crate::{
    body::Bodies,
    collision::BroadPhase,
    config::CollisionConfig,
    solver::{
        contact::{ContactSolver, Contacts},
        report::SolverReport,
    },
};

/// Stage 4: resting and rolling contacts. Each contact point holds the velocity along its normal at or above the speed at which
/// its gap may close, with an impulse that only pushes. Coulomb friction holds the contact point; rolling and spinning friction
/// hold the turning. The impulses are clamped as accumulated, and start from those of the last substep.
pub fn contact(
    mut bodies: ResMut<Bodies>,
    config: Res<CollisionConfig>,
    broad_phase: Res<BroadPhase>,
    impacts: Res<Impacts>,
    mut partition: ResMut<Partition>,
    mut solver: ResMut<ContactSolver>,
    mut contacts: ResMut<Contacts>,
    mut report: ResMut<SolverReport>,
) {
    solver.run(
        &mut bodies,
        &config,
        &broad_phase,
        &impacts,
        &mut partition,
        &mut contacts,
        &mut report,
    );
}

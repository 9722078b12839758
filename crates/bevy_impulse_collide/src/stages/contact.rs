//! Stage 4: resting and rolling contacts.

use bevy::prelude::*;

use crate::{
    body::Bodies,
    collision::BroadPhase,
    config::CollisionConfig,
    solver::{
        contact::{Constraints, ContactSolver, Contacts},
        impact::Impacts,
        partition::Partition,
        report::SolverReport,
    },
};

/// Stage 4: resting and rolling contacts. Each contact point keeps its closing speed at or below the speed at which its gap may
/// close, with an impulse that only pushes. Coulomb friction opposes the sliding; rolling and spinning friction oppose the relative
/// rotation. The accumulated impulses are clamped, and start from the last substep's impulses. [`Constraints`] of other kinds are
/// solved together with them.
pub fn contact(
    mut bodies: ResMut<Bodies>,
    config: Res<CollisionConfig>,
    broad_phase: Res<BroadPhase>,
    impacts: Res<Impacts>,
    mut partition: ResMut<Partition>,
    mut constraints: ResMut<Constraints>,
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
        &mut constraints,
        &mut contacts,
        &mut report,
    );
}

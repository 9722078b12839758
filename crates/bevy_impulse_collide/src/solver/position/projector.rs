//! The projection: finds the overlaps of each cell of the partition, and pushes the pairs apart.

use super::{
    balls::{BallState, PushParams},
    cell::PositionCell,
    energy_limit::PushEnergyLimit,
    position_change::PositionChange,
    rotation_change::RotationChange,
    row_errors::RowError,
    static_planes::{PoseBefore, StaticPlanes},
};
use crate::{
    body::{Bodies, PerBody, is_gone},
    collision::BroadPhase,
    config::CollisionConfig,
    parallel::for_each,
    solver::{
        contact::{Constraints, ContactGraph, PositionError},
        partition::{Cells, Partition},
    },
};

/// Bodies that one task works on.
const BODIES_PER_TASK: usize = 1024;

/// The projection stage's memory, kept between calls.
#[derive(Default)]
pub struct Projector {
    cells: Cells<PositionCell>,
    ball_states: PerBody<BallState>,
    position_changes: Vec<PositionChange>,
    rotation_changes: Vec<RotationChange>,
    /// Of constraints other than contacts.
    position_errors: Vec<PositionError>,
    row_errors: Vec<RowError>,
    energy_limit: PushEnergyLimit,
}

impl Projector {
    /// Pushes apart the pairs that overlap when the stage begins, in the number of sweeps that `config` sets.
    pub(crate) fn push_apart(
        &mut self,
        bodies: &mut Bodies,
        config: &CollisionConfig,
        broad_phase: &BroadPhase,
        partition: &mut Partition,
        graph: &ContactGraph,
        constraints: &mut Constraints,
    ) {
        let Projector {
            cells,
            ball_states,
            position_changes,
            rotation_changes,
            position_errors,
            row_errors,
            energy_limit,
        } = self;
        partition.update(bodies, broad_phase);
        let layout = &partition.layout;
        find_overlaps(
            cells,
            ball_states,
            bodies,
            config,
            broad_phase,
            partition,
            graph,
        );
        position_errors.clear();
        // Without the contact stage, constraints do not know the bodies of this substep.
        if config.stages.contact {
            constraints.position_errors(bodies, position_errors);
        }
        let errors = position_errors.iter();
        row_errors.clear();
        row_errors.extend(errors.filter_map(|error| RowError::new(bodies, layout, error)));
        if cells.iter().all(PositionCell::is_empty) && row_errors.is_empty() {
            return;
        }
        layout.fill(position_changes, PositionChange::NOBODY, |i| {
            PositionChange::of(bodies, i)
        });
        let turns = cells.iter().any(PositionCell::turns) || !row_errors.is_empty();
        if turns {
            layout.fill(rotation_changes, RotationChange::NOBODY, |i| {
                RotationChange::of(bodies, i)
            });
        }
        for error in row_errors.iter() {
            error.start(config, position_changes, rotation_changes);
        }
        let params = PushParams::new(config, bodies.h);
        for _ in 0..config.projection_iterations {
            if turns {
                let none: &mut [()] = &mut [];
                layout.for_each_cell_of_all(
                    cells,
                    (&mut position_changes[..], &mut rotation_changes[..], none),
                    |cell, first, position_changes, rotation_changes, _| {
                        cell.push_balls_apart(&params, position_changes);
                        cell.push_others_apart(
                            bodies,
                            config,
                            layout,
                            first,
                            position_changes,
                            rotation_changes,
                        );
                    },
                );
            } else {
                layout.for_each_cell(cells, position_changes, |cell, _, position_changes| {
                    cell.push_balls_apart(&params, position_changes);
                });
            }
            for error in row_errors.iter() {
                error.correct(config, bodies.h, position_changes, rotation_changes);
            }
            if !cells.iter().any(|cell| cell.moved) && row_errors.is_empty() {
                break;
            }
        }
        // Between balls, pushes along the line of centres only take energy.
        let may_create_energy = turns && (bodies.have_capsules || !row_errors.is_empty());
        if may_create_energy {
            energy_limit.note(bodies, |i| {
                position_changes[layout.solver_index(i)].has_moved()
            });
        }
        let planes = StaticPlanes::of(bodies);
        bodies.for_each_run(|first, mut run| {
            for i in 0..run.len() {
                let solver_index = layout.solver_index(first + i);
                let moves = run.responds(i) && !run.is_part(i);
                if moves && position_changes[solver_index].has_moved() {
                    let before = PoseBefore::of(&run, i);
                    position_changes[solver_index].write(&mut run, i);
                    if turns {
                        rotation_changes[solver_index].write(&mut run, i);
                    }
                    planes.stop(&mut run, i, &before);
                }
            }
        });
        planes.place_parts(bodies);
        if may_create_energy {
            energy_limit.apply(bodies, broad_phase, position_errors);
        }
        bodies.place_parts();
    }
}

/// Finds the overlaps of each cell.
fn find_overlaps(
    cells: &mut Cells<PositionCell>,
    ball_states: &mut PerBody<BallState>,
    bodies: &Bodies,
    config: &CollisionConfig,
    broad_phase: &BroadPhase,
    partition: &Partition,
    graph: &ContactGraph,
) {
    let layout = &partition.layout;
    ball_states.update(bodies, BODIES_PER_TASK, BallState::NONE, |i| {
        BallState::of(bodies, i)
    });
    cells.resize(layout);
    let params = PushParams::new(config, bodies.h);
    let own = partition.pairs.iter();
    for_each(cells.iter_mut().zip(own).enumerate(), |(k, (cell, own))| {
        cell.clear();
        let other_pairs = match graph.pairs_of_cell(broad_phase, k) {
            Some((balls, others)) => {
                cell.find_balls(&params, ball_states, balls);
                others
            }
            None => own,
        };
        let first = layout.range(k).start;
        let other_pairs = other_pairs.iter();
        let other_pairs = other_pairs.map(|&pair| broad_phase.pairs[pair as usize]);
        for pair in other_pairs.filter(|&pair| !is_gone(pair)) {
            cell.find_other(bodies, config, layout, first, pair);
        }
    });
}

//! Sequential impulses: contact by contact, over and over.

use super::{
    heavy::HeavyGroups,
    method::{ContactProblem, ContactSolve},
    rows::{RowSums, RowVelocities},
};

/// Number of sweeps over a cell in a row. The contacts of a hundred thousand bodies fit in no cache near the processor, but the
/// contacts of a cell do. With more sweeps in a row, impulses would spread too late from cell to cell. The last sweeps over each
/// cell have no over-relaxation.
const SWEEPS_IN_A_ROW: u32 = 2;

/// Most times that the contacts of unsettled bodies are swept once more. A contact sees the mass of one body alone, so it moves a body
/// that joints hold to others by a share of what it should.
const MOST_ROUNDS: u32 = 40;

/// Projected successive over-relaxation: each contact in turn gets the impulse that satisfies it alone. Accumulated impulses are
/// clamped.
///
/// Over-relaxation carries a load through a heap in fewer sweeps, but each contact overshoots, and its surfaces then separate. So
/// the last sweeps have no over-relaxation.
#[derive(Debug, Default)]
pub(super) struct Sweeps {
    heavy: HeavyGroups,
    /// Buffer: the solver bodies whose contacts are swept once more.
    unsettled: Vec<usize>,
}

impl ContactSolve for Sweeps {
    fn solve(&mut self, problem: &mut ContactProblem) -> u32 {
        let Self { heavy, unsettled } = self;
        heavy.solve(problem);
        let ContactProblem {
            graph,
            constraints,
            bodies,
            config,
            layout,
        } = problem;
        graph.begin_sums(bodies);
        let (velocities, growth_speeds) = (&mut graph.velocities[..], &mut graph.growth_speeds[..]);
        let (sums, given) = (&mut graph.sums[..], &mut graph.given);
        let none: &mut [()] = &mut [];
        layout.for_each_cell_of_all(
            &mut graph.cells,
            (&mut *velocities, &mut *growth_speeds, none),
            |cell, _, velocities, growth_speeds, _| {
                cell.warm_start(&mut RowVelocities {
                    velocities,
                    growth_speeds,
                });
            },
        );
        let mut all = RowVelocities {
            velocities,
            growth_speeds,
        };
        constraints.warm_start(&mut all);
        let (touches, poses) = (&graph.touches, &graph.poses);
        let mut left = config.contact_iterations;
        let mut rounds = 0;
        loop {
            let in_a_row = left.min(SWEEPS_IN_A_ROW);
            if left == in_a_row && rounds < MOST_ROUNDS {
                constraints.list_unsettled(unsettled);
                if !unsettled.is_empty() {
                    rounds += 1;
                    let is_unsettled = |first: usize, count: usize| {
                        let from = unsettled.partition_point(|&slot| slot < first);
                        (unsettled.get(from)).is_some_and(|&slot| slot < first + count)
                    };
                    let none: &mut [()] = &mut [];
                    layout.for_each_cell_of_all(
                        &mut graph.cells,
                        (&mut *all.velocities, &mut *all.growth_speeds, none),
                        |cell, first, velocities, growth_speeds, _| {
                            if is_unsettled(first, velocities.len()) {
                                let mut velocities = RowVelocities {
                                    velocities,
                                    growth_speeds,
                                };
                                for _ in 0..SWEEPS_IN_A_ROW {
                                    cell.solve(config.contact_relaxation, &mut velocities);
                                }
                            }
                        },
                    );
                    constraints.respond(config.contact_relaxation, &mut all);
                    continue;
                }
            }
            left -= in_a_row;
            let is_last = left == 0;
            let relaxation = if is_last {
                1.0
            } else {
                config.contact_relaxation
            };
            layout.for_each_cell_of_all(
                &mut graph.cells,
                (&mut *all.velocities, &mut *all.growth_speeds, &mut *sums),
                |cell, _, velocities, growth_speeds, sums| {
                    let mut velocities = RowVelocities {
                        velocities,
                        growth_speeds,
                    };
                    for _ in 0..in_a_row {
                        cell.solve(relaxation, &mut velocities);
                    }
                    // Now the contacts are in the cache.
                    if is_last {
                        cell.accumulate(&mut RowSums {
                            poses,
                            sums,
                            touches,
                            given: &mut Vec::new(),
                        });
                    }
                },
            );
            if left > SWEEPS_IN_A_ROW {
                constraints.respond(relaxation, &mut all);
            } else {
                constraints.solve(relaxation, &mut all);
            }
            if is_last {
                constraints.accumulate(&mut RowSums {
                    poses,
                    sums,
                    touches,
                    given,
                });
                return config.contact_iterations;
            }
        }
    }
}

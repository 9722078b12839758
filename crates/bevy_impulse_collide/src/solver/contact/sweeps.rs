//! Sequential impulses: contact by contact, over and over.

use super::{
    heavy::HeavyGroups,
    method::{ContactProblem, ContactSolve},
};

/// Number of sweeps over a cell in a row. The contacts of a hundred thousand bodies fit in no cache near the processor, but the
/// contacts of a cell do. With more sweeps in a row, impulses would spread too late from cell to cell. The last sweeps over each
/// cell have no over-relaxation.
const SWEEPS_IN_A_ROW: u32 = 2;

/// Projected successive over-relaxation: each contact in turn gets the impulse that satisfies it alone. Accumulated impulses are
/// clamped.
///
/// Over-relaxation carries a load through a heap in fewer sweeps, but each contact overshoots, and its surfaces then separate. So
/// the last sweeps have no over-relaxation.
#[derive(Debug, Default)]
pub(super) struct Sweeps {
    heavy: HeavyGroups,
}

impl ContactSolve for Sweeps {
    fn solve(&mut self, problem: &mut ContactProblem) -> u32 {
        self.heavy.solve(problem);
        let ContactProblem {
            graph,
            config,
            layout,
            ..
        } = problem;
        graph.begin_sums();
        let bodies = (
            &mut graph.velocities[..],
            &mut graph.growth_speeds[..],
            &mut graph.sums[..],
        );
        let reborrow = (&mut *bodies.0, &mut *bodies.1, &mut *bodies.2);
        layout.for_each_cell_of_all(
            &mut graph.cells,
            reborrow,
            |cell, _, velocities, growth_speeds, _| cell.warm_start(velocities, growth_speeds),
        );
        let (touches, poses) = (&graph.touches, &graph.poses);
        let mut left = config.contact_iterations;
        loop {
            let in_a_row = left.min(SWEEPS_IN_A_ROW);
            left -= in_a_row;
            let is_last = left == 0;
            let relaxation = if is_last {
                1.0
            } else {
                config.contact_relaxation
            };
            let reborrow = (&mut *bodies.0, &mut *bodies.1, &mut *bodies.2);
            layout.for_each_cell_of_all(
                &mut graph.cells,
                reborrow,
                |cell, _, velocities, growth_speeds, sums| {
                    for _ in 0..in_a_row {
                        cell.solve(relaxation, velocities, growth_speeds);
                    }
                    // Now the contacts are in the cache.
                    if is_last {
                        cell.accumulate(poses, sums, touches);
                    }
                },
            );
            if is_last {
                return config.contact_iterations;
            }
        }
    }
}

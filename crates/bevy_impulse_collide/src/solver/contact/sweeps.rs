//! Sequential impulses: contact by contact, over and over.

use super::method::{ContactProblem, ContactSolve};

/// Sweeps over a cell at a time. The contacts of a hundred thousand bodies fit in no cache near the processor, those of a cell
/// do. With more in a row, cells would know too late of each other. The last ones over each cell are plain.
const SWEEPS_IN_A_ROW: u32 = 2;

/// Projected successive over-relaxation: each contact in turn gets the impulse that satisfies it alone, clamped as accumulated.
///
/// Over-relaxation carries a load through a heap in fewer sweeps, but leaves every contact with the approach that it has
/// overshot by, as a separation. So the last sweeps have none.
#[derive(Debug, Default)]
pub(super) struct Sweeps;

impl ContactSolve for Sweeps {
    fn solve(&mut self, problem: &mut ContactProblem) -> u32 {
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

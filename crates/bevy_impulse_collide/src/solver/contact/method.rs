//! The seam between the contact stage and the ways to find the impulses.

use super::graph::ContactGraph;
use crate::{body::Bodies, config::CollisionConfig, solver::partition::CellLayout};

/// A way to find the impulses of all contacts.
pub(super) trait ContactSolve {
    /// Finds the impulses, from those that the contacts start with, and sums them for each body. Returns the number of
    /// iterations.
    fn solve(&mut self, problem: &mut ContactProblem) -> u32;
}

/// All contacts of a substep, prepared.
pub(super) struct ContactProblem<'a> {
    pub graph: &'a mut ContactGraph,
    pub bodies: &'a Bodies,
    pub config: &'a CollisionConfig,
    pub layout: &'a CellLayout,
}

//! The interface between the contact stage and the contact solvers.

use super::{constraints::Constraints, graph::ContactGraph};
use crate::{body::Bodies, config::CollisionConfig, solver::partition::CellLayout};

/// A contact solver: it finds the impulses of all contacts.
pub(super) trait ContactSolve {
    /// Finds the impulses, starting from the contacts' present impulses, and sums them for each body. Returns the number of
    /// iterations.
    fn solve(&mut self, problem: &mut ContactProblem) -> u32;
}

/// All contacts of a substep, prepared.
pub(super) struct ContactProblem<'a> {
    pub graph: &'a mut ContactGraph,
    /// The kinds of constraints from outside.
    pub constraints: &'a mut Constraints,
    pub bodies: &'a Bodies,
    pub config: &'a CollisionConfig,
    pub layout: &'a CellLayout,
}

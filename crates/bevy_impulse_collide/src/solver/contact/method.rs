//! The seam between the contact stage and the ways to find the impulses.

use super::graph::ContactGraph;
use crate::{
    body::Bodies,
    config::{CollisionConfig, ContactMethod},
    solver::partition::CellLayout,
};

use super::{global::GlobalContacts, sweeps::Sweeps};

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

/// The ways that there are, with what they keep between substeps.
#[derive(Debug, Default)]
pub(super) struct Methods {
    sweeps: Sweeps,
    global: GlobalContacts,
}

impl Methods {
    /// The way that the configuration asks for.
    pub fn get(&mut self, method: ContactMethod) -> &mut dyn ContactSolve {
        match method {
            ContactMethod::Sweeps => &mut self.sweeps,
            ContactMethod::Global(_) => &mut self.global,
        }
    }
}

//! The contact solvers that there are. A new one is a file, and a line here.

use super::{global::GlobalContacts, method::ContactSolve, sweeps::Sweeps};
use crate::config::ContactMethod;

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

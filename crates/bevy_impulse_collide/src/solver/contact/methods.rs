//! All contact solvers. A new one needs a file, and a line here.

use super::{global::GlobalContacts, method::ContactSolve, sweeps::Sweeps};
use crate::config::ContactMethod;

/// All contact solvers, with the state that they keep between substeps.
#[derive(Debug, Default)]
pub(super) struct Methods {
    sweeps: Sweeps,
    global: GlobalContacts,
}

impl Methods {
    /// The contact solver that the configuration selects.
    pub fn get(&mut self, method: ContactMethod) -> &mut dyn ContactSolve {
        match method {
            ContactMethod::Sweeps => &mut self.sweeps,
            ContactMethod::Global(_) => &mut self.global,
        }
    }
}

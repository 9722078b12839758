//! Stage 4. The system is defined beside the contact solver.

pub use crate::solver::contact::contact;

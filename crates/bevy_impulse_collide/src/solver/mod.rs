//! Impacts, contacts and overlaps of bodies.
//!
//! - [`Partition`]: the scene cut into cells, so that threads work at once
//! - [`Impacts`]: the impacts inside a substep (`impact`)
//! - [`Contacts`], [`ContactSolver`]: resting and rolling contacts (`contact`)
//! - [`Rows`], [`Constraints`]: kinds of constraints, also of your own
//! - `joint`: joints, the kind of constraint that is solved without iterations
//! - `islands`: sleep
//! - `position`: overlap that is left
//! - [`SimdLimit`]: the vector instructions that a step may use

pub(crate) mod contact;
mod disjoint_sets;
mod energy_growth;
pub(crate) mod impact;
pub(crate) mod islands;
pub(crate) mod joint;
pub(crate) mod partition;
pub(crate) mod position;
pub(crate) mod report;
mod simd;
mod simd_limit;

pub use contact::{
    Constraints, Contact, ContactSolver, Contacts, HalfImpulse, PositionError, RowBody, RowInput,
    RowSums, RowVelocities, Rows, Wrench,
};
pub use impact::Impacts;
pub use partition::Partition;
pub use report::SolverReport;
pub use simd_limit::SimdLimit;

//! The impacts inside a substep.
//!
//! Impacts are predicted and put into a queue (`predicted`, `resolve`). Those of one moment are a set and are resolved together
//! (`impact_set`), also where an impact presses a ball on the plane that it lies on (`support`).

mod impact_set;
mod impacts;
mod predicted;
mod resolve;
mod support;

pub use impacts::Impacts;
pub(crate) use resolve::resolve_impacts;

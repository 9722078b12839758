//! The impacts inside a substep.
//!
//! Impacts are predicted and put into a queue (`predicted`, `resolve`). Impacts of one moment are a set and are resolved together
//! (`impact_set`), also if an impact presses a ball on the plane under it (`support`).

mod impact_set;
mod impacts;
mod predicted;
mod resolve;
mod support;

pub use impacts::Impacts;
pub(crate) use resolve::resolve_impacts;

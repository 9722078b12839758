//! The impacts inside a substep.
//!
//! Impacts are predicted and put into a queue (`predicted`, `resolve`). Impacts of one moment are a set and are resolved together
//! (`impact_set`), also if an impact presses a ball on the plane under it (`support`). Colliders that lie flush are hit as one
//! (`flush`). A body with too many impacts waits for the next substep (`pause`).

mod couples;
mod flush;
mod impact_point;
mod impact_set;
mod impacts;
mod joined;
mod normal_impulses;
mod pause;
mod predicted;
mod resolve;
mod support;

pub use impacts::Impacts;
pub(crate) use impacts::Unresolved;
pub(crate) use resolve::resolve_impacts;

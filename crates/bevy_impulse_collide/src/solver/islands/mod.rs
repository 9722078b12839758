//! Sleep: bodies that rest on a body that does not move, and touch only bodies at rest, are not computed.
//!
//! Bodies that press on each other, directly or through other bodies, form an island. An island falls asleep as a whole, when all
//! its bodies have been idle for a while, and wakes as a whole. A ball that floats free never sleeps, however slow it is.

mod drift;
mod graph;
mod sleep;
mod wake;

pub(crate) use graph::Islands;
pub(crate) use sleep::put_to_sleep;
pub(crate) use wake::{wake_disturbed, wake_touched};

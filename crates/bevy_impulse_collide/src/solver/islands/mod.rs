//! Sleep: bodies that rest on something that does not move, and touch only bodies that rest too, are left alone.
//!
//! What presses on each other, directly or by way of others, is an island. An island falls asleep as a whole, when all its bodies have
//! been quiet for a while, and wakes as a whole. Balls that float free never sleep, however slow they are.

mod graph;
mod sleep;
mod wake;

pub(crate) use graph::Islands;
pub(crate) use sleep::doze_off;
pub(crate) use wake::{rouse_disturbed, rouse_touched};

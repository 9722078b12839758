//! Sensors: which bodies enter and leave them, and when.
//!
//! The six stages know no sensors: a sensor collides with nothing. When a substep has ended, the ways that the bodies took in it
//! are known (`body/path.rs`). A search along such a way finds the times at which the gap between the body and a sensor opens and closes
//! (`gap`, `crossing`). `sensors` keeps which bodies are inside.

mod crossing;
mod gap;
mod sensors;
mod zones;

pub(crate) use sensors::{SensedWays, find_crossings, note_poses, write_crossings};

pub use sensors::Sensors;

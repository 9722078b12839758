//! How a heap under its own gravity is shown.
//!
//! - `measured`: the heap as it is now
//! - `sky`: camera, sun and stars
//! - `tail`: the tail of a comet, and where the pointer throws one from
//! - `history`: the course of the heap since it was scattered
//! - `plots`: plots of it

pub(crate) mod history;
pub(crate) mod measured;
pub(crate) mod plots;
pub(crate) mod sky;
pub(crate) mod tail;

//! Runs without a window, beside the game itself: all of them report figures.
//!
//! - [`report`](mod@report): the game's part of a headless report
//! - [`breaks`]: many racks broken, to prove that none goes wrong
//! - [`frames`]: the computer against itself, to prove that no frame gets stuck
//! - [`published`]: cushions, pockets and massés as they were published
//! - [`tracks`]: shots that cameras tracked on a real table
//! - [`shots`]: single shots on open cloth, from a file, as other simulators play them

pub mod breaks;
pub mod frames;
mod hanging;
pub mod published;
pub mod report;
pub mod shots;
pub mod tracks;

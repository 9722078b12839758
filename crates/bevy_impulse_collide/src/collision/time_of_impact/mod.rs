//! When two bodies will hit each other: balls by a formula, capsules by advancing to where they touch.
//!
//! Most pairs do not hit each other in a substep. Two filters tell so at little cost: one for balls, several pairs at a time, and one
//! for capsules.

mod advancement;
mod ball_filter;
mod balls;
mod capsule_filter;
mod contact_points;
mod next_impact;
mod resting;
#[cfg(test)]
mod tests;

pub(crate) use ball_filter::{Course, LOOKS};
pub(crate) use capsule_filter::Rod;
pub(crate) use contact_points::{approach, contact_points};
pub(crate) use next_impact::next_impact;

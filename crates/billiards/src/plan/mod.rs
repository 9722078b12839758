//! The shots that a player may think of, by geometry alone: pots, safeties, kicks off one cushion, and the break.
//!
//! A [`Planner`] looks at a [`Position`] and lists [`Candidate`]s, the likeliest first. Balls run straight and cushions
//! reflect like mirrors: no spin, no throw, no jaws. So a candidate is where a search by simulation starts, which tries
//! speeds, spins and small turns of the aim around it.
//!
//! No ECS in here: the planner takes measures, cushions and pockets.
//!
//! - [`planner`]: positions, candidates, and the planner itself
//! - [`layout`]: the table, and which ways lead into a pocket
//! - [`path`]: straight ways, and which balls are in them
//! - [`pace`]: how hard to shoot
//! - [`pot`]: a ball straight into a pocket
//! - [`safety`]: a soft hit of a ball that may be hit, and the break
//! - [`kick`]: a hit by way of a cushion
//! - [`in_hand`]: where to put the cue ball
//! - [`closed_form`]: the laws of a table without pockets, with spin, throw and cushions, in closed form

pub mod closed_form;
pub mod in_hand;
pub mod kick;
pub mod layout;
pub mod pace;
pub mod path;
pub mod planner;
pub mod pot;
pub mod safety;
#[cfg(test)]
mod tests;

pub use layout::{Layout, Mouth, Window};
pub use pace::Pace;
pub use planner::{Aim, Candidate, Planner, Position};
pub use pot::NoPot;

//! The fields that accelerate bodies: uniform gravity, and the gravity of the bodies themselves.
//!
//! [`SelfGravity`] holds the law and the parameters of self-gravity. [`GravitySolver`] sums it over all bodies, in one of two
//! ways:
//!
//! - pair by pair (`pull`)
//! - with a tree of cells (`tree`, `cell`): cells that are far enough apart (`walk`) attract each other by multipole expansions
//!   (`moments`, `expansion`)
//!
//! Then the net force and the net torque of the sum are removed (`balance`).

mod balance;
mod cell;
mod expansion;
mod force_error;
mod gravity_solver;
mod moments;
mod potential_energy;
mod pull;
mod self_gravity;
mod tree;
mod uniform;
mod walk;

pub use force_error::ForceError;
pub use gravity_solver::GravitySolver;
pub use self_gravity::{GravityMethod, SelfGravity};
pub use uniform::Gravity;

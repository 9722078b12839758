//! The fields that accelerate bodies: uniform gravity, and the gravity of the bodies themselves.
//!
//! Self-gravity in parts: [`SelfGravity`] is the law and the parameters, [`GravitySolver`] sums it over all bodies. It does
//! so pair by pair (`pull`), or with a tree of cells (`tree`) that pull each other as wholes (`expansion`) where they are
//! far enough apart (`walk`). What the sum then has of a net force and torque is taken out (`balance`).

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

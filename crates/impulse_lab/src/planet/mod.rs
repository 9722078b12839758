//! Ways to hold a planet of balls together under its own gravity, each failing in its own manner.
//!
//! The order is that of an essay on the subject (N. Lisitsa, "The quest for perfect collisions"): forces, impulses, positions. All methods
//! are symplectic Euler steps, v = v + a·h, then x = x + v·h; they differ in what keeps two balls apart. [`Events`] goes from impact
//! to impact between two kicks. No ball turns.

mod attraction;
mod bounded_force;
pub mod essay;
mod events;
mod impulses;
mod merging;
mod point_masses;
mod positions;
mod springs;
mod verlet;

pub use attraction::Newton;
pub use bounded_force::BoundedForce;
pub use events::Events;
pub use impulses::Impulses;
pub use merging::Merging;
pub use point_masses::PointMasses;
pub use positions::Positions;
pub use springs::CooledSprings;
pub use verlet::Verlet;

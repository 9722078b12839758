//! The fields that accelerate bodies: uniform gravity, and the gravity of the bodies themselves.

mod self_gravity;
mod uniform;

pub use self_gravity::SelfGravity;
pub use uniform::Gravity;

//! The narrow phase: the points at which two shapes touch, or are nearest.

mod capsules;
mod contact_set;
mod dispatch;
mod round;
mod surface;

pub(crate) use capsules::{PARALLEL_SINE, across};
pub use contact_set::{Manifold, ManifoldPoint};
pub use dispatch::manifold;
pub(crate) use surface::points_on_surface;

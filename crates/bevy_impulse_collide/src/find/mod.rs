//! Who touches whom: a hierarchy of grids as broad phase, then the contact set of each pair that may meet.

mod broad_phase;
mod core;
mod grid;
mod narrow_phase;
mod next_impact;
mod outside;
mod partners;
mod rod;

pub use broad_phase::BroadPhase;
pub(crate) use broad_phase::find_pairs;
pub(crate) use narrow_phase::PARALLEL_SINE;
pub use narrow_phase::{Manifold, ManifoldPoint, Placed, manifold};
pub(crate) use next_impact::{Course, LOOKS, approach, contact_points, next_impact};
pub(crate) use rod::Rod;

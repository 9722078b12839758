//! Finds the bodies that touch, and when.
//!
//! - Broad phase: the pairs that may meet in a substep (`broad_phase`), by fat AABBs (`bounds`, `fat_capsule`) in a grid (`grid`);
//!   of fast bodies, those whose ways come near each other (`course`).
//! - Narrow phase: the contact set of a pair (`manifold`).
//! - Seams: the colliders that touch each other, and the contacts of a body with them (`seams`, `joined`).
//! - Time of impact: when a pair will meet (`time_of_impact`).

mod aabb;
mod adjacency;
mod bounds;
mod broad_phase;
mod course;
mod fat_capsule;
mod fat_plane;
mod grid;
mod joined;
mod manifold;
mod moved_proxies;
mod seams;
#[cfg(test)]
mod tests;
mod time_of_impact;

pub(crate) use aabb::Aabb;
pub(crate) use bounds::{half_of_turned_box, swept_aabb};
pub use broad_phase::BroadPhase;
pub(crate) use broad_phase::{find_pairs, index_of_pair};
pub(crate) use joined::{Joined, joined_manifold};
pub(crate) use manifold::PARALLEL_SINE;
pub use manifold::{Manifold, ManifoldPoint, manifold};
pub(crate) use seams::find_seams;
pub(crate) use time_of_impact::{
    BallFilter, CapsuleFilter, Meeting, PAIRS_PER_FILTER, SlowApproach, approach, contact_points,
    next_impact,
};

//! The contact points of one pair: a small set without allocation.

use glam::Vec3;
use smallvec::SmallVec;

/// One point of a contact set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ManifoldPoint {
    /// The point at which the impulse acts on both bodies. Between two free bodies it divides the overlap in halves, so that the
    /// two lever arms add up to the true distance of the centres; on a plane or a collider it is on the round body's surface.
    pub point: Vec3,
    /// Unit vector from `b` to `a`.
    pub normal: Vec3,
    /// Overlap in m; negative across a gap.
    pub depth: f32,
}

/// The contact set of a pair: the points at which two shapes are nearest. It is one point, or two for a capsule along a plane or
/// another capsule, and any number for a collider. Empty for two bodies that cannot move.
pub type Manifold = SmallVec<[ManifoldPoint; 4]>;

use glam::Vec3;

use super::dispatch::Shape;

/// A shape with its place.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// Shape in world measures.
    pub shape: Shape,
    /// Centre, or a point of a plane's surface, in m.
    pub x: Vec3,
    /// Unit vector along a capsule, or out of a plane.
    pub axis: Vec3,
}

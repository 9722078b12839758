//! A shape where it is: the input of the contact search.

use glam::{Quat, Vec3};

use super::{dispatch::Shape, geometry::Geometry};

/// A shape with its place.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    /// Shape in world measures.
    pub shape: Shape,
    /// Centre, or a point of a plane's surface, in m.
    pub x: Vec3,
    /// Unit vector along a capsule, or out of a plane.
    pub axis: Vec3,
    /// Rotation of a collider; of other shapes, `axis` tells it.
    pub rotation: Quat,
    /// Surface of a collider.
    pub geometry: Option<&'a Geometry>,
}

impl Placed<'_> {
    /// A shape that is no collider.
    pub const fn new(shape: Shape, x: Vec3, axis: Vec3) -> Self {
        Self {
            shape,
            x,
            axis,
            rotation: Quat::IDENTITY,
            geometry: None,
        }
    }
}

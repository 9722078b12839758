//! What queries give.

use bevy::prelude::*;

/// Where a ray meets a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The body.
    pub entity: Entity,
    /// Distance in m along the ray.
    pub distance: f32,
    /// The point of the surface, in world coordinates in m.
    pub point: Vec3,
    /// Unit vector out of the surface, towards the side from which the ray comes.
    pub normal: Vec3,
}

/// Where a moving ball or capsule touches a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastHit {
    /// The body.
    pub entity: Entity,
    /// Distance in m by which the moving shape has moved; zero if it starts in the body.
    pub distance: f32,
    /// The point of the body's surface, in world coordinates in m.
    pub point: Vec3,
    /// Unit vector out of the surface, towards the moving shape.
    pub normal: Vec3,
}

/// The point of a body's surface that is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestPoint {
    /// The body.
    pub entity: Entity,
    /// The point of the surface, in world coordinates in m.
    pub point: Vec3,
    /// Distance in m from the surface; negative inside the body.
    pub distance: f32,
    /// Unit vector out of the surface.
    pub normal: Vec3,
}

//! A body as queries see it.

use bevy::prelude::*;
use glam::DVec3;

use crate::{
    collision::{Aabb, half_of_turned_box},
    components::{CollisionLayers, LayerMask, RigidBody},
    ecs::gather::PlacedShape,
    shape::{Geometry, Shape, SharedGeometry},
};

/// Largest coordinate in m of a box in the tree: the tree compares volumes, and their `f32` must be finite.
const MAX_COORDINATE: f32 = 1e12;

/// Growth of a box, as a fraction of its coordinates: more than the rounding of its sides.
const ROUNDING: f32 = 4.0 * f32::EPSILON;

/// The shape, place and kind of a body.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Body {
    pub entity: Entity,
    pub kind: RigidBody,
    /// The body of which it is a part, and the way in m from the point about which that body turns to this one.
    pub whole: Option<(Entity, Vec3)>,
    /// The layers that it is in.
    pub memberships: LayerMask,
    pub is_sensor: bool,
    pub shape: Shape,
    pub position: Vec3,
    pub rotation: Quat,
    /// Unit vector along a capsule, or out of a plane.
    pub axis: Vec3,
    geometry: SharedGeometry,
}

impl Body {
    pub fn new(
        entity: Entity,
        kind: RigidBody,
        whole: Option<(Entity, Vec3)>,
        layers: Option<&CollisionLayers>,
        is_sensor: bool,
        placed: PlacedShape,
    ) -> Self {
        Self {
            entity,
            kind,
            whole,
            memberships: layers.copied().unwrap_or_default().memberships,
            is_sensor,
            axis: placed.axis(),
            shape: placed.shape,
            position: placed.position,
            rotation: placed.rotation,
            geometry: placed.geometry,
        }
    }

    /// The body that moves it: itself, or that of which it is a part; and the way in m from the point about which that body turns.
    pub fn mover(&self) -> (Entity, Vec3) {
        self.whole.unwrap_or((self.entity, Vec3::ZERO))
    }

    /// The surface of a collider.
    pub fn geometry(&self) -> Option<&Geometry> {
        self.geometry.get()
    }

    /// The box that holds the body; `None` if there is none, or it is too large for a tree.
    pub fn bounds(&self) -> Option<Aabb> {
        let (centre, half) = match self.shape {
            Shape::Particle { radius } => return bounds_of_ball(self.position, radius),
            Shape::Capsule {
                radius,
                half_length,
            } => return bounds_of_capsule(self.position, self.axis, (radius, half_length)),
            // The parts of a compound are bodies of their own here.
            Shape::Plane | Shape::Compound { .. } => return None,
            Shape::Collider => {
                let (low, high) = self.geometry()?.bounds();
                let half = half_of_turned_box(0.5 * (high - low), self.rotation);
                // The turned middle is rounded by the size of its coordinates.
                let middle = 0.5 * (low + high);
                (self.rotation * middle, half + middle.length() * ROUNDING)
            }
        };
        box_about(self.position + centre, half)
    }

    /// A point in the frame of the body's position and rotation.
    pub fn to_local(&self, x: DVec3) -> DVec3 {
        self.direction_to_local(x - self.position.as_dvec3())
    }

    /// A direction in the frame of the body's rotation.
    pub fn direction_to_local(&self, direction: DVec3) -> DVec3 {
        if self.rotation == Quat::IDENTITY {
            return direction;
        }
        self.rotation.as_dquat().normalize().inverse() * direction
    }

    /// From the centre of a capsule to an end of its core, in m; zero for other shapes.
    pub fn half(&self) -> DVec3 {
        match self.shape {
            Shape::Capsule { half_length, .. } => {
                self.axis.as_dvec3().normalize() * f64::from(half_length)
            }
            Shape::Particle { .. } | Shape::Plane | Shape::Collider | Shape::Compound { .. } => {
                DVec3::ZERO
            }
        }
    }
}

/// The box that holds a ball.
pub(super) fn bounds_of_ball(x: Vec3, radius: f32) -> Option<Aabb> {
    box_about(x, Vec3::splat(radius))
}

/// The box that holds a capsule with this unit vector along it.
pub(super) fn bounds_of_capsule(
    x: Vec3,
    axis: Vec3,
    (radius, half_length): (f32, f32),
) -> Option<Aabb> {
    box_about(x, axis.abs() * half_length + radius)
}

/// A box that is a little larger than one with these half sides; `None` if it is too large for a tree, or if a side is below
/// zero or NaN.
fn box_about(centre: Vec3, half: Vec3) -> Option<Aabb> {
    let half = half + (centre.abs() + half) * ROUNDING;
    let (low, high) = (centre - half, centre + half);
    let is_bounded = low.abs().max(high.abs()).max_element() < MAX_COORDINATE;
    (is_bounded && low.cmple(high).all()).then(|| Aabb {
        min: low.into(),
        max: high.into(),
    })
}

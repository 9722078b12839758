//! How an entity moves as a body.

use bevy::prelude::*;

use crate::components::{Capsule, Collider, Compound, InWorld, Particle, Plane, RigidBody};

/// The entities with a shape.
pub(crate) type AnyShape = (HasShape, Without<InWorld>);

type HasShape = Or<(With<Particle>, With<Plane>, With<Capsule>, With<Collider>)>;

/// The entities that are bodies, or parts of bodies.
pub(crate) type AnyBody = (Or<(HasShape, With<Compound>)>, Without<InWorld>);

/// Whether [`MovedByTransform`](crate::components::MovedByTransform) moves a body of this kind.
pub(crate) fn may_follow(is_round: bool, kind: Option<&RigidBody>) -> bool {
    !is_round || kind.is_some_and(|kind| !kind.is_dynamic())
}

/// The kind of a body. A plane or a collider is not dynamic; a body that its `Transform` or another body moves is kinematic.
pub(crate) fn kind_of(is_round: bool, kind: Option<&RigidBody>, is_moved: bool) -> RigidBody {
    if is_moved {
        return RigidBody::Kinematic;
    }
    match kind.copied().unwrap_or_default() {
        RigidBody::Dynamic if !is_round => RigidBody::Static,
        kind => kind,
    }
}

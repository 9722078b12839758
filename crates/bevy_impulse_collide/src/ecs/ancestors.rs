//! What the ancestors of a body are: where they put it, and which of them carries it.

use bevy::{ecs::system::SystemParam, prelude::*};
use glam::DAffine3;

use super::{
    bad_input::{Check, Checked},
    kind::{kind_of, may_follow},
    parents::{Parents, map_by, without_shear},
};
use crate::{
    components::{
        Capsule, Collider, Compound, MovedByTransform, Particle, Pivot, Plane, RigidBody,
    },
    messages::{ProblemReason as R, ProblemValue::Nothing},
};

/// The kinematic body that carries a child.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Carrier {
    pub body: Entity,
    /// The child's place relative to the point about which the carrier turns, in the carrier's axes and in world measures.
    pub relative: Transform,
}

/// What tells how an entity moves as a body.
pub(super) type Kind = (
    Option<&'static RigidBody>,
    (Has<Particle>, Has<Capsule>, Has<Plane>, Has<Collider>),
    Has<Compound>,
    Has<MovedByTransform>,
);

pub(super) type KindItem<'a> = (Option<&'a RigidBody>, (bool, bool, bool, bool), bool, bool);

/// How an entity moves as a body, and whether its `Transform` moves it; `None` without a shape.
pub(super) fn motion(
    (body, (is_ball, is_capsule, is_plane, is_collider), is_compound, is_moved): KindItem,
) -> Option<(RigidBody, bool)> {
    let is_round = is_ball || is_capsule || is_compound;
    if !(is_round || is_plane || is_collider) {
        return None;
    }
    let follows = is_moved && may_follow(is_round, body);
    Some((kind_of(is_round, body, follows), follows))
}

/// Reads the ancestors of bodies.
#[derive(SystemParam)]
pub(crate) struct Ancestors<'w, 's> {
    pub parents: Parents<'w, 's>,
    kinds: Query<'w, 's, (Kind, Option<&'static Pivot>, Has<ChildOf>)>,
}

impl Ancestors<'_, '_> {
    /// The kinematic body that carries a static child: the nearest ancestor that is a body, static ones aside.
    pub fn carrier(&self, parent: Entity, local: &Transform) -> Checked<Option<Carrier>> {
        let mut map = map_by(local);
        for (ancestor, transform) in self.parents.chain(parent) {
            let found = self.kinds.get(ancestor).ok();
            let kind = found.and_then(|(kind, _, _)| motion(kind));
            match (kind, found) {
                (Some((RigidBody::Dynamic, _)), _) => {
                    return Err(ChildOf::problem(R::ChildOfDynamicBody, Nothing));
                }
                (Some((RigidBody::Kinematic, _)), Some((kind, pivot, has_parent))) => {
                    let scale = match has_parent {
                        true => without_shear(self.parents.map_of(ancestor))?.scale,
                        false => transform.scale,
                    };
                    let mut relative = without_shear(DAffine3::from_scale(scale.as_dvec3()) * map)?;
                    let (_, (_, _, _, is_collider), ..) = kind;
                    let pivot = pivot.filter(|pivot| is_collider && pivot.is_finite());
                    relative.translation -= pivot.map_or(Vec3::ZERO, |pivot| pivot.0) * scale;
                    return Ok(Some(Carrier {
                        body: ancestor,
                        relative,
                    }));
                }
                _ => map = map_by(&transform) * map,
            }
        }
        Ok(None)
    }

    /// The way in m from the point about which a carrier turns to its part.
    pub fn arm(&self, carrier: &Carrier) -> Vec3 {
        let (_, rotation, _) = self
            .parents
            .map_of(carrier.body)
            .to_scale_rotation_translation();
        rotation.as_quat() * carrier.relative.translation
    }
}

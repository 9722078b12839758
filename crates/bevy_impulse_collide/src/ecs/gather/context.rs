//! What the reading of a body needs beside its components, and the place of a body in the world.

use bevy::prelude::*;

use super::body_data::BodyDataItem;
use crate::{
    body::{Bodies, LastStep},
    components::{AppliedForces, Pivot},
    ecs::{
        ancestors::Carrier,
        bad_input::{Check, Checked, or_instead},
        compounds::{Compounds, Whole},
        hierarchy::Hierarchy,
        parents::Parents,
    },
    flat::in_plane,
    messages::{InputProblem, ProblemReason},
};

/// What the reading of a body needs beside its components.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    /// Half a substep, and the whole fixed step, in seconds.
    pub half: f32,
    pub step: f32,
    /// Whether the world is flat.
    pub flat: bool,
    /// What has been applied for this fixed step, sorted by entity.
    pub applied: &'a [(Entity, AppliedForces)],
    /// Whether the world has been restored since the last step.
    pub is_restored: bool,
    /// What the last step has found.
    pub last_step: &'a LastStep,
    pub compounds: &'a Compounds,
    parents: &'a Parents<'a, 'a>,
    hierarchy: Option<&'a Hierarchy>,
}

impl<'a> Context<'a> {
    pub fn new(
        bodies: &Bodies,
        applied: &'a [(Entity, AppliedForces)],
        last_step: &'a LastStep,
        (parents, compounds): (&'a Parents<'a, 'a>, &'a Compounds),
        hierarchy: Option<&'a Hierarchy>,
    ) -> Self {
        Self {
            half: 0.5 * bodies.h,
            step: bodies.step,
            flat: bodies.flat,
            applied,
            is_restored: bodies.is_restored,
            last_step,
            compounds,
            parents,
            hierarchy,
        }
    }

    /// The place of a body in the world, and the body that carries it.
    pub fn place(&self, body: &BodyDataItem) -> Checked<(Transform, Option<Carrier>)> {
        if let Some(part) = self.compounds.part(body.entity) {
            // Its place in its compound: the compound gives it its place in the world.
            let place = Transform {
                translation: part.offset,
                rotation: part.rotation,
                scale: part.scale,
            };
            return Ok((place, None));
        }
        let Some(child_of) = body.child_of else {
            return Ok((*body.transform, None));
        };
        let parent = child_of.parent();
        Ok(match self.hierarchy.and_then(|all| all.get(body.entity)) {
            Some(child) => (child.place?, child.carrier),
            None => (self.parents.place(parent, body.transform)?, None),
        })
    }
}

/// The point about which a collider or a compound turns, in its own frame and in world measures.
pub(super) fn centre_of(
    body: &BodyDataItem,
    scale: Vec3,
    (carrier, whole, flat): (Option<Carrier>, Option<&Whole>, bool),
    tell: &mut impl FnMut(InputProblem),
) -> Vec3 {
    let is_collider = body.shape.3.is_some();
    let pivot = body.pivot.map_or(Vec3::ZERO, |pivot| pivot.0);
    let pivot = Pivot::check(ProblemReason::NotFinite, pivot);
    let pivot = or_instead(pivot, Vec3::ZERO, tell);
    if pivot != Vec3::ZERO && !is_collider {
        tell(Pivot::problem(ProblemReason::WithoutCollider, pivot));
    }
    match carrier {
        _ if let Some(whole) = whole => whole.centre,
        _ if !is_collider => Vec3::ZERO,
        Some(Carrier { relative, .. }) => -(relative.rotation.inverse() * relative.translation),
        None if flat => in_plane(pivot * scale),
        None => pivot * scale,
    }
}

//! The place of an entity in the world, through its parents.

use bevy::{
    ecs::{entity_disabling::Disabled, query::Allow, system::SystemParam},
    prelude::*,
};
use glam::{DAffine3, DMat3};

use super::bad_input::Checked;
use crate::messages::{InputProblem, ProblemReason};

/// Difference between a map and the nearest one without shear, as a fraction of its scale, that is rounding.
const SHEAR: f64 = 1e-4;

/// Reads the `Transform`s of parents. A `GlobalTransform` is one frame old. A disabled parent is no body, but its children stay where
/// it puts them.
#[derive(SystemParam)]
pub(crate) struct Parents<'w, 's> {
    query: Query<'w, 's, (Option<&'static Transform>, Option<&'static ChildOf>), Allow<Disabled>>,
}

impl Parents<'_, '_> {
    /// The map from the frame of an entity to the world.
    pub fn map_of(&self, entity: Entity) -> DAffine3 {
        let mut map = DAffine3::IDENTITY;
        for (_, transform) in self.chain(entity) {
            map = map_by(&transform) * map;
        }
        map
    }

    /// An entity and its ancestors, from the entity up, each with its `Transform`.
    pub fn chain(&self, entity: Entity) -> impl Iterator<Item = (Entity, Transform)> {
        let mut next = Some(entity);
        std::iter::from_fn(move || {
            let entity = next?;
            let (transform, child_of) = self.query.get(entity).ok()?;
            next = child_of.map(ChildOf::parent);
            Some((entity, transform.copied().unwrap_or_default()))
        })
    }

    /// The place in the world of a child with this `Transform`.
    pub fn place(&self, parent: Entity, local: &Transform) -> Checked<Transform> {
        without_shear(self.map_of(parent) * map_by(local))
    }
}

/// The map that a `Transform` makes.
pub(crate) fn map_by(transform: &Transform) -> DAffine3 {
    DAffine3::from_scale_rotation_translation(
        transform.scale.as_dvec3(),
        transform.rotation.as_dquat().normalize(),
        transform.translation.as_dvec3(),
    )
}

/// The `Transform` that makes this map, if there is one.
pub(crate) fn without_shear(map: DAffine3) -> Checked<Transform> {
    let (scale, rotation, translation) = map.to_scale_rotation_translation();
    let rigid = DMat3::from_quat(rotation) * DMat3::from_diagonal(scale);
    let error = map
        .matrix3
        .abs_diff_eq(rigid, SHEAR * scale.abs().max_element());
    // A map that is not finite, or has a scale of zero, is told as such.
    if !error && scale.is_finite() && scale.abs().min_element() > 0.0 {
        let (reason, scale) = (ProblemReason::Sheared, scale.as_vec3());
        return Err(InputProblem::of_field::<Transform>("scale", reason, scale));
    }
    Ok(Transform {
        translation: translation.as_vec3(),
        rotation: rotation.as_quat(),
        scale: scale.as_vec3(),
    })
}

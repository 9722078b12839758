//! The pushes of one fixed step.

use bevy::prelude::*;

use crate::{body::Bodies, components::AppliedForces};

/// Takes the applied forces of the bodies that have changed into [`Bodies::applied`], and sets the components to zero. That counts
/// as a change, so the next step reads these bodies again: the forces have ended.
pub(crate) fn take_applied_forces(
    mut bodies: ResMut<Bodies>,
    mut query: Query<&mut AppliedForces>,
) {
    let bodies = &mut *bodies;
    let mut all = std::mem::take(&mut bodies.applied);
    all.clear();
    for i in bodies.active().filter(|&i| bodies.must_be_read(i)) {
        let entity = bodies.entity[i];
        if let Ok(mut applied) = query.get_mut(entity)
            && *applied != AppliedForces::default()
        {
            all.push((entity, std::mem::take(&mut *applied)));
        }
    }
    all.sort_unstable_by_key(|(entity, _)| *entity);
    bodies.applied = all;
}

/// What has been applied to a body for this fixed step, from a list that is sorted by entity.
pub(crate) fn applied_to(all: &[(Entity, AppliedForces)], entity: Entity) -> AppliedForces {
    let found = all.binary_search_by_key(&entity, |(entity, _)| *entity);
    found.map_or_else(|_| AppliedForces::default(), |k| all[k].1)
}

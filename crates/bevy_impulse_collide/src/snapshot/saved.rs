//! The state of the physics beside the components, in a saved world.

use bevy::{
    ecs::{entity::MapEntities, reflect::ReflectMapEntities},
    prelude::*,
};

use super::step_state::{Components, State, StepState};
use crate::{components::BodyOrder, ecs::gather::BodyReader};

/// What a saved world needs beside its components to go on to the same bits: the impulses of contacts, who touches whom, and the
/// order of the bodies. [`save_physics`] writes it.
///
/// Save it with the world. The next step of a world that has this resource goes on from it, and removes it. That holds for the
/// loaded world and for the one that was saved, so both go on to the same bits.
///
/// In the loaded world, bodies have other entities. If these have another order, the bodies get a [`BodyOrder`] each.
///
/// # Limits
///
/// - The bits are the same as long as both worlds have the same bodies, with the same components and the same
///   [`CollisionConfig`](crate::config::CollisionConfig), fields and step length. Save these resources too.
/// - The world has no other bodies when it is loaded.
/// - Bodies that are spawned later must come in the same order in both worlds: after all that were saved, and among each other as
///   their entities are. Give them a [`BodyOrder`] above that of all others if you cannot be sure.
/// - Both worlds run the same build on the same kind of processor.
#[derive(Resource, Reflect, MapEntities, Clone, Debug, Default, PartialEq)]
#[reflect(Resource, MapEntities, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct PhysicsState {
    #[entities]
    last_step: StepState,
    /// The place of each body of the last step among all, in the order that new bodies follow.
    places: Vec<u64>,
}

/// Puts the resource [`PhysicsState`] into a world, between two steps. Call it, and save the world, in a fixed schedule, or switch
/// interpolation off: in `Update`, transforms are smoothed. Save the world after it: the loaded world and this one go
/// on to the same bits.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::{prelude::*, snapshot::save_physics};
/// fn save(world: &mut World) {
///     save_physics(world);
///     // Now write the components and resources to a file, for example with `DynamicWorldBuilder`.
/// }
/// # bevy::ecs::system::assert_is_system(save);
/// ```
pub fn save_physics(world: &mut World) {
    if let Ok(state) = world.run_system_cached(take) {
        world.insert_resource(state);
    }
}

fn take(components: Components, mut state: State) -> PhysicsState {
    let reader = &components.reader;
    let unlisted = reader.unlisted(state.bodies());
    let is_gone = |entity| !reader.has(entity);
    let last_step = StepState::take(&mut state, &components, &unlisted, is_gone);
    let entities = &last_step.entities;
    let mut sorted = entities.clone();
    reader.sort_by_key(&mut sorted);
    let places = if sorted == *entities {
        (0..entities.len() as u64).collect()
    } else {
        let mut place_of: Vec<(Entity, u64)> = sorted.into_iter().zip(0..).collect();
        place_of.sort_unstable();
        let place = |entity: &Entity| {
            let at = place_of.binary_search_by_key(entity, |&(entity, _)| entity);
            at.map_or(u64::MAX, |at| place_of[at].1)
        };
        entities.iter().map(place).collect()
    };
    let saved = PhysicsState {
        last_step: last_step.clone(),
        places,
    };
    last_step.resume(&mut state);
    saved
}

/// Goes on from a [`PhysicsState`], before a step.
pub(crate) fn resume_from_saved(world: &mut World) {
    let Some(PhysicsState { last_step, places }) = world.remove_resource() else {
        return;
    };
    let mut by_place: Vec<(u64, Entity)> = places
        .into_iter()
        .zip(last_step.entities.iter().copied())
        .collect();
    by_place.sort_unstable();
    let mut entities: Vec<Entity> = by_place.iter().map(|&(_, entity)| entity).collect();
    let are_sorted = world.run_system_cached_with(are_sorted, entities.clone());
    if !are_sorted.unwrap_or(true) {
        for (place, entity) in (0..).zip(entities.drain(..)) {
            if let Ok(mut entity) = world.get_entity_mut(entity) {
                entity.insert(BodyOrder(place));
            }
        }
    }
    // There is no error: the plugin has added all that it needs.
    let _ = world.run_system_cached_with(resume, last_step);
}

fn are_sorted(In(entities): In<Vec<Entity>>, reader: BodyReader) -> bool {
    let mut sorted = entities.clone();
    reader.sort_by_key(&mut sorted);
    sorted == entities
}

fn resume(In(last_step): In<StepState>, components: Components, mut state: State) {
    last_step.apply(&components, &mut state);
}

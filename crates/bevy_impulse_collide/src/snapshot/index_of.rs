//! The places of entities in a list.

use bevy::prelude::*;

/// The index of each entity of a list.
pub(super) struct IndexOf<'a> {
    entities: &'a [Entity],
    /// By the entity's index in the world.
    indices: Vec<u32>,
}

impl<'a> IndexOf<'a> {
    pub fn new(entities: &'a [Entity]) -> Self {
        let at = |entity: &Entity| entity.index_u32() as usize;
        let most = entities.iter().map(at).max();
        let mut indices = vec![u32::MAX; most.map_or(0, |most| most + 1)];
        for (k, entity) in (0..).zip(entities) {
            indices[at(entity)] = k;
        }
        Self { entities, indices }
    }

    pub fn get(&self, entity: Entity) -> Option<usize> {
        let k = *self.indices.get(entity.index_u32() as usize)? as usize;
        (self.entities.get(k) == Some(&entity)).then_some(k)
    }
}

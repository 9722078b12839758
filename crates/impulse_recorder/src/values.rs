//! Values of one type of component for many entities: how they are written, read, and put into a world.

use std::{any::type_name, collections::BTreeSet, fmt::Debug, marker::PhantomData};

use bevy::{
    ecs::entity::{EntityHashMap, EntityMapper},
    prelude::*,
};
use bevy_impulse_collide::prelude::InWorld;
use serde::{Serialize, de::DeserializeOwned};

/// Values of one type of component, each with its entity.
pub(crate) trait Values: Send + Sync {
    /// The name of the component in a file.
    fn name(&self) -> &'static str;
    fn is_empty(&self) -> bool;
    fn text(&self) -> Result<String, ron::Error>;
    /// The entities that have the component.
    fn entities(&self) -> Vec<Entity>;
    /// Adds all entities that it names: those that have the component, and those in its values.
    fn named(&self, named: &mut BTreeSet<Entity>);
    /// Gives the components to the entities that stand for these.
    fn put(&self, world: &mut World, map: &mut Map);
    /// The first entity that has another value in the world.
    fn difference(&self, world: &World, map: &mut Map) -> Option<Difference>;
}

/// A value that differs from the recorded one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The steps that were made until then.
    pub steps: usize,
    /// The entity, as it was when it was recorded.
    pub entity: Entity,
    /// The name of the component.
    pub component: &'static str,
    /// The value that was recorded.
    pub recorded: String,
    /// The value of the replay; "none" if it has none.
    pub here: String,
}

/// The entities of a world that stand for the recorded ones.
#[derive(Default)]
pub(crate) struct Map(pub EntityHashMap<Entity>);

impl EntityMapper for Map {
    fn get_mapped(&mut self, source: Entity) -> Entity {
        // All that a recording names are in the map.
        self.0.get(&source).copied().unwrap_or(Entity::PLACEHOLDER)
    }

    fn set_mapped(&mut self, source: Entity, target: Entity) {
        self.0.insert(source, target);
    }
}

/// Collects the entities that a value names.
pub(crate) struct Named<'a>(pub &'a mut BTreeSet<Entity>);

impl EntityMapper for Named<'_> {
    fn get_mapped(&mut self, source: Entity) -> Entity {
        self.0.insert(source);
        source
    }

    fn set_mapped(&mut self, _: Entity, _: Entity) {}
}

/// How the values of a component become text.
pub(crate) trait Codec<C>: Send + Sync + 'static {
    type Text: Serialize + DeserializeOwned + Debug;
    fn encode(value: &C) -> Self::Text;
    fn decode(text: Self::Text) -> C;
    /// Whether somebody writes the same values again and again, and the physics takes that for no change.
    const IS_REWRITTEN: bool = false;
    /// Whether a value is the one that the last step has left.
    fn is_same(_: &C, _: &C) -> bool {
        false
    }
}

/// With `serde`.
pub(crate) struct BySerde;

impl<C: Serialize + DeserializeOwned + Clone + Debug> Codec<C> for BySerde {
    type Text = C;

    fn encode(value: &C) -> C {
        value.clone()
    }

    fn decode(text: C) -> C {
        text
    }
}

/// With `serde`. Smoothing writes all transforms in each frame.
pub(crate) struct Smoothed;

impl<C: Serialize + DeserializeOwned + Clone + Debug + PartialEq> Codec<C> for Smoothed {
    type Text = C;
    const IS_REWRITTEN: bool = true;

    fn encode(value: &C) -> C {
        value.clone()
    }

    fn decode(text: C) -> C {
        text
    }

    fn is_same(one: &C, other: &C) -> bool {
        one == other
    }
}

/// A component that only is there or not.
pub(crate) struct Mark;

impl<C: Default> Codec<C> for Mark {
    type Text = ();

    fn encode(_: &C) {}

    fn decode((): ()) -> C {
        C::default()
    }
}

/// The values of the component `C`.
pub(crate) struct Rows<C, T> {
    pub rows: Vec<(Entity, C)>,
    codec: PhantomData<T>,
}

impl<C: Component + Clone, T: Codec<C>> Rows<C, T> {
    pub fn new(rows: Vec<(Entity, C)>) -> Self {
        Self {
            rows,
            codec: PhantomData,
        }
    }

    pub fn read(text: &str) -> Result<Self, ron::error::SpannedError> {
        let rows: Vec<(Entity, T::Text)> = ron::from_str(text)?;
        let rows = rows.into_iter();
        Ok(Self::new(
            rows.map(|(entity, text)| (entity, T::decode(text)))
                .collect(),
        ))
    }
}

impl<C: Component + Clone, T: Codec<C>> Values for Rows<C, T> {
    fn name(&self) -> &'static str {
        short_name::<C>()
    }

    fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn text(&self) -> Result<String, ron::Error> {
        let rows = self.rows.iter();
        let rows: Vec<(Entity, T::Text)> = rows
            .map(|(entity, value)| (*entity, T::encode(value)))
            .collect();
        ron::to_string(&rows)
    }

    fn entities(&self) -> Vec<Entity> {
        self.rows.iter().map(|(entity, _)| *entity).collect()
    }

    fn named(&self, named: &mut BTreeSet<Entity>) {
        for (entity, value) in &self.rows {
            named.insert(*entity);
            C::map_entities(&mut value.clone(), &mut Named(named));
        }
    }

    fn put(&self, world: &mut World, map: &mut Map) {
        for (entity, value) in &self.rows {
            let mut value = value.clone();
            C::map_entities(&mut value, map);
            if let Ok(mut entity) = world.get_entity_mut(map.get_mapped(*entity)) {
                entity.insert(value);
            }
        }
    }

    fn difference(&self, world: &World, map: &mut Map) -> Option<Difference> {
        let shown = |value: &C| ron::to_string(&T::encode(value)).unwrap_or_default();
        self.rows.iter().find_map(|(entity, value)| {
            let mut expected = value.clone();
            C::map_entities(&mut expected, map);
            let here = map.get_mapped(*entity);
            // A replay has no other worlds.
            if world.get::<InWorld>(here).is_some() {
                return None;
            }
            let here = world.get::<C>(here);
            let here = here.map_or("none".to_owned(), shown);
            (shown(&expected) != here).then(|| Difference {
                steps: 0,
                entity: *entity,
                component: self.name(),
                recorded: shown(value),
                here,
            })
        })
    }
}

/// The name of a type without its path.
pub(crate) fn short_name<T>() -> &'static str {
    type_name::<T>().rsplit("::").next().unwrap_or_default()
}

//! The types of components and resources that are recorded.

use std::{any::TypeId, collections::BTreeSet, marker::PhantomData, sync::Arc};

use bevy::{
    ecs::{
        change_detection::Tick,
        entity::{EntityHashMap, EntityMapper, MapEntities},
        entity_disabling::Disabled,
        query::{ArchetypeFilter, QueryState},
    },
    prelude::*,
};
use bevy_impulse_collide::{all_components, prelude::*, snapshot::PhysicsState};
use serde::{Serialize, de::DeserializeOwned};

use crate::values::{BySerde, Codec, Map, Mark, Named, Rows, Smoothed, Values, short_name};

/// The entities that are bodies, or parts of bodies.
pub(crate) type AnyBody = Or<(
    With<Particle>,
    With<Plane>,
    With<Capsule>,
    With<Collider>,
    With<Compound>,
)>;

/// A type of component that is recorded.
pub(crate) struct Kind {
    pub name: &'static str,
    /// Whether each step may write it to each body: a replay is compared by it.
    pub is_motion: bool,
    pub watch: fn(&mut World) -> Box<dyn Watch>,
    pub read: fn(&str) -> Result<Arc<dyn Values>, ron::error::SpannedError>,
    pub has: fn(&World, Entity) -> bool,
    pub remove: fn(&mut EntityWorldMut),
    /// Logs each removal under this number.
    log_removals: fn(&mut World, usize),
}

/// All components that the physics reads, and those of Bevy's among them.
pub(crate) fn kinds() -> Vec<Kind> {
    macro_rules! of_physics {
        ($($component:ty,)*) => { vec![$(kind::<$component, BySerde, ()>(everywhere::<$component>),)*] };
    }
    let mut kinds = all_components!(of_physics);
    // The physics of a replay leaves these bodies alone too.
    kinds.push(kind::<InWorld, BySerde, ()>(everywhere::<InWorld>));
    // Bevy's own belong to many entities that are no bodies.
    kinds.push(kind::<Disabled, Mark, AnyBody>(on_bodies::<Disabled>));
    kinds.push(kind::<ChildOf, BySerde, AnyBody>(on_bodies::<ChildOf>));
    kinds.push(kind::<Transform, Smoothed, AnyBody>(on_bodies::<Transform>));
    for kind in &mut kinds {
        kind.is_motion =
            ["Transform", "LinearVelocity", "AngularVelocity", "Sleep"].contains(&kind.name);
    }
    kinds
}

fn kind<C: Component + Clone, T: Codec<C>, F: ArchetypeFilter + 'static>(
    log_removals: fn(&mut World, usize),
) -> Kind {
    Kind {
        name: short_name::<C>(),
        is_motion: false,
        watch: |world| Box::new(WatchOf::<C, T, F>::new(world)),
        read: |text| Ok(Arc::new(Rows::<C, T>::read(text)?)),
        has: |world, entity| world.get::<C>(entity).is_some(),
        remove: |entity| {
            entity.remove::<C>();
        },
        log_removals,
    }
}

/// What has been removed since the last step, by the numbers of the kinds.
#[derive(Resource, Default)]
pub(crate) struct Removals(pub Vec<(usize, Entity)>);

/// Logs all removals from now on.
pub(crate) fn log_removals(world: &mut World) {
    world.init_resource::<Removals>();
    for (number, kind) in kinds().iter().enumerate() {
        (kind.log_removals)(world, number);
    }
}

fn everywhere<C: Component>(world: &mut World, kind: usize) {
    world.add_observer(move |removed: On<Remove, C>, mut log: ResMut<Removals>| {
        log.0.push((kind, removed.entity));
    });
}

fn on_bodies<C: Component>(world: &mut World, kind: usize) {
    let log = move |removed: On<Remove, C>,
                    bodies: Query<(), (AnyBody, Allow<Disabled>)>,
                    mut log: ResMut<Removals>| {
        if bodies.contains(removed.entity) {
            log.0.push((kind, removed.entity));
        }
    };
    world.add_observer(log);
}

/// Finds the values of one type of component in a world.
pub(crate) trait Watch: Send + Sync {
    fn name(&self) -> &'static str;
    /// All values of bodies, and those of these other entities.
    fn all(&mut self, world: &World, others: &BTreeSet<Entity>) -> Arc<dyn Values>;
    /// The values that have changed since then.
    fn changed(&mut self, world: &World, others: &BTreeSet<Entity>, since: Tick)
    -> Arc<dyn Values>;
    /// Whether entities above bodies count too.
    fn is_of_parents(&self) -> bool;
    /// The values of these entities.
    fn of(&self, world: &World, entities: &BTreeSet<Entity>) -> Arc<dyn Values>;
    /// A step is over: what it has written is no change.
    fn end_step(&mut self, world: &World);
}

struct WatchOf<C: Component, T, F: ArchetypeFilter + 'static> {
    bodies: QueryState<(Entity, Ref<'static, C>), F>,
    disabled: QueryState<(Entity, Ref<'static, C>), (F, With<Disabled>)>,
    /// What the last step has left, by the index of the entity, if the same values are written again.
    left: Option<Vec<Option<(Entity, C)>>>,
    codec: PhantomData<T>,
}

impl<C: Component + Clone, T: Codec<C>, F: ArchetypeFilter + 'static> WatchOf<C, T, F> {
    fn new(world: &mut World) -> Self {
        Self {
            bodies: QueryState::new(world),
            disabled: QueryState::new(world),
            left: T::IS_REWRITTEN.then(Vec::new),
            codec: PhantomData,
        }
    }

    /// Whether the last step has left this value.
    fn is_left(&self, entity: Entity, value: &C) -> bool {
        let left = self
            .left
            .as_ref()
            .and_then(|left| left.get(entity.index_u32() as usize)?.as_ref());
        left.is_some_and(|(of, left)| *of == entity && T::is_same(left, value))
    }

    fn find(
        &mut self,
        world: &World,
        others: &BTreeSet<Entity>,
        since: Option<Tick>,
    ) -> Vec<(Entity, C)> {
        let now = world.read_change_tick();
        let is_newer = |tick: Tick| since.is_none_or(|since| tick.is_newer_than(since, now));
        let mut rows: Vec<(Entity, C)> = Vec::new();
        match self.bodies.contiguous_iter(world) {
            Ok(tables) => {
                for (entities, values) in tables {
                    let ticks = values.changed_ticks_slice();
                    if !ticks.iter().fold(false, |any, tick| any | is_newer(*tick)) {
                        continue;
                    }
                    for (k, tick) in ticks.iter().enumerate() {
                        if is_newer(*tick) {
                            rows.push((entities[k], values[k].clone()));
                        }
                    }
                }
            }
            Err(_) => {
                let changed = self
                    .bodies
                    .iter(world)
                    .filter(|(_, value)| is_newer(value.last_changed()));
                rows.extend(changed.map(|(entity, value)| (entity, C::clone(&value))));
            }
        }
        let disabled = self
            .disabled
            .iter(world)
            .filter(|(_, value)| is_newer(value.last_changed()));
        rows.extend(disabled.map(|(entity, value)| (entity, C::clone(&value))));
        if self.is_of_parents() {
            for &other in others {
                let value = world
                    .get_entity(other)
                    .ok()
                    .and_then(|other| other.get_ref::<C>());
                if let Some(value) = value.filter(|value| is_newer(value.last_changed())) {
                    rows.push((other, C::clone(&value)));
                }
            }
        }
        if since.is_some() {
            rows.retain(|(entity, value)| !self.is_left(*entity, value));
        }
        rows.sort_by_key(|(entity, _)| *entity);
        rows.dedup_by_key(|(entity, _)| *entity);
        if short_name::<C>() == "ChildOf" {
            sort_as_children(world, &mut rows);
        }
        rows
    }
}

impl<C: Component + Clone, T: Codec<C>, F: ArchetypeFilter + 'static> Watch for WatchOf<C, T, F> {
    fn name(&self) -> &'static str {
        short_name::<C>()
    }

    fn all(&mut self, world: &World, others: &BTreeSet<Entity>) -> Arc<dyn Values> {
        Arc::new(Rows::<C, T>::new(self.find(world, others, None)))
    }

    fn changed(
        &mut self,
        world: &World,
        others: &BTreeSet<Entity>,
        since: Tick,
    ) -> Arc<dyn Values> {
        Arc::new(Rows::<C, T>::new(self.find(world, others, Some(since))))
    }

    fn is_of_parents(&self) -> bool {
        TypeId::of::<F>() != TypeId::of::<()>()
    }

    fn of(&self, world: &World, entities: &BTreeSet<Entity>) -> Arc<dyn Values> {
        let value = |&entity: &Entity| Some((entity, world.get::<C>(entity)?.clone()));
        let rows = entities.iter().filter_map(value).collect();
        Arc::new(Rows::<C, T>::new(rows))
    }

    fn end_step(&mut self, world: &World) {
        let Some(left) = &mut self.left else { return };
        let Ok(tables) = self.bodies.contiguous_iter(world) else {
            return;
        };
        for (entities, values) in tables {
            for (&entity, value) in entities.iter().zip(&*values) {
                let at = entity.index_u32() as usize;
                if left.len() <= at {
                    left.resize(at + 1, None);
                }
                left[at] = Some((entity, value.clone()));
            }
        }
    }
}

/// A resource, as it was set.
pub(crate) trait Setting: Send + Sync {
    fn name(&self) -> &'static str;
    fn text(&self) -> Result<String, ron::Error>;
    fn named(&self, named: &mut BTreeSet<Entity>);
    fn put(&self, world: &mut World, map: &mut Map);
}

/// A type of resource that is recorded.
pub(crate) struct SettingKind {
    pub name: &'static str,
    /// The resource, if it has changed since then.
    pub changed: fn(&World, Option<Tick>) -> Option<Arc<dyn Setting>>,
    pub exists: fn(&World) -> bool,
    pub read: fn(&str) -> Result<Arc<dyn Setting>, ron::error::SpannedError>,
    pub remove: fn(&mut World),
}

/// All resources that the physics reads. [`PhysicsState`] comes last: the bodies are there by then.
pub(crate) fn settings() -> Vec<SettingKind> {
    vec![
        setting::<Plain<Gravity>>(),
        setting::<Plain<CollisionConfig>>(),
        setting::<Plain<SelfGravity>>(),
        setting::<Plain<Accretion>>(),
        setting::<PhysicsState>(),
    ]
}

/// What is written of a resource.
trait Written: Serialize + DeserializeOwned + Clone + Send + Sync + 'static {
    type Of: Resource;
    fn of(resource: &Self::Of) -> Self;
    fn into_resource(self) -> Self::Of;
    fn map<M: EntityMapper>(&mut self, mapper: &mut M);
}

/// A resource without entities.
#[derive(Clone, Serialize, serde::Deserialize)]
#[serde(transparent)]
struct Plain<R>(R);

impl<R: Resource + Clone + Serialize + DeserializeOwned> Written for Plain<R> {
    type Of = R;

    fn of(resource: &R) -> Self {
        Self(resource.clone())
    }

    fn into_resource(self) -> R {
        self.0
    }

    fn map<M: EntityMapper>(&mut self, _: &mut M) {}
}

impl Written for PhysicsState {
    type Of = Self;

    fn of(resource: &Self) -> Self {
        resource.clone()
    }

    fn into_resource(self) -> Self {
        self
    }

    fn map<M: EntityMapper>(&mut self, mapper: &mut M) {
        self.map_entities(mapper);
    }
}

fn setting<W: Written>() -> SettingKind {
    SettingKind {
        name: short_name::<W::Of>(),
        changed: |world, since| {
            let now = world.read_change_tick();
            let resource = world.get_resource_ref::<W::Of>()?;
            let is_newer =
                since.is_none_or(|since| resource.last_changed().is_newer_than(since, now));
            is_newer.then(|| Arc::new(SettingOf(W::of(&resource))) as Arc<dyn Setting>)
        },
        exists: |world| world.contains_resource::<W::Of>(),
        read: |text| Ok(Arc::new(SettingOf(ron::from_str::<W>(text)?))),
        remove: |world| {
            world.remove_resource::<W::Of>();
        },
    }
}

struct SettingOf<W>(W);

impl<W: Written> Setting for SettingOf<W> {
    fn name(&self) -> &'static str {
        short_name::<W::Of>()
    }

    fn text(&self) -> Result<String, ron::Error> {
        ron::to_string(&self.0)
    }

    fn named(&self, named: &mut BTreeSet<Entity>) {
        self.0.clone().map(&mut Named(named));
    }

    fn put(&self, world: &mut World, map: &mut Map) {
        let mut resource = self.0.clone();
        resource.map(map);
        world.insert_resource(resource.into_resource());
    }
}

/// Sorts children as their parents list them: a compound has its parts in this order.
fn sort_as_children<C>(world: &World, rows: &mut [(Entity, C)]) {
    let parent = |child: Entity| world.get::<ChildOf>(child).map(ChildOf::parent);
    let mut places: EntityHashMap<usize> = EntityHashMap::default();
    for &(child, _) in rows.iter() {
        if let (None, Some(parent)) = (places.get(&child), parent(child)) {
            let siblings = world.get::<Children>(parent).into_iter().flatten();
            places.extend(
                siblings
                    .enumerate()
                    .map(|(place, sibling)| (*sibling, place)),
            );
        }
    }
    rows.sort_by_key(|(child, _)| (parent(*child), places.get(child).copied()));
}

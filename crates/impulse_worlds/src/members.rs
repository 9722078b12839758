//! What a sub-world knows of the entities of the app that are in it.

use std::any::Any;

use bevy::{
    ecs::{
        change_detection::Tick,
        entity::{EntityHashMap, EntityMapper},
    },
    prelude::*,
};

use crate::{between::Between, mail::PostBox};

/// The members of a world: entities of the app, each with an entity of this world that stands for it.
#[derive(Default)]
pub(crate) struct Members {
    /// Whether the world is the component of an entity, and has been met as such.
    pub is_open: bool,
    /// The entities here, by those of the app.
    sub_entities: EntityHashMap<Entity>,
    /// Those of the app, each with the one here, by the index of that one.
    main_entities: Vec<Option<(Entity, Entity)>>,
    /// The transforms that the app was given.
    pub shown: Shown,
    /// The poses before the last step, if the app shows a time before its end.
    pub between: Between,
    /// What is to be told to the app.
    pub post: PostBox,
    /// Queries of this world, by the numbers of the kinds of components.
    pub queries: Vec<Box<dyn Any + Send + Sync>>,
    pub ticks: Ticks,
}

/// When values were exchanged with the app, on the clock of the sub-world.
#[derive(Clone, Copy, Default)]
pub(crate) struct Ticks {
    /// The last time that values went to the app.
    pub fetched: Tick,
    /// The start and the end of the last time that values came from the app.
    pub brought: [Tick; 2],
}

/// Whether something was changed after `since`.
pub(crate) fn is_any_newer(changed: &[Tick], since: Tick, now: Tick) -> bool {
    let is_newer = |tick: &Tick| tick.is_newer_than(since, now);
    // Without an early exit, the compiler can check several ticks at a time.
    changed.iter().fold(false, |any, tick| any | is_newer(tick))
}

impl Ticks {
    /// Whether there may be news among these: one look at them all takes less time than one at each.
    pub fn may_have_news(&self, changed: &[Tick], now: Tick) -> bool {
        is_any_newer(changed, self.fetched, now)
    }

    /// Whether a value that was changed then is news for the app.
    pub fn is_news(&self, changed: Tick, now: Tick) -> bool {
        let [start, end] = self.brought;
        let is_brought = changed.is_newer_than(start, now) && !changed.is_newer_than(end, now);
        changed.is_newer_than(self.fetched, now) && !is_brought
    }
}

impl Members {
    /// The entity here that stands for one of the app's.
    pub fn sub_entity(&self, main: Entity) -> Option<Entity> {
        self.sub_entities.get(&main).copied()
    }

    /// The entity of the app for which one here stands, or has stood until it was despawned.
    pub fn main_entity(&self, sub: Entity) -> Option<Entity> {
        let known = self.main_entities.get(sub.index_u32() as usize);
        let (of, main) = (*known?)?;
        (of == sub).then_some(main)
    }

    /// `sub` stands for `main` from now on.
    pub fn insert(&mut self, main: Entity, sub: Entity) {
        self.sub_entities.insert(main, sub);
        let at = sub.index_u32() as usize;
        if self.main_entities.len() <= at {
            self.main_entities.resize(at + 1, None);
        }
        self.main_entities[at] = Some((sub, main));
    }

    /// Nothing stands for `main` any more. What stood for it can still be told.
    pub fn remove(&mut self, main: Entity) -> Option<Entity> {
        self.sub_entities.remove(&main)
    }

    /// All entities of the app that something here stands for.
    pub fn main_entities(&self) -> Vec<Entity> {
        let mut all: Vec<Entity> = self.sub_entities.keys().copied().collect();
        all.sort_unstable();
        all
    }
}

/// The transforms of members in the app, by the indices of the entities here.
#[derive(Default)]
pub(crate) struct Shown(Vec<Option<(Entity, Transform)>>);

impl Shown {
    /// The app has this transform now.
    pub fn note(&mut self, sub: Entity, transform: Transform) {
        let at = sub.index_u32() as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, None);
        }
        self.0[at] = Some((sub, transform));
    }

    /// Whether the app has been given this transform.
    pub fn is(&self, sub: Entity, transform: &Transform) -> bool {
        let shown = self.0.get(sub.index_u32() as usize);
        matches!(shown, Some(Some((of, shown))) if *of == sub && shown == transform)
    }
}

/// Names entities of the app as this world names them. One that is no member gets an entity without components.
pub(crate) struct Inwards<'a> {
    pub members: &'a mut Members,
    pub world: &'a mut World,
}

impl EntityMapper for Inwards<'_> {
    fn get_mapped(&mut self, main: Entity) -> Entity {
        self.members.sub_entity(main).unwrap_or_else(|| {
            let sub = self.world.spawn_empty().id();
            self.members.insert(main, sub);
            sub
        })
    }

    fn set_mapped(&mut self, main: Entity, sub: Entity) {
        self.members.insert(main, sub);
    }
}

/// Names entities of this world as the app names them.
pub(crate) struct Outwards<'a>(pub &'a Members);

impl EntityMapper for Outwards<'_> {
    fn get_mapped(&mut self, sub: Entity) -> Entity {
        self.0.main_entity(sub).unwrap_or(Entity::PLACEHOLDER)
    }

    fn set_mapped(&mut self, _: Entity, _: Entity) {}
}

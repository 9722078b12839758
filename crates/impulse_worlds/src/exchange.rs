//! One fixed step of the app for all sub-worlds: edits go in, the worlds that are due step at once, results come out.

use std::{cmp::Reverse, time::Duration};

use bevy::{
    ecs::{
        change_detection::Tick,
        entity_disabling::Disabled,
        query::{Allow, QueryState},
    },
    prelude::*,
    tasks::{ComputeTaskPool, TaskPool},
};
use bevy_impulse_collide::prelude::*;

use crate::{
    homes::{Home, Homes, Leavers},
    kinds::{Kind, Removals, kinds},
    mail::{Heard, PostBox, listen},
    sub_world::SubWorld,
};

/// What the app knows of its sub-worlds.
#[derive(Resource)]
pub(crate) struct Exchange {
    homes: Homes,
    kinds: Vec<Box<dyn Kind>>,
    /// The end of the last step. What is newer in the app was changed by others.
    since: Tick,
    worlds: QueryState<Entity, (With<SubWorld>, Allow<Disabled>)>,
    running: QueryState<&'static mut SubWorld>,
    parents: QueryState<(Entity, Ref<'static, ChildOf>), (With<InWorld>, Allow<Disabled>)>,
}

impl FromWorld for Exchange {
    fn from_world(app: &mut World) -> Self {
        Self {
            homes: Homes::new(app),
            kinds: kinds(app),
            since: app.increment_change_tick(),
            worlds: QueryState::new(app),
            running: QueryState::new(app),
            parents: QueryState::new(app),
        }
    }
}

/// The number under which removals of `ChildOf` are logged.
const OF_PARENT: usize = usize::MAX;

/// Starts the exchange, and logs what is taken from members.
pub(crate) fn start(app: &mut App) {
    app.init_resource::<Removals>();
    let exchange = Exchange::from_world(app.world_mut());
    for (number, kind) in exchange.kinds.iter().enumerate() {
        kind.log_removals(app, number);
    }
    app.insert_resource(exchange);
    app.add_observer(
        |removed: On<Remove, ChildOf>, mut removals: ResMut<Removals>| {
            removals.0.push((OF_PARENT, removed.entity));
        },
    );
}

/// Steps the sub-worlds.
pub(crate) fn exchange(app: &mut World) {
    app.resource_scope(|app, mut exchange: Mut<Exchange>| {
        let exchange = &mut *exchange;
        let mut worlds: Vec<Entity> = exchange.worlds.iter(app).collect();
        worlds.sort_unstable();
        if worlds.is_empty() && exchange.homes.are_empty(app) {
            app.resource_mut::<Removals>().0.clear();
            app.resource_mut::<Leavers>().0.clear();
            exchange.since = app.increment_change_tick();
            return;
        }
        exchange.open(app, &worlds);
        exchange.bring(app, &worlds);
        let time = app.resource::<Time>().delta();
        exchange.step(app, time);
        exchange.fetch(app, &worlds);
        // What observers of the messages change belongs to the next step.
        exchange.since = app.increment_change_tick();
        tell(app, &worlds);
    });
}

impl Exchange {
    /// Prepares the worlds that have come.
    fn open(&self, app: &mut World, worlds: &[Entity]) {
        for &entity in worlds {
            let strangers = match app.get::<SubWorld>(entity) {
                Some(world) if !world.members.is_open => world.members.main_entities(),
                _ => continue,
            };
            let strangers: Vec<Entity> = strangers
                .into_iter()
                .filter(|main| app.get::<InWorld>(*main) != Some(&InWorld(entity)))
                .collect();
            let Some(mut sub_world) = app.get_mut::<SubWorld>(entity) else {
                continue;
            };
            let (world, members) = sub_world.parts();
            members.is_open = true;
            if !world.contains_resource::<Heard>() {
                listen(world);
            }
            if members.queries.is_empty() {
                members.queries = self.kinds.iter().map(|kind| kind.query(world)).collect();
            }
            // They have left while the world was away.
            for main in strangers {
                if let Some(sub) = members.remove(main) {
                    world.despawn(sub);
                }
            }
        }
    }

    /// Brings the edits of the app to the worlds.
    fn bring(&mut self, app: &mut World, worlds: &[Entity]) {
        let start = |sub_world: &mut SubWorld| {
            let (world, members) = sub_world.parts();
            members.ticks.brought[0] = world.increment_change_tick();
        };
        for_each(app, worlds, start);
        self.homes.let_go(app);
        let settled = self.homes.take_in(app, self.since);
        for &(main, home) in &settled {
            self.kinds
                .iter()
                .for_each(|kind| kind.bring_one(app, main, home));
            // Some have come with others, as defaults.
            self.kinds
                .iter()
                .for_each(|kind| kind.take_away(app, main, home));
        }
        let mut removals = std::mem::take(&mut app.resource_mut::<Removals>().0);
        removals.sort_unstable();
        removals.dedup();
        for &(number, main) in &removals {
            if let (Some(home), Some(kind)) = (self.homes.of(main), self.kinds.get(number)) {
                kind.take_away(app, main, home);
            }
        }
        for kind in &mut self.kinds {
            kind.bring(app, &self.homes, self.since);
        }
        self.bring_parents(app, &settled, &removals);
        for_each(app, worlds, |sub_world| {
            let (world, members) = sub_world.parts();
            members.ticks.brought[1] = world.increment_change_tick();
        });
    }

    /// Gives members the parents that they have in the app, if these are in the same world. Any other parent stays outside: there a
    /// member's `Transform` is its place in the world.
    fn bring_parents(
        &mut self,
        app: &mut World,
        settled: &[(Entity, Home)],
        removals: &[(usize, Entity)],
    ) {
        let now = app.change_tick();
        let newer = self.parents.iter(app);
        let newer = newer.filter(|(_, of)| of.last_changed().is_newer_than(self.since, now));
        let mut children: Vec<Entity> = newer.map(|(child, _)| child).collect();
        let removed = removals.iter().filter(|(number, _)| *number == OF_PARENT);
        children.extend(removed.map(|(_, child)| *child));
        for (main, _) in settled {
            children.push(*main);
            children.extend(app.get::<Children>(*main).into_iter().flatten());
        }
        let place = |child: Entity| {
            let parent = app.get::<ChildOf>(child)?.parent();
            let mut siblings = app.get::<Children>(parent)?.iter();
            Some((parent, siblings.position(|sibling| sibling == child)))
        };
        // A compound has its parts in the order in which it lists them.
        children.sort_by_cached_key(|child| (place(*child), *child));
        children.dedup();
        for child in children {
            let Some(home) = self.homes.of(child) else {
                continue;
            };
            let parent = app.get::<ChildOf>(child).map(ChildOf::parent);
            let parent = parent.and_then(|parent| self.homes.of(parent));
            let parent = parent.filter(|parent| parent.world == home.world);
            let Some(mut world) = app.get_mut::<SubWorld>(home.world) else {
                continue;
            };
            if let Ok(mut sub) = world.world_mut().get_entity_mut(home.sub) {
                match parent {
                    Some(parent) => drop(sub.insert(ChildOf(parent.sub))),
                    None => drop(sub.remove::<ChildOf>()),
                }
            }
        }
    }

    /// Makes the steps that are due, of all worlds at once.
    fn step(&mut self, app: &mut World, time: Duration) {
        let all = self.running.iter_mut(app);
        let mut due: Vec<(u32, Duration, Mut<SubWorld>)> = all
            .filter_map(|mut world| {
                let (count, length) = world.pass(time);
                (count > 0).then_some((count, length, world))
            })
            .collect();
        if let [(count, length, world)] = &mut due[..] {
            return world.make_steps(*count, *length);
        }
        // The longest work begins first.
        due.sort_by_key(|(count, _, world)| {
            let bodies = world.world().get_resource::<Bodies>();
            Reverse(*count as usize * bodies.map_or(0, Bodies::len))
        });
        ComputeTaskPool::get_or_init(TaskPool::default).scope(|scope| {
            for (count, length, mut world) in due {
                scope.spawn(async move { world.make_steps(count, length) });
            }
        });
    }

    /// Gives the results to the app.
    fn fetch(&mut self, app: &mut World, worlds: &[Entity]) {
        for &entity in worlds {
            self.fetch_births(app, entity);
        }
        for (number, kind) in self.kinds.iter_mut().enumerate() {
            kind.fetch(app, number, worlds);
        }
        for &entity in worlds {
            show_between(app, entity);
        }
        for_each(app, worlds, |sub_world| {
            let (world, members) = sub_world.parts();
            members.ticks.fetched = world.increment_change_tick();
        });
    }

    /// Spawns the bodies that the steps have made, and despawns those that they have absorbed.
    fn fetch_births(&mut self, app: &mut World, entity: Entity) {
        let Some(world) = app.get::<SubWorld>(entity) else {
            return;
        };
        let post = &world.members.post;
        let (divided, merged) = (post.divided.clone(), post.merged.clone());
        for Divided { first, second } in divided {
            let Some(mother) = main_entity(app, entity, first) else {
                continue;
            };
            let Ok(mut mother) = app.get_entity_mut(mother) else {
                continue;
            };
            let daughter = mother.clone_and_spawn();
            self.homes.insert(
                daughter,
                Home {
                    world: entity,
                    sub: second,
                },
            );
            let parent = app.get::<ChildOf>(daughter).map(ChildOf::parent);
            let is_member = parent.is_some_and(|parent| self.homes.of(parent).is_some());
            if is_member {
                // Her place is in the coordinates of the world.
                app.entity_mut(daughter).remove::<ChildOf>();
            }
            if let Some(mut world) = app.get_mut::<SubWorld>(entity) {
                world.members.insert(daughter, second);
            }
        }
        for Merged { absorbed, .. } in merged {
            if let Some(absorbed) = main_entity(app, entity, absorbed) {
                app.try_despawn(absorbed).ok();
            }
        }
    }
}

fn main_entity(app: &World, world: Entity, sub: Entity) -> Option<Entity> {
    app.get::<SubWorld>(world)?.main_entity(sub)
}

fn for_each(app: &mut World, worlds: &[Entity], mut work: impl FnMut(&mut SubWorld)) {
    for &entity in worlds {
        if let Some(mut world) = app.get_mut::<SubWorld>(entity) {
            work(&mut world);
        }
    }
}

/// Shows the members of a world at the time of its clock, if that is between two steps.
fn show_between(app: &mut World, entity: Entity) {
    let Some(mut sub_world) = app.get_mut::<SubWorld>(entity) else {
        return;
    };
    let (world, members) = sub_world.parts();
    if members.between.is_empty() {
        return;
    }
    let poses = members.between.poses(world);
    let mut shown = Vec::with_capacity(poses.len());
    for (sub, pose) in poses {
        members.shown.note(sub, pose);
        if let Some(main) = members.main_entity(sub) {
            shown.push((main, pose));
        }
    }
    for (main, pose) in shown {
        if let Some(mut transform) = app.get_mut::<Transform>(main) {
            *transform = pose;
        }
    }
}

/// Writes the messages of the worlds to the app, and triggers their events.
fn tell(app: &mut World, worlds: &[Entity]) {
    for &entity in worlds {
        let Some(mut sub_world) = app.get_mut::<SubWorld>(entity) else {
            continue;
        };
        let (world, members) = sub_world.parts();
        let (mut post, mut heard): (PostBox, Heard) = (members.post.take(), Heard::take(world));
        post.map(members);
        heard.map(members);
        post.send(app);
        heard.trigger(app);
    }
}

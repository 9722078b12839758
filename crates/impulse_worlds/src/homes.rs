//! Who is in which world: what comes, what goes, and what cannot come.

use bevy::{
    ecs::{
        change_detection::Tick,
        entity::{EntityHashMap, EntityHashSet},
        entity_disabling::Disabled,
        query::{Allow, QueryState},
    },
    prelude::*,
};
use bevy_impulse_collide::prelude::*;

use crate::sub_world::SubWorld;

/// Where a member is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Home {
    /// The entity with the world.
    pub world: Entity,
    /// The entity in that world that stands for the member.
    pub sub: Entity,
}

/// The entities that have left a world, or whose world has gone, since the last step.
#[derive(Resource, Default)]
pub(crate) struct Leavers(pub Vec<Entity>);

/// The homes of all members.
pub(crate) struct Homes {
    of: EntityHashMap<Home>,
    /// Those that cannot come, and why.
    homeless: EntityHashMap<InputProblem>,
    /// Those whose world was taken away or replaced.
    waiting: EntityHashSet,
    comers: QueryState<(Entity, Ref<'static, InWorld>), Allow<Disabled>>,
}

impl Homes {
    pub fn new(app: &mut World) -> Self {
        let mut members = app.query_filtered::<Entity, (With<InWorld>, Allow<Disabled>)>();
        Self {
            of: EntityHashMap::default(),
            homeless: EntityHashMap::default(),
            // Those that were there before the plugin.
            waiting: members.iter(app).collect(),
            comers: QueryState::new(app),
        }
    }

    /// The home of a member.
    pub fn of(&self, main: Entity) -> Option<Home> {
        self.of.get(&main).copied()
    }

    /// A body was born in a world, and this entity of the app stands for it.
    pub fn insert(&mut self, main: Entity, home: Home) {
        self.of.insert(main, home);
    }

    /// Whether there is nothing to do.
    pub fn are_empty(&mut self, app: &World) -> bool {
        self.of.is_empty() && self.comers.iter(app).next().is_none()
    }

    /// Lets those go that have left: their bodies are despawned in the worlds where they were.
    pub fn let_go(&mut self, app: &mut World) {
        let mut leavers = std::mem::take(&mut app.resource_mut::<Leavers>().0);
        leavers.sort_unstable();
        leavers.dedup();
        for main in leavers {
            self.homeless.remove(&main);
            let Some(home) = self.of(main) else {
                continue;
            };
            let stays = app.get::<InWorld>(main) == Some(&InWorld(home.world));
            let knows = |world: &SubWorld| world.sub_entity(main) == Some(home.sub);
            if !app.get::<SubWorld>(home.world).is_some_and(knows) {
                self.of.remove(&main);
                self.waiting.insert(main);
            } else if !stays {
                self.leave(app, main, home);
            }
        }
    }

    fn leave(&mut self, app: &mut World, main: Entity, home: Home) {
        self.of.remove(&main);
        if let Some(mut world) = app.get_mut::<SubWorld>(home.world) {
            let (world, members) = world.parts();
            members.remove(main);
            if let Ok(mut sub) = world.get_entity_mut(home.sub) {
                // Children of it may be members that stay.
                sub.remove::<Children>();
                sub.despawn();
            }
        }
    }

    /// Gives a home to those that have come since then, and tells who cannot come. Returns the new members, in the order of their
    /// entities.
    pub fn take_in(&mut self, app: &mut World, since: Tick) -> Vec<(Entity, Home)> {
        let now = app.change_tick();
        let comers = self.comers.iter(app);
        let is_new = |main: &Entity, tick: Tick| {
            tick.is_newer_than(since, now)
                || self.homeless.contains_key(main)
                || self.waiting.contains(main)
        };
        let mut comers: Vec<(Entity, Entity)> = comers
            .filter(|(main, of)| is_new(main, of.last_changed()))
            .map(|(main, of)| (main, of.0))
            .collect();
        comers.sort_unstable();
        self.waiting.clear();
        let mut welcome = Vec::new();
        for (main, to) in comers {
            let problem = if app.get::<SubWorld>(main).is_some() {
                Some(InputProblem::of::<InWorld>(
                    ProblemReason::OnWorld,
                    ProblemValue::Nothing,
                ))
            } else if app.get::<SubWorld>(to).is_none() {
                Some(InputProblem::of::<InWorld>(ProblemReason::WithoutWorld, to))
            } else {
                None
            };
            let old = self.of(main);
            if let Some(home) = old.filter(|home| home.world != to || problem.is_some()) {
                self.leave(app, main, home);
            }
            match problem {
                Some(problem) => {
                    let known = self.homeless.insert(main, problem);
                    if !known.is_some_and(|known| known.is_like(&problem)) {
                        let bad_input = BadInput {
                            entity: main,
                            problem,
                        };
                        bad_input.log(app.get::<Name>(main));
                        app.write_message(bad_input);
                    }
                }
                None => {
                    self.homeless.remove(&main);
                    if self.of(main).is_none() {
                        welcome.push((main, to));
                    }
                }
            }
        }
        self.settle(app, welcome)
    }

    /// Gives each an entity in its world.
    fn settle(&mut self, app: &mut World, comers: Vec<(Entity, Entity)>) -> Vec<(Entity, Home)> {
        let mut settled = Vec::new();
        let mut worlds: Vec<Entity> = comers.iter().map(|(_, world)| *world).collect();
        worlds.sort_unstable();
        worlds.dedup();
        for entity in worlds {
            let Some(mut sub_world) = app.get_mut::<SubWorld>(entity) else {
                continue;
            };
            let (world, members) = sub_world.parts();
            let here = comers.iter().filter(|(_, world)| *world == entity);
            // A joint may have named it before it came.
            let (known, new): (Vec<Entity>, Vec<Entity>) =
                here.map(|(main, _)| *main).partition(|main| {
                    members
                        .sub_entity(*main)
                        .is_some_and(|sub| world.get_entity(sub).is_ok())
                });
            // A step visits bodies in the order of their entities: these have the order of the app's.
            let mut subs: Vec<Entity> = new.iter().map(|_| world.spawn_empty().id()).collect();
            subs.sort_unstable();
            for (main, sub) in new.into_iter().zip(subs) {
                members.insert(main, sub);
                settled.push((main, Home { world: entity, sub }));
            }
            for main in known {
                if let Some(sub) = members.sub_entity(main) {
                    settled.push((main, Home { world: entity, sub }));
                }
            }
        }
        self.of.extend(settled.iter().copied());
        settled.sort_unstable_by_key(|(main, _)| *main);
        settled
    }
}

/// Notes who leaves, and takes the children of a member along.
pub(crate) fn watch(app: &mut App) {
    app.init_resource::<Leavers>()
        .add_observer(note_leaver)
        .add_observer(note_lost_world)
        .add_observer(take_children_along)
        .add_observer(follow_parent);
}

fn note_leaver(
    left: On<Remove, InWorld>,
    places: Query<(&InWorld, Option<&Children>), Allow<Disabled>>,
    members: Query<&InWorld, Allow<Disabled>>,
    mut leavers: ResMut<Leavers>,
    mut commands: Commands,
) {
    leavers.0.push(left.entity);
    let Ok((of, children)) = places.get(left.entity) else {
        return;
    };
    for child in children.into_iter().flatten() {
        if members.get(*child).ok() == Some(of) {
            commands.entity(*child).try_remove::<InWorld>();
        }
    }
}

fn note_lost_world(
    lost: On<Discard, SubWorld>,
    mut worlds: Query<(&mut SubWorld, Option<&WorldBodies>), Allow<Disabled>>,
    mut leavers: ResMut<Leavers>,
) {
    if let Ok((mut world, bodies)) = worlds.get_mut(lost.entity) {
        world.members.is_open = false;
        leavers
            .0
            .extend(bodies.into_iter().flat_map(|bodies| bodies.iter()));
    }
}

fn take_children_along(
    come: On<Insert, InWorld>,
    places: Query<(&InWorld, &Children), Allow<Disabled>>,
    members: Query<&InWorld, Allow<Disabled>>,
    mut commands: Commands,
) {
    let Ok((of, children)) = places.get(come.entity) else {
        return;
    };
    for &child in children {
        if members.get(child).ok() != Some(of) {
            commands.entity(child).try_insert(*of);
        }
    }
}

fn follow_parent(
    come: On<Insert, ChildOf>,
    children: Query<&ChildOf, Allow<Disabled>>,
    members: Query<&InWorld, Allow<Disabled>>,
    mut commands: Commands,
) {
    let Ok(of) = children.get(come.entity).map(ChildOf::parent) else {
        return;
    };
    if let Ok(world) = members.get(of)
        && members.get(come.entity).ok() != Some(world)
    {
        commands.entity(come.entity).try_insert(*world);
    }
}

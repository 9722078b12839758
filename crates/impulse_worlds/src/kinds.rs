//! The types of components that go to a sub-world and come back.

use std::any::{Any, TypeId};

use bevy::{
    ecs::{
        change_detection::Tick,
        component::Mutable,
        entity_disabling::Disabled,
        query::{Allow, QueryBuilder, QueryState},
        system::SystemState,
    },
    prelude::*,
};
use bevy_impulse_collide::{all_components, prelude::*};

use crate::{
    homes::{Home, Homes},
    members::{Inwards, Outwards, is_any_newer},
    sub_world::SubWorld,
};

/// A type of component that a body has both in the app and in its world.
pub(crate) trait Kind: Send + Sync {
    /// A query of a sub-world, to find what has changed there.
    fn query(&self, world: &mut World) -> Box<dyn Any + Send + Sync>;
    /// Brings the values that have changed in the app since then to the sub-worlds.
    fn bring(&mut self, app: &mut World, homes: &Homes, since: Tick);
    /// Gives a body of a sub-world the value of its entity in the app.
    fn bring_one(&self, app: &mut World, main: Entity, home: Home);
    /// Takes the value from a body of a sub-world, if its entity in the app has none.
    fn take_away(&self, app: &mut World, main: Entity, home: Home);
    /// Fetches the values that have changed in these sub-worlds. `number` is that of the kind.
    fn fetch(&mut self, app: &mut World, number: usize, worlds: &[Entity]);
    /// Logs each removal in the app under this number.
    fn log_removals(&self, app: &mut App, number: usize);
}

/// All kinds, but `ChildOf`.
pub(crate) fn kinds(app: &mut World) -> Vec<Box<dyn Kind>> {
    macro_rules! of_physics {
        ($($component:ty,)*) => {
            vec![$(Box::new(KindOf::<$component>::new(app)) as Box<dyn Kind>,)*]
        };
    }
    let mut kinds = all_components!(of_physics);
    kinds.push(Box::new(Motions(SystemState::new(app))));
    kinds.push(Box::new(KindOf::<Disabled>::new(app)));
    kinds.push(Box::new(KindOf::<Transform> {
        rules: Some(OF_TRANSFORM),
        ..KindOf::new(app)
    }));
    kinds
}

/// The components that were taken from members since the last step, by the numbers of their kinds.
#[derive(Resource, Default)]
pub(crate) struct Removals(pub Vec<(usize, Entity)>);

/// What is special about a kind.
struct Rules<C> {
    /// Whether it is what the app was given: others write the same values again and again.
    is_old: fn(&SubWorld, Entity, &C) -> bool,
    /// The app and the sub-world have this value now.
    note: fn(&mut SubWorld, Entity, &C),
    /// A user has set it.
    set: fn(&mut SubWorld, Entity),
}

/// Smoothing writes all transforms in each frame.
const OF_TRANSFORM: Rules<Transform> = Rules {
    is_old: |world, sub, transform| world.members.shown.is(sub, transform),
    note: |world, sub, transform| world.members.shown.note(sub, *transform),
    set: |world, sub| world.members.between.forget(sub),
};

type Members<C> = Query<'static, 'static, (Entity, Ref<'static, C>), With<InWorld>>;
type DisabledMembers<C> =
    Query<'static, 'static, (Entity, Ref<'static, C>), (With<InWorld>, With<Disabled>)>;
type WrittenMembers<C> = Query<'static, 'static, &'static mut C, (With<InWorld>, Allow<Disabled>)>;
type Worlds = Query<'static, 'static, &'static mut SubWorld, Allow<Disabled>>;
/// What a step may change of each body.
const IS_MOTION: [TypeId; 5] = [
    TypeId::of::<Transform>(),
    TypeId::of::<LinearVelocity>(),
    TypeId::of::<AngularVelocity>(),
    TypeId::of::<Acceleration>(),
    TypeId::of::<Sleep>(),
];

/// The values in a sub-world.
type Values<C> = QueryState<(Entity, Ref<'static, C>)>;

struct KindOf<C: Component<Mutability = Mutable>> {
    bringing: SystemState<(Members<C>, DisabledMembers<C>, Worlds)>,
    fetching: SystemState<(WrittenMembers<C>, Worlds)>,
    rules: Option<Rules<C>>,
}

impl<C: Component<Mutability = Mutable> + Clone> KindOf<C> {
    fn new(app: &mut World) -> Self {
        Self {
            bringing: SystemState::new(app),
            fetching: SystemState::new(app),
            rules: None,
        }
    }

    fn put(&self, world: &mut SubWorld, sub: Entity, mut value: C) {
        if let Some(rules) = &self.rules {
            (rules.note)(world, sub, &value);
            (rules.set)(world, sub);
        }
        let (world, members) = world.parts();
        C::map_entities(&mut value, &mut Inwards { members, world });
        if let Some(mut known) = world.get_mut::<C>(sub) {
            *known = value;
        } else if let Ok(mut sub) = world.get_entity_mut(sub) {
            sub.insert(value);
        }
    }
}

impl<C: Component<Mutability = Mutable> + Clone> Kind for KindOf<C> {
    fn query(&self, world: &mut World) -> Box<dyn Any + Send + Sync> {
        if !IS_MOTION.contains(&TypeId::of::<C>()) {
            return Box::new(Values::<C>::new(world));
        }
        // The others are those of `Motions`.
        let mut query = QueryBuilder::<(Entity, Ref<C>)>::new(world);
        query.or(|query| {
            query.without::<Transform>();
            query.without::<LinearVelocity>();
            query.without::<AngularVelocity>();
            query.without::<Acceleration>();
            query.without::<Sleep>();
        });
        Box::new(query.build())
    }

    fn bring(&mut self, app: &mut World, homes: &Homes, since: Tick) {
        let now = app.change_tick();
        let is_newer = |tick: Tick| tick.is_newer_than(since, now);
        let is_old = |home: Home, worlds: &Query<&mut SubWorld, Allow<Disabled>>, value: &C| {
            let Some(rules) = &self.rules else {
                return false;
            };
            let world = worlds.get(home.world);
            world.is_ok_and(|world| (rules.is_old)(world, home.sub, value))
        };
        let mut changed = Vec::new();
        let Ok((members, disabled, worlds)) = self.bringing.get_mut(app) else {
            return;
        };
        match members.contiguous_iter() {
            Ok(tables) => {
                for (entities, values) in tables {
                    let ticks = values.changed_ticks_slice();
                    if !is_any_newer(ticks, since, now) {
                        continue;
                    }
                    for (k, tick) in ticks.iter().enumerate() {
                        if is_newer(*tick)
                            && let Some(home) = homes.of(entities[k])
                            && !is_old(home, &worlds, &values[k])
                        {
                            changed.push((home, values[k].clone()));
                        }
                    }
                }
            }
            Err(_) => {
                let newer = members
                    .iter()
                    .filter(|(_, value)| is_newer(value.last_changed()));
                changed.extend(
                    newer.filter_map(|(main, value)| Some((homes.of(main)?, C::clone(&value)))),
                );
            }
        }
        let newer = disabled
            .iter()
            .filter(|(_, value)| is_newer(value.last_changed()));
        changed.extend(newer.filter_map(|(main, value)| Some((homes.of(main)?, C::clone(&value)))));
        for (home, value) in changed {
            if let Some(mut world) = app.get_mut::<SubWorld>(home.world) {
                self.put(&mut world, home.sub, value);
            }
        }
    }

    fn bring_one(&self, app: &mut World, main: Entity, home: Home) {
        if let Some(value) = app.get::<C>(main).cloned()
            && let Some(mut world) = app.get_mut::<SubWorld>(home.world)
        {
            self.put(&mut world, home.sub, value);
        }
    }

    fn take_away(&self, app: &mut World, main: Entity, home: Home) {
        if app.get::<C>(main).is_none()
            && let Some(mut world) = app.get_mut::<SubWorld>(home.world)
            && let Ok(mut sub) = world.world_mut().get_entity_mut(home.sub)
        {
            sub.remove::<C>();
        }
    }

    fn fetch(&mut self, app: &mut World, number: usize, worlds: &[Entity]) {
        let mut inserted = Vec::new();
        let Ok((mut members, mut all)) = self.fetching.get_mut(app) else {
            return;
        };
        for &entity in worlds {
            let Ok(mut sub_world) = all.get_mut(entity) else {
                continue;
            };
            let sub_world = &mut *sub_world;
            let mut notes = Vec::new();
            let (world, known) = sub_world.parts();
            let mut queries = std::mem::take(&mut known.queries);
            let Some(query) = queries[number].downcast_mut::<Values<C>>() else {
                continue;
            };
            let (ticks, now) = (known.ticks, world.change_tick());
            let mut fetch = |sub: Entity, value: &C| {
                let Some(main) = known.main_entity(sub) else {
                    return;
                };
                let mut value = value.clone();
                C::map_entities(&mut value, &mut Outwards(known));
                if self.rules.is_some() {
                    notes.push((sub, value.clone()));
                }
                match members.get_mut(main) {
                    Ok(mut known) => *known = value,
                    Err(_) => inserted.push((main, value)),
                }
            };
            match query.contiguous_iter(world) {
                Ok(tables) => {
                    for (entities, values) in tables {
                        let changed = values.changed_ticks_slice();
                        if !ticks.may_have_news(changed, now) {
                            continue;
                        }
                        for (k, tick) in changed.iter().enumerate() {
                            if ticks.is_news(*tick, now) {
                                fetch(entities[k], &values[k]);
                            }
                        }
                    }
                }
                Err(_) => {
                    for (sub, value) in query.iter(world) {
                        if ticks.is_news(value.last_changed(), now) {
                            fetch(sub, &value);
                        }
                    }
                }
            }
            known.queries = queries;
            if let Some(rules) = &self.rules {
                for (sub, value) in &notes {
                    (rules.note)(sub_world, *sub, value);
                }
            }
        }
        for (main, value) in inserted {
            if let Ok(mut main) = app.get_entity_mut(main) {
                main.insert(value);
            }
        }
    }

    fn log_removals(&self, app: &mut App, number: usize) {
        app.add_observer(
            move |removed: On<Remove, C>,
                  members: Query<(), (With<InWorld>, Allow<Disabled>)>,
                  mut removals: ResMut<Removals>| {
                if members.contains(removed.entity) {
                    removals.0.push((number, removed.entity));
                }
            },
        );
    }
}

/// The components of [`IS_MOTION`] together: nearly all that comes back from a step.
struct Motions(SystemState<(MovedMembers, Worlds)>);

type MovedMembers = Query<
    'static,
    'static,
    (
        &'static mut Transform,
        &'static mut LinearVelocity,
        &'static mut AngularVelocity,
        &'static mut Acceleration,
        &'static mut Sleep,
    ),
    (With<InWorld>, Allow<Disabled>),
>;

/// The motions in a sub-world.
type Moved = QueryState<(
    Entity,
    Ref<'static, Transform>,
    Ref<'static, LinearVelocity>,
    Ref<'static, AngularVelocity>,
    Ref<'static, Acceleration>,
    Ref<'static, Sleep>,
)>;

impl Kind for Motions {
    fn query(&self, world: &mut World) -> Box<dyn Any + Send + Sync> {
        Box::new(Moved::new(world))
    }

    fn bring(&mut self, _: &mut World, _: &Homes, _: Tick) {}

    fn bring_one(&self, _: &mut World, _: Entity, _: Home) {}

    fn take_away(&self, _: &mut World, _: Entity, _: Home) {}

    fn fetch(&mut self, app: &mut World, number: usize, worlds: &[Entity]) {
        let mut inserted = Vec::new();
        let Ok((mut members, mut all)) = self.0.get_mut(app) else {
            return;
        };
        for &entity in worlds {
            let Ok(mut sub_world) = all.get_mut(entity) else {
                continue;
            };
            let (world, known) = sub_world.parts();
            let mut queries = std::mem::take(&mut known.queries);
            let mut shown = std::mem::take(&mut known.shown);
            let (ticks, now) = (known.ticks, world.change_tick());
            let is_news = |tick: &Tick| ticks.is_news(*tick, now);
            // There is no error: all of these components lie in tables.
            let query = queries[number].downcast_mut::<Moved>();
            let tables = query.and_then(|query| query.contiguous_iter(world).ok());
            for (entities, x, v, w, a, sleep) in tables.into_iter().flatten() {
                let changed = (
                    x.changed_ticks_slice(),
                    v.changed_ticks_slice(),
                    w.changed_ticks_slice(),
                    a.changed_ticks_slice(),
                    sleep.changed_ticks_slice(),
                );
                for (k, &sub) in entities.iter().enumerate() {
                    let news = (
                        is_news(&changed.0[k]),
                        is_news(&changed.1[k]),
                        is_news(&changed.2[k]),
                        is_news(&changed.3[k]),
                        is_news(&changed.4[k]),
                    );
                    if news == (false, false, false, false, false) {
                        continue;
                    }
                    let Some(main) = known.main_entity(sub) else {
                        continue;
                    };
                    if news.0 {
                        shown.note(sub, x[k]);
                    }
                    let Ok(mut to) = members.get_mut(main) else {
                        inserted.push((main, (x[k], v[k], w[k], a[k], sleep[k])));
                        continue;
                    };
                    if news.0 {
                        *to.0 = x[k];
                    }
                    if news.1 {
                        *to.1 = v[k];
                    }
                    if news.2 {
                        *to.2 = w[k];
                    }
                    if news.3 {
                        *to.3 = a[k];
                    }
                    if news.4 {
                        *to.4 = sleep[k];
                    }
                }
            }
            (known.queries, known.shown) = (queries, shown);
        }
        for (main, motion) in inserted {
            if let Ok(mut main) = app.get_entity_mut(main) {
                main.insert(motion);
            }
        }
    }

    fn log_removals(&self, _: &mut App, _: usize) {}
}

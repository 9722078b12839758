//! Plays a recording: the same steps, to the same bits.

use std::{collections::BTreeSet, fmt, num::NonZero, sync::Arc};

use bevy::{ecs::message::MessageCursor, prelude::*, time::TimePlugin};
use bevy_impulse_collide::{
    prelude::*,
    schedule::{AfterStep, BeforeStep},
    snapshot::save_physics,
};

use crate::{
    kinds::{kinds, settings},
    recording::{Recording, Step},
    state_hash::{self, StateHash},
    values::{Difference, Map, Values},
};

/// The recording that a world plays. [`play`] adds it.
#[derive(Resource)]
pub struct Replay {
    recording: Arc<Recording>,
    map: Map,
    hash: StateHash,
    divided: MessageCursor<Divided>,
    /// The segment and the step that come next.
    at: (usize, usize),
    made: usize,
    left_at: Option<usize>,
    outcome: Outcome,
}

/// How a replay stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It goes on.
    Playing,
    /// It has come to its end, and all steps ended in the recorded bits.
    SameBits {
        /// The number of steps.
        steps: usize,
    },
    /// A step ended in other bits.
    LeftTheBits {
        /// The first such step, counted from one.
        step: usize,
        /// A value that differs: at the next moment after that step of which the recording has the values.
        difference: Option<Difference>,
    },
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Playing => write!(f, "playing"),
            Self::SameBits { steps: 1 } => write!(f, "same bits for 1 step"),
            Self::SameBits { steps } => write!(f, "same bits for {steps} steps"),
            Self::LeftTheBits { step, difference } => {
                write!(f, "left the bits at step {step}")?;
                match difference {
                    Some(Difference {
                        steps,
                        entity,
                        component,
                        recorded,
                        here,
                    }) => write!(
                        f,
                        ": after step {steps}, entity {entity} has the {component} {here}, and was recorded with {recorded}"
                    ),
                    None => Ok(()),
                }
            }
        }
    }
}

impl Replay {
    /// How it stands.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// The steps that were made.
    pub fn steps_made(&self) -> usize {
        self.made
    }

    /// The recording.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// The entity that stands for a recorded one.
    pub fn entity(&self, recorded: Entity) -> Option<Entity> {
        self.map.0.get(&recorded).copied()
    }

    /// The length of the step that comes next; `None` at the end.
    pub fn next_length(&self) -> Option<std::time::Duration> {
        self.next().map(|step| step.length)
    }

    fn next(&self) -> Option<&Step> {
        self.recording.step(self.at)
    }
}

impl Recording {
    /// Why this build may not come to the same bits, if there is a reason.
    pub fn doubt(&self) -> Option<String> {
        let mut doubts = Vec::new();
        let version = env!("CARGO_PKG_VERSION");
        if self.header.version != version {
            doubts.push(format!(
                "it was written by version {}, and this is {version}",
                self.header.version
            ));
        }
        if self.header.build != state_hash::build() {
            doubts.push(
                "it was written by another build, whose physics ends in other bits".to_owned(),
            );
        }
        doubts.extend(self.header.misses.iter().cloned());
        (!doubts.is_empty()).then(|| doubts.join("; "))
    }
}

/// Puts the recorded world into an app that has the physics and no bodies, and lets each step of it be the next one of the recording.
/// [`Replay`] tells how it stands.
pub fn play(recording: Recording, app: &mut App) {
    app.init_schedule(BeforeStep)
        .init_schedule(AfterStep)
        .add_systems(BeforeStep, apply_edits)
        .add_systems(AfterStep, compare);
    if let Some(length) = recording.step_length() {
        app.insert_resource(Time::<Fixed>::from_duration(length));
    }
    let world = app.world_mut();
    let mut replay = Replay {
        map: Map::default(),
        hash: StateHash::new(world),
        divided: MessageCursor::default(),
        at: (0, 0),
        made: 0,
        left_at: None,
        outcome: Outcome::Playing,
        recording: Arc::new(recording),
    };
    let recording = replay.recording.clone();
    // A step visits bodies, joints and parts in the order of their entities: the new ones have the order of the recorded ones.
    let named = recording.named();
    let mut entities: Vec<Entity> = named.iter().map(|_| world.spawn_empty().id()).collect();
    entities.sort_unstable();
    replay.map.0.extend(named.into_iter().zip(entities));
    if let Some(first) = recording.segments.first() {
        first
            .frame
            .values
            .iter()
            .for_each(|values| values.put(world, &mut replay.map));
        remove_others(&first.frame.values, world, &replay.map);
        for kind in settings() {
            let set = first
                .frame
                .settings
                .iter()
                .find(|setting| setting.name() == kind.name);
            match set {
                Some(setting) => setting.put(world, &mut replay.map),
                None => (kind.remove)(world),
            }
        }
    }
    world.insert_resource(replay);
}

/// Removes the components that came with others, and that the recorded entities had lost.
fn remove_others(values: &[Arc<dyn Values>], world: &mut World, map: &Map) {
    for kind in kinds() {
        let with = values.iter().filter(|values| values.name() == kind.name);
        let with: BTreeSet<Entity> = with.flat_map(|values| values.entities()).collect();
        for (recorded, &entity) in &map.0 {
            if !with.contains(recorded) && (kind.has)(world, entity) {
                (kind.remove)(&mut world.entity_mut(entity));
            }
        }
    }
}

fn apply_edits(world: &mut World) {
    world.resource_scope(|world, mut replay: Mut<Replay>| {
        let recording = replay.recording.clone();
        let Some(step) = recording.step(replay.at) else {
            return;
        };
        let map = &mut replay.map;
        for entity in &step.edits.despawned {
            if let Some(&entity) = map.0.get(entity)
                && let Ok(entity) = world.get_entity_mut(entity)
            {
                entity.despawn();
            }
        }
        step.edits
            .values
            .iter()
            .for_each(|values| values.put(world, map));
        let (kinds, settings) = (kinds(), settings());
        for (kind, entity) in &step.edits.removed {
            if let Some(&entity) = map.0.get(entity)
                && let Ok(mut entity) = world.get_entity_mut(entity)
            {
                (kinds[*kind].remove)(&mut entity);
            }
        }
        step.edits
            .unset
            .iter()
            .for_each(|kind| (settings[*kind].remove)(world));
        step.edits
            .settings
            .iter()
            .for_each(|setting| setting.put(world, map));
        // Whoever asks for the step, it is as long as the recorded one.
        let mut clock = world.get_resource_or_init::<Time>();
        if clock.delta() != step.length {
            clock.advance_by(step.length);
        }
    });
}

fn compare(world: &mut World) {
    world.resource_scope(|world, mut replay: Mut<Replay>| {
        let replay = &mut *replay;
        let recording = replay.recording.clone();
        let Some(step) = recording.step(replay.at) else {
            return;
        };
        replay.meet_born(world, &step.born);
        replay.made += 1;
        replay.at.1 += 1;
        if replay.left_at.is_none() && step.hash.is_some_and(|hash| hash != replay.hash.of(world)) {
            replay.left_at = Some(replay.made);
        }
        if replay.at.1 < recording.segments[replay.at.0].steps.len() {
            return;
        }
        replay.at = (replay.at.0 + 1, 0);
        match recording.segments.get(replay.at.0) {
            Some(next) => {
                // The recorded world started anew from its key frame.
                save_physics(world);
                if !next.steps.is_empty() {
                    replay.decide(world, &next.frame.values, false);
                    return;
                }
                replay.decide(world, &recording.end, true);
            }
            None => replay.decide(world, &recording.end, true),
        }
    });
}

impl Replay {
    /// The bodies that the step has made stand for those that the recorded one made.
    fn meet_born(&mut self, world: &mut World, born: &[(Entity, Entity)]) {
        let Some(messages) = world.get_resource::<Messages<Divided>>() else {
            return;
        };
        let mut divided: Vec<Divided> = self.divided.read(messages).copied().collect();
        for (first, second) in born {
            let first = self.map.0.get(first).copied();
            let Some(at) = divided.iter().position(|it| Some(it.first) == first) else {
                continue;
            };
            if let Some(unused) = self.map.0.insert(*second, divided.remove(at).second) {
                world.despawn(unused);
            }
        }
    }

    /// Finds what differs, or that the end is there without it.
    fn decide(&mut self, world: &World, values: &[Arc<dyn Values>], is_end: bool) {
        if self.outcome != Outcome::Playing {
            return;
        }
        if let Some(step) = self.left_at {
            let map = &mut self.map;
            let difference = values
                .iter()
                .find_map(|values| values.difference(world, map));
            if difference.is_some() || is_end {
                let steps = self.made;
                self.outcome = Outcome::LeftTheBits {
                    step,
                    difference: difference.map(|it| Difference { steps, ..it }),
                };
            }
        } else if is_end {
            self.outcome = Outcome::SameBits { steps: self.made };
        }
    }
}

/// Plays a recording without a window, as fast as it can, on so many compute threads beside this one; `None`: one on each core.
pub fn play_headless(recording: Recording, threads: Option<NonZero<usize>>) -> Outcome {
    let mut app = App::new();
    if let Some(threads) = threads {
        let mut pools = TaskPoolPlugin::default();
        let compute = &mut pools.task_pool_options.compute;
        (compute.min_threads, compute.max_threads) = (threads.get() - 1, threads.get() - 1);
        app.add_plugins(pools);
    }
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }));
    play(recording, &mut app);
    let world = app.world_mut();
    while let Some(length) = world.resource::<Replay>().next_length() {
        bevy_impulse_collide::step(world, length);
        if *world.resource::<Replay>().outcome() != Outcome::Playing {
            break;
        }
        // Messages and removals live for two frames.
        world.clear_trackers();
    }
    world.resource::<Replay>().outcome().clone()
}

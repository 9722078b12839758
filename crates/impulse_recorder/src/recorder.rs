//! The recorder: it keeps the last seconds of the world in memory.

use std::{
    collections::{BTreeSet, VecDeque},
    path::PathBuf,
    sync::Arc,
};

use bevy::{
    ecs::{change_detection::Tick, entity_disabling::Disabled, message::MessageCursor},
    prelude::*,
};
use bevy_impulse_collide::{
    prelude::*,
    runs_users_systems,
    schedule::{AfterStep, BeforeStep},
    snapshot::save_physics,
};

use crate::{
    kinds::{AnyBody, Kind, Removals, SettingKind, Watch, kinds, log_removals, settings},
    recording::{Edits, Frame, Header, Recording, Segment, Step},
    state_hash::StateHash,
    values::{Values, short_name},
};

/// Keeps the last seconds of the physics in memory, and writes them to a file on a key, or when a value cannot be used.
///
/// Add it after [`ImpulseCollidePlugin`]. A key frame lets the world start anew from it, as
/// [`PhysicsSnapshot::take`](bevy_impulse_collide::snapshot::PhysicsSnapshot::take) does: a world that is recorded ends in other bits
/// than one that is not.
#[derive(Clone, Debug)]
pub struct RecorderPlugin {
    /// A recording has at least so many simulated seconds, if the world is that old. Default: 10.
    pub seconds: f32,
    /// Simulated seconds from one key frame to the next. A recording begins with a key frame, so it may be longer by so much.
    /// Default: 5.
    pub key_frame_every: f32,
    /// The key that writes a file. Default: F12. `None`: no key does.
    pub key: Option<KeyCode>,
    /// Whether the first [`BadInput`] of a run writes a file. Default: true.
    pub on_bad_input: bool,
    /// The folder of the files. Default: the current one.
    pub folder: PathBuf,
}

impl Default for RecorderPlugin {
    fn default() -> Self {
        Self {
            seconds: 10.0,
            key_frame_every: 5.0,
            key: Some(KeyCode::F12),
            on_bad_input: true,
            folder: PathBuf::new(),
        }
    }
}

impl Plugin for RecorderPlugin {
    fn build(&self, app: &mut App) {
        let world = app.world_mut();
        log_removals(world);
        let recorder = Recorder {
            settings: self.clone(),
            kinds: kinds(),
            watches: kinds().iter().map(|kind| (kind.watch)(world)).collect(),
            setting_kinds: settings(),
            are_set: Vec::new(),
            segments: VecDeque::new(),
            next: None,
            step_end: None,
            parents: BTreeSet::new(),
            hash: StateHash::new(world),
            divided: MessageCursor::default(),
            bad_input: MessageCursor::default(),
            wanted: None,
            has_told_bad_input: false,
            misses: Vec::new(),
        };
        app.insert_resource(recorder)
            .init_schedule(BeforeStep)
            .init_schedule(AfterStep)
            .add_systems(BeforeStep, note_edits)
            .add_systems(AfterStep, note_step);
        crate::files::plugin(app);
    }
}

/// The recorder of a world. [`RecorderPlugin`] adds it.
#[derive(Resource)]
pub struct Recorder {
    pub(crate) settings: RecorderPlugin,
    kinds: Vec<Kind>,
    watches: Vec<Box<dyn Watch>>,
    setting_kinds: Vec<SettingKind>,
    /// The resources that were there after the last step.
    are_set: Vec<bool>,
    segments: VecDeque<Arc<Segment>>,
    /// The step that is being made.
    next: Option<Step>,
    /// The end of the last step. What is newer came from outside.
    step_end: Option<Tick>,
    /// The entities above bodies that are no bodies.
    parents: BTreeSet<Entity>,
    hash: StateHash,
    divided: MessageCursor<Divided>,
    bad_input: MessageCursor<BadInput>,
    /// Why a file is to be written after this step.
    pub(crate) wanted: Option<String>,
    has_told_bad_input: bool,
    misses: Vec<String>,
}

impl Recorder {
    /// The number of steps that it holds.
    pub fn steps(&self) -> usize {
        self.segments
            .iter()
            .map(|segment| segment.steps.len())
            .sum()
    }

    /// Everything, just before a step or just after one.
    fn frame(&mut self, world: &mut World) -> Frame {
        save_physics(world);
        self.find_parents(world);
        let watches = self.watches.iter_mut();
        let values = watches.map(|watch| watch.all(world, &self.parents));
        let values = values.filter(|values| !values.is_empty()).collect();
        let settings = self
            .setting_kinds
            .iter()
            .filter_map(|kind| (kind.changed)(world, None));
        Frame {
            values,
            settings: settings.collect(),
        }
    }

    fn find_parents(&mut self, world: &mut World) {
        let mut bodies =
            world.query_filtered::<Entity, (AnyBody, With<ChildOf>, Allow<Disabled>)>();
        self.parents.clear();
        for body in bodies.iter(world) {
            note_parents(world, body, &mut self.parents, |_| ());
        }
    }

    fn begin(&mut self, world: &mut World) {
        let frame = self.frame(world);
        self.segments.clear();
        self.segments
            .push_back(Arc::new(Segment { frame, ..default() }));
    }

    fn edits(&mut self, world: &mut World, since: Tick) -> Edits {
        let mut edits = Edits::default();
        // No replay has seen how they have moved in another world.
        let mut from_other_worlds = BTreeSet::new();
        for (number, entity) in std::mem::take(&mut world.resource_mut::<Removals>().0) {
            if world.get_entity(entity).is_err() {
                edits.despawned.push(entity);
            } else if !(self.kinds[number].has)(world, entity) {
                edits.removed.push((number, entity));
                if self.kinds[number].name == short_name::<InWorld>() {
                    from_other_worlds.insert(entity);
                }
            }
        }
        edits.despawned.sort_unstable();
        edits.despawned.dedup();
        edits.removed.sort_unstable();
        edits.removed.dedup();
        self.parents
            .retain(|&parent| world.get_entity(parent).is_ok());
        // A body that has come under a parent makes that one count.
        let mut new_parents = BTreeSet::new();
        for watch in &mut self.watches {
            let values = watch.changed(world, &self.parents, since);
            if watch.name() == "ChildOf" {
                for child in values.entities() {
                    note_parents(world, child, &mut self.parents, |new| {
                        new_parents.insert(new);
                    });
                }
            }
            if !values.is_empty() {
                edits.values.push(values);
            }
        }
        if !new_parents.is_empty() {
            let all = self
                .watches
                .iter_mut()
                .filter(|watch| watch.is_of_parents());
            for values in all.map(|watch| watch.of(world, &new_parents)) {
                if !values.is_empty() {
                    edits.values.push(values);
                }
            }
        }
        if !from_other_worlds.is_empty() {
            let watches = self.watches.iter();
            let values = watches.map(|watch| watch.of(world, &from_other_worlds));
            edits
                .values
                .extend(values.filter(|values| !values.is_empty()));
        }
        for (number, kind) in self.setting_kinds.iter().enumerate() {
            edits.settings.extend((kind.changed)(world, Some(since)));
            if self.are_set.get(number) == Some(&true) && !(kind.exists)(world) {
                edits.unset.push(number);
            }
        }
        edits
    }

    /// Notes what a recording cannot hold, and tells it once.
    fn note_misses(&mut self, world: &World) {
        if self.misses.is_empty() && runs_users_systems(world) {
            let miss = "systems of the game run within the steps (ImpulseStep, PairHooks): a replay without them leaves the bits";
            warn!("Recorder: {miss}");
            self.misses.push(miss.to_owned());
        }
    }

    /// The motions now.
    fn motions(&mut self, world: &World) -> Vec<Arc<dyn Values>> {
        let kinds = self.kinds.iter().zip(&mut self.watches);
        let motions = kinds.filter(|(kind, _)| kind.is_motion);
        motions
            .map(|(_, watch)| watch.all(world, &self.parents))
            .collect()
    }
}

/// Adds the entities above this one that are no bodies, and calls `tell` with the new ones.
fn note_parents(
    world: &World,
    child: Entity,
    parents: &mut BTreeSet<Entity>,
    mut tell: impl FnMut(Entity),
) {
    let mut at = child;
    while let Some(parent) = world.get::<ChildOf>(at).map(ChildOf::parent) {
        let is_body = world.get_entity(parent).is_ok_and(|it| {
            it.contains::<Particle>()
                || it.contains::<Capsule>()
                || it.contains::<Plane>()
                || it.contains::<Collider>()
                || it.contains::<Compound>()
        });
        if !is_body && parents.insert(parent) {
            tell(parent);
        }
        at = parent;
    }
}

/// The last seconds of this world, from its key frame to its last step; `None` if there is no step yet. If you have caught a panic of
/// a step, that step is the last one.
///
/// Call it after a step, before anything is changed: then a replay that leaves the bits can tell which body has another value at the
/// end.
pub fn recording_of(world: &mut World, why: &str) -> Option<Recording> {
    world.try_resource_scope(|world, mut recorder: Mut<Recorder>| {
        let mut segments: Vec<Arc<Segment>> = recorder.segments.iter().cloned().collect();
        let end = match (&recorder.next, segments.last_mut()) {
            // The step that runs has panicked.
            (Some(next), Some(last)) => {
                Arc::make_mut(last).steps.push(next.clone());
                Vec::new()
            }
            _ => recorder.motions(world),
        };
        let has_steps = segments.iter().any(|segment| !segment.steps.is_empty());
        has_steps.then(|| Recording {
            header: Header::of_this_build(why, &recorder.misses),
            segments,
            end,
        })
    })?
}

fn note_edits(world: &mut World) {
    world.resource_scope(|world, mut recorder: Mut<Recorder>| {
        // Only steps write these. If something else has, the past was put back or forgotten, and no edit can tell that.
        let is_same_past = |since: &Tick| {
            let bodies = world.get_resource_ref::<Bodies>();
            let now = world.read_change_tick();
            bodies.is_none_or(|bodies| !bodies.last_changed().is_newer_than(*since, now))
        };
        let edits = match recorder.step_end.filter(is_same_past) {
            Some(since) => recorder.edits(world, since),
            None => {
                recorder.begin(world);
                Edits::default()
            }
        };
        recorder.note_misses(world);
        recorder.next = Some(Step {
            edits,
            length: world.resource::<Time>().delta(),
            ..default()
        });
    });
}

fn note_step(world: &mut World) {
    let wanted = world.resource_scope(|world, mut recorder: Mut<Recorder>| {
        let recorder = &mut *recorder;
        let mut step = recorder.next.take()?;
        step.hash = Some(recorder.hash.of(world));
        let divided = world.resource::<Messages<Divided>>();
        step.born = recorder
            .divided
            .read(divided)
            .map(|it| (it.first, it.second))
            .collect();
        if let Some(segment) = recorder.segments.back_mut() {
            let segment = Arc::make_mut(segment);
            segment.length += step.length;
            segment.steps.push(step);
        }
        let bad_input = world.resource::<Messages<BadInput>>();
        let first_bad = recorder.bad_input.read(bad_input).next();
        if let Some(bad) = first_bad
            && recorder.settings.on_bad_input
            && !recorder.has_told_bad_input
        {
            recorder.has_told_bad_input = true;
            let why = format!("BadInput of {}: {}", bad.entity, bad.problem);
            recorder.wanted.get_or_insert(why);
        }
        recorder.wanted.take()
    });
    // It is written before the next key frame, which may drop the oldest steps.
    if let Some(why) = wanted {
        crate::files::write_recording(world, &why);
    }
    world.resource_scope(|world, mut recorder: Mut<Recorder>| recorder.turn(world));
}

impl Recorder {
    /// Takes a key frame if it is time, drops what is too old, and ends the step.
    fn turn(&mut self, world: &mut World) {
        let length = |segment: &Arc<Segment>| segment.length.as_secs_f64();
        // A clock in whole nanoseconds is late by some.
        let is_due = |length: f64, limit: f32| length + 1e-6 >= f64::from(limit);
        if self
            .segments
            .back()
            .is_some_and(|last| is_due(length(last), self.settings.key_frame_every))
        {
            let frame = self.frame(world);
            self.segments
                .push_back(Arc::new(Segment { frame, ..default() }));
            let mut kept: f64 = self.segments.iter().map(length).sum();
            while let Some(first) = self.segments.front() {
                kept -= length(first);
                if self.segments.len() == 1 || !is_due(kept, self.settings.seconds) {
                    break;
                }
                self.segments.pop_front();
            }
        }
        for watch in &mut self.watches {
            watch.end_step(world);
        }
        self.are_set = self
            .setting_kinds
            .iter()
            .map(|kind| (kind.exists)(world))
            .collect();
        world.resource_mut::<Removals>().0.clear();
        self.step_end = Some(world.increment_change_tick());
    }
}

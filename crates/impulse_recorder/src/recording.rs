//! A recording: a world at one moment, and what came into it from outside before each step after that.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use bevy::prelude::*;

use crate::{kinds::Setting, state_hash, values::Values};

/// The last seconds of a world: enough to make the same steps again, to the same bits.
#[derive(Clone)]
pub struct Recording {
    /// What the file says of itself.
    pub header: Header,
    /// One after the other. The first one begins with the whole world.
    pub(crate) segments: Vec<Arc<Segment>>,
    /// The motions at the end, if they are known.
    pub(crate) end: Vec<Arc<dyn Values>>,
}

/// What a recording says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The version of this crate.
    pub version: String,
    /// The system and the processor.
    pub system: String,
    /// A number that stands for the physics of the build: builds that step to other bits have another one.
    pub build: u64,
    /// Why it was written.
    pub why: String,
    /// What the world has that a recording cannot hold.
    pub misses: Vec<String>,
}

impl Header {
    /// That of a recording which this build makes.
    pub fn of_this_build(why: &str, misses: &[String]) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            build: state_hash::build(),
            why: why.replace('\n', " "),
            misses: misses.to_vec(),
        }
    }
}

/// Steps that begin with a key frame.
#[derive(Clone, Default)]
pub(crate) struct Segment {
    pub frame: Frame,
    pub steps: Vec<Step>,
    /// Of all steps.
    pub length: Duration,
}

/// A world at one moment. Of a later segment of a file, only the motions: to compare.
#[derive(Clone, Default)]
pub(crate) struct Frame {
    pub values: Vec<Arc<dyn Values>>,
    pub settings: Vec<Arc<dyn Setting>>,
}

/// What came into the world since the step before, and the step.
#[derive(Clone, Default)]
pub(crate) struct Step {
    pub edits: Edits,
    pub length: Duration,
    /// The motions after the step, as a hash. `None`: the step has not come to its end.
    pub hash: Option<u64>,
    /// The bodies that have divided in the step, each with the new one.
    pub born: Vec<(Entity, Entity)>,
}

/// What came into the world from outside the physics.
#[derive(Clone, Default)]
pub(crate) struct Edits {
    pub values: Vec<Arc<dyn Values>>,
    /// The numbers of the kinds of components, each with an entity that lost one.
    pub removed: Vec<(usize, Entity)>,
    pub despawned: Vec<Entity>,
    pub settings: Vec<Arc<dyn Setting>>,
    /// The numbers of the kinds of resources that are gone.
    pub unset: Vec<usize>,
}

impl Edits {
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
            && self.removed.is_empty()
            && self.despawned.is_empty()
            && self.settings.is_empty()
            && self.unset.is_empty()
    }
}

impl Recording {
    /// A step of a segment, by their numbers.
    pub(crate) fn step(&self, (segment, step): (usize, usize)) -> Option<&Step> {
        self.segments.get(segment)?.steps.get(step)
    }

    /// The number of steps.
    pub fn steps(&self) -> usize {
        self.segments
            .iter()
            .map(|segment| segment.steps.len())
            .sum()
    }

    /// Its length in simulated seconds.
    pub fn seconds(&self) -> f64 {
        let lengths = self.segments.iter().map(|segment| segment.length);
        lengths.sum::<Duration>().as_secs_f64()
    }

    /// The length of the first step.
    pub fn step_length(&self) -> Option<Duration> {
        let first = self.segments.first()?.steps.first()?;
        Some(first.length)
    }

    /// The number of entities that it begins with.
    pub fn entities(&self) -> usize {
        let values = self
            .segments
            .first()
            .into_iter()
            .flat_map(|it| &it.frame.values);
        values
            .flat_map(|values| values.entities())
            .collect::<BTreeSet<_>>()
            .len()
    }

    /// The number of steps before which something was changed from outside.
    pub fn edited_steps(&self) -> usize {
        let steps = self.segments.iter().flat_map(|it| &it.steps);
        steps.filter(|step| !step.edits.is_empty()).count()
    }

    /// All entities that it names, in their order.
    pub(crate) fn named(&self) -> BTreeSet<Entity> {
        let mut named = BTreeSet::new();
        for segment in &self.segments {
            segment
                .frame
                .values
                .iter()
                .for_each(|values| values.named(&mut named));
            segment
                .frame
                .settings
                .iter()
                .for_each(|setting| setting.named(&mut named));
            for Step { edits, born, .. } in &segment.steps {
                edits
                    .values
                    .iter()
                    .for_each(|values| values.named(&mut named));
                edits
                    .settings
                    .iter()
                    .for_each(|setting| setting.named(&mut named));
                named.extend(edits.removed.iter().map(|(_, entity)| *entity));
                named.extend(&edits.despawned);
                named.extend(born.iter().flat_map(|(first, second)| [*first, *second]));
            }
        }
        self.end.iter().for_each(|values| values.named(&mut named));
        named
    }
}

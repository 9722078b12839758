//! What a step knows of the last one: it tells what changes in every step from what a user switches.
//!
//! A force that is written before every step is a sample of something that changes with the motion, as the force of a spring is.
//! Stage 2 treats it as a field: it corrects v(t) by half of the change, so the step stays of second order. A force that was not
//! written before the last step is switched: the new one acts from t on. If it is then written in each step, and changes, it was a
//! sample after all, and v(t) gets the half that the first change is owed. So in both ways a force that has come and gone has
//! given the sum of its F·h. In the same way the step treats gravity, the velocity of a kinematic body, and the rules of pairs.

use bevy::prelude::*;

use super::store::Bodies;
use crate::{config::MaterialRule, field::SelfGravity};

/// What the last step has found.
#[derive(Reflect, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct LastStep {
    /// The fields of its last substep; `None` if they are not known.
    pub fields: Option<FieldSettings>,
    /// Whether these were others than in the substep before.
    pub had_other_fields: bool,
    /// The default coefficients and the rules for pairs: friction, rolling friction, spinning friction.
    pub rules: Option<[MaterialRule; 3]>,
    /// The bodies whose loads were written, or whose velocities were others than in the step before, sorted by entity.
    pub switches: Vec<Switch>,
    /// The pairs whose own rule was another one than in the substep before, sorted.
    pub ruled: Vec<(Entity, Entity)>,
    /// Whether the crate has merged or divided bodies at its end, and each absorbed ball with its survivor, sorted.
    pub have_merged: bool,
    pub absorbed: Vec<(Entity, Entity)>,
}

/// The crate's own fields.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct FieldSettings {
    /// Uniform gravity in m/s²; `None` if stage 1 is off.
    pub uniform: Option<Vec3>,
    pub own: Option<SelfGravity>,
}

/// A change of the loads on a body, or of the velocity of a kinematic body or of a belt.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Switch {
    pub entity: Entity,
    /// Changes of the external force in N and of the torque in N·m that v(t) has no half of: zero if they were samples.
    pub force: Vec3,
    pub torque: Vec3,
    /// Whether these are the first loads of a new body.
    pub is_new: bool,
    /// Whether forces were applied for one step: these are always switched.
    pub is_applied: bool,
}

impl Switch {
    /// Without a load that v(t) has no half of.
    pub fn of(entity: Entity) -> Self {
        Self {
            entity,
            force: Vec3::ZERO,
            torque: Vec3::ZERO,
            is_new: false,
            is_applied: false,
        }
    }
}

impl LastStep {
    /// Notes the fields of this substep. Tells whether they are others than in the last one, and whether they have been switched:
    /// the last one did not have others too.
    pub fn note_fields(&mut self, now: FieldSettings) -> (bool, bool) {
        let before = self.fields.replace(now);
        let are_others = before.is_some_and(|before| before != now);
        let had_others = std::mem::replace(&mut self.had_other_fields, are_others);
        (are_others || before.is_none(), are_others && !had_others)
    }

    /// The entities in it. The lists stay sorted if the new entities have the order of the old ones.
    pub fn entities_mut(&mut self) -> impl Iterator<Item = &mut Entity> {
        let switches = self.switches.iter_mut().map(|switch| &mut switch.entity);
        let pairs = self.ruled.iter_mut().chain(&mut self.absorbed);
        switches.chain(pairs.flat_map(|(a, b)| [a, b]))
    }

    /// How the loads or velocities of a body were others in the last step than before it.
    pub fn switch_of(&self, entity: Entity) -> Option<&Switch> {
        let found = (self.switches).binary_search_by_key(&entity, |switch| switch.entity);
        found.ok().map(|at| &self.switches[at])
    }

    /// The ball into which this one has merged, or the body itself.
    pub fn survivor_of(&self, entity: Entity) -> Entity {
        let found = self.absorbed.binary_search_by_key(&entity, |pair| pair.0);
        found.map_or(entity, |at| self.absorbed[at].1)
    }
}

impl Bodies {
    /// Lets every body start at v(t), as a new one: the old fields and contacts have ended.
    pub(crate) fn start_all_anew(&mut self) {
        self.activate_all();
        self.for_each_run(|_, mut run| (0..run.len()).for_each(|i| run.start_anew(i)));
        self.are_all_switched = true;
    }

    /// Notes the pairs that have another rule than in the last substep.
    pub(crate) fn note_rules(&mut self, differing: &[(Entity, Entity)]) {
        let Self {
            last_step,
            switched_pairs,
            ..
        } = self;
        switched_pairs.clear();
        if differing.is_empty() {
            return last_step.ruled.clear();
        }
        let sorted = differing.iter().map(|&(a, b)| (a.min(b), a.max(b)));
        let mut now: Vec<(Entity, Entity)> = sorted.collect();
        now.sort_unstable();
        let is_new = |pair: &&(Entity, Entity)| last_step.ruled.binary_search(pair).is_err();
        switched_pairs.extend(now.iter().filter(is_new));
        last_step.ruled = now;
    }

    /// Notes the bodies whose loads or velocities are others than in the last step.
    pub(crate) fn note_switches(&mut self, mut switches: Vec<Switch>) {
        switches.sort_unstable_by_key(|switch| switch.entity);
        self.last_step.switches = switches;
    }
}

//! The impacts, and the state of the jolt stage.

use std::{cmp::Reverse, collections::BinaryHeap};

use bevy::prelude::*;

use super::{impact_set::ImpactSet, predicted::Predicted};
use crate::{
    body::PerBody,
    collision::{BallFilter, CapsuleFilter},
    messages::Impact,
};

/// The impacts of this fixed step in the order of their times, and the memory that the jolt stage keeps between calls.
///
/// Game code reads the message [`Impact`] instead. A system between two stages reads the impacts of the substeps so far:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::{prelude::*, solver::Impacts};
/// fn count(impacts: Res<Impacts>) {
///     info!("{} impacts", impacts.resolved.len());
/// }
///
/// # let mut app = App::new();
/// app.add_systems(ImpulseStep, count.after(StepSystems::ImpulseJolt));
/// ```
#[derive(Resource, Default)]
pub struct Impacts {
    /// Resolved impacts of all substeps so far.
    pub resolved: Vec<Impact>,
    pub(super) queue: BinaryHeap<Reverse<Predicted>>,
    /// Number of changes of each body's flight in this substep: a prediction made before the last change is void.
    pub(super) changes: Vec<u32>,
    /// The bodies with a change.
    pub(super) changed: Vec<u32>,
    /// Whether each body had more impacts than allowed, or still waited for an impact when the limit of the substep was reached.
    pub(super) unresolved: Vec<bool>,
    pub(super) set: ImpactSet,
    pub(super) candidates: Vec<u32>,
    pub(super) predicted: Vec<Vec<Reverse<Predicted>>>,
    pub(super) ball_filters: PerBody<BallFilter>,
    pub(super) capsule_filters: PerBody<CapsuleFilter>,
}

impl Impacts {
    /// Whether an impact has changed the flight of a body in this substep.
    pub(crate) fn has_changed(&self, i: usize) -> bool {
        self.changes.get(i).is_some_and(|&changes| changes > 0)
    }

    /// Whether impacts of a body in this substep were left unresolved.
    pub(crate) fn is_unresolved(&self, i: u32) -> bool {
        self.unresolved.get(i as usize).copied().unwrap_or(false)
    }

    /// The bodies whose flight an impact has changed in this substep.
    pub(crate) fn changed(&self) -> &[u32] {
        &self.changed
    }

    /// Forgets the impacts of the substep before. The world has this number of `bodies` now.
    pub(crate) fn begin(&mut self, bodies: usize) {
        self.unresolved.clear();
        if self.changes.len() == bodies {
            for &i in &self.changed {
                self.changes[i as usize] = 0;
            }
        } else {
            self.changes.clear();
            self.changes.resize(bodies, 0);
        }
        self.changed.clear();
    }
}

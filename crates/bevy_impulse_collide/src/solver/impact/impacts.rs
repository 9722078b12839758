//! The impacts, and the state of the jolt stage.

use std::{cmp::Reverse, collections::BinaryHeap};

use bevy::prelude::*;

use super::{impact_set::ImpactSet, pause::PausedBody, predicted::Predicted};
use crate::{
    body::{Bodies, PerBody, Turn},
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
    /// Where impacts have turned bodies in this substep, in the order of their times. Empty without sensors.
    pub(super) turns: Vec<Turn>,
    /// What happens to impacts of each body above the allowed numbers.
    pub(super) unresolved: Vec<Unresolved>,
    pub(super) paused: Vec<PausedBody>,
    pub(super) set: ImpactSet,
    pub(super) candidates: Vec<u32>,
    /// Of each task: the predicted impacts, and the pairs with colliders.
    pub(super) predicted: Vec<(Vec<Reverse<Predicted>>, Vec<(u32, u32)>)>,
    pub(super) surface_pairs: Vec<(u32, u32)>,
    /// The predicted impacts of the pairs with colliders.
    pub(super) on_surfaces: Vec<Vec<Reverse<Predicted>>>,
    pub(super) ball_filters: PerBody<BallFilter>,
    pub(super) capsule_filters: PerBody<CapsuleFilter>,
}

/// What happens to impacts of a body above the allowed numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Unresolved {
    /// There are none.
    #[default]
    Nothing,
    /// The contact stage stops every approach of the body. It is slow: the surfaces meet nearly where they are.
    ToContacts,
    /// The contact stage stops every approach of the body, also one that begins in this substep: an impact has hit it, and no flight
    /// predicts what its joints do after that.
    Joined,
    /// The body waits until the end of the substep.
    Paused,
}

impl Impacts {
    /// Whether an impact has changed the flight of a body in this substep.
    pub(crate) fn has_changed(&self, i: usize) -> bool {
        self.changes.get(i).is_some_and(|&changes| changes > 0)
    }

    /// What happens to impacts of a body above the allowed numbers.
    pub(crate) fn unresolved(&self, i: usize) -> Unresolved {
        self.unresolved.get(i).copied().unwrap_or_default()
    }

    /// Whether neither body's flight has changed since the prediction.
    pub(super) fn is_valid(&self, next: &Predicted) -> bool {
        next.changes == (self.changes[next.a as usize], self.changes[next.b as usize])
    }

    /// Gives the paused bodies flights that end where they are now.
    pub(crate) fn resume_paused(&self, bodies: &mut Bodies) {
        for paused in &self.paused {
            paused.resume(bodies);
        }
    }

    /// Where impacts have turned bodies in this substep, in the order of their times. Empty without sensors.
    pub(crate) fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The bodies whose flight an impact has changed in this substep.
    pub(crate) fn changed(&self) -> &[u32] {
        &self.changed
    }

    /// Forgets the impacts of the last fixed step, and what was found of the bodies before.
    pub(crate) fn begin_anew(&mut self) {
        self.resolved.clear();
        self.ball_filters.clear();
        self.capsule_filters.clear();
    }

    /// Forgets the impacts of the substep before. The world has this number of `bodies` now.
    pub(crate) fn begin(&mut self, bodies: usize) {
        self.unresolved.clear();
        self.paused.clear();
        self.turns.clear();
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

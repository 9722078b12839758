//! What a report says of the course of a run: how it was before the first step, at half of the steps and at the end, and the comet.

use bevy::prelude::*;
use scene_kit::{RunOptions, app::StepsMade};
use serde::Serialize;

use super::{comet::Comet, heap::HeapShape};

/// A quantity before the first step, at half of the steps, and after the last.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct Course {
    /// Before the first step.
    pub start: f64,
    /// At half of the steps.
    pub middle: f64,
    /// After the last step.
    pub end: f64,
}

/// The heap as it was before the first step and at half of the steps, and the comet, once thrown.
#[derive(Resource, Default)]
pub(crate) struct Past {
    pub start: HeapShape,
    pub middle: HeapShape,
    pub comet: Option<Comet>,
}

impl Past {
    /// Of a quantity, up to the heap that is there at the end.
    pub fn course(&self, end: &HeapShape, of: fn(&HeapShape) -> f64) -> Course {
        Course {
            start: of(&self.start),
            middle: of(&self.middle),
            end: of(end),
        }
    }
}

/// Half of the steps of the run, if it ends.
fn half(run: &RunOptions) -> Option<u64> {
    run.last_step().map(|last| last.div_ceil(2))
}

/// Run condition: half of the steps are made.
pub(crate) fn halfway(steps: Res<StepsMade>, run: Res<RunOptions>) -> bool {
    half(&run) == Some(steps.0)
}

/// Whether this is the step in which a comet is thrown. The option `--comet` may name a second, and means half of the steps if it
/// names none.
pub(crate) fn comet_is_due(option: Option<Option<f32>>, steps: u64, run: &RunOptions) -> bool {
    let due = match option {
        None => None,
        Some(Some(seconds)) => Some(run.steps(seconds)),
        Some(None) => half(run),
    };
    due.is_some_and(|due| steps == due + 1)
}

//! How long the parts of a step take.

use std::time::Duration;

use bevy::{platform::time::Instant, prelude::*};

/// The parts of a step that are measured: gather, the six stages, write back.
pub(super) const PARTS: usize = 8;

/// The times of this fixed step so far.
#[derive(Resource)]
pub(super) struct StepTimes {
    step_start: Instant,
    part_start: Instant,
    /// Time of each part, over all substeps.
    pub parts: [Duration; PARTS],
    /// Time of the whole step.
    pub step: Duration,
}

impl Default for StepTimes {
    fn default() -> Self {
        let now = Instant::now();
        Self {
            step_start: now,
            part_start: now,
            parts: default(),
            step: default(),
        }
    }
}

pub(super) fn start_step(mut times: ResMut<StepTimes>) {
    *times = default();
}

pub(super) fn start_part(mut times: ResMut<StepTimes>) {
    times.part_start = Instant::now();
}

/// The system that ends part number `part`. The next part starts there too.
pub(super) fn end_part(part: usize) -> impl Fn(ResMut<StepTimes>) {
    move |mut times| {
        let now = Instant::now();
        let time = now - times.part_start;
        times.parts[part] += time;
        times.part_start = now;
    }
}

pub(super) fn end_step(mut times: ResMut<StepTimes>) {
    times.step = times.step_start.elapsed();
}

//! The course of the colony while it grew.

use bevy::{platform::time::Instant, prelude::*};
use bevy_impulse_collide::prelude::*;
use scene_kit::{
    Windowed,
    pace::{LastStep, overlaps},
};
use serde::Serialize;

use super::{cell::Cell, options::ColonyOptions};

/// The colony from its first cell on.
#[derive(Resource, Debug)]
pub(super) struct Course {
    began: Instant,
    last_id: u64,
    /// Cells that have divided.
    pub divisions: u64,
    /// Whether it has reached the size at which it ends.
    pub is_grown: bool,
    /// One for each doubling of the number of cells.
    pub doublings: Vec<Doubling>,
}

impl Default for Course {
    fn default() -> Self {
        Self {
            began: Instant::now(),
            last_id: 0,
            divisions: 0,
            is_grown: false,
            doublings: Vec::new(),
        }
    }
}

/// The steps in which a colony had at least `cells` cells, and not yet twice as many. Times are means over the steps.
#[derive(Serialize, Clone, Copy, Debug, Default)]
pub(super) struct Doubling {
    /// A power of two.
    cells: u64,
    /// How many steps.
    steps: u32,
    /// Wall-clock milliseconds of a step of the physics.
    step_ms: f64,
    /// The same in microseconds for each cell that there was.
    us_per_cell: f64,
    /// Iterations of the contact solver in a step.
    pub solver_iterations: f64,
    /// Mean overlap over the radius, where it was largest.
    pub overlap: f64,
}

impl Doubling {
    fn add(&mut self, cells: usize, seconds: f64, iterations: u32, overlap: f64) {
        self.steps += 1;
        let part = f64::from(self.steps).recip();
        let average = |mean: &mut f64, value: f64| *mean += part * (value - *mean);
        average(&mut self.step_ms, 1e3 * seconds);
        average(&mut self.us_per_cell, 1e6 * seconds / cells as f64);
        average(&mut self.solver_iterations, iterations.into());
        self.overlap = self.overlap.max(overlap);
    }
}

impl Course {
    /// A number for a cell that no other has.
    pub fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// Wall-clock seconds since the first cell was put down.
    pub fn wall_seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    /// The largest of the mean overlaps, over the radius.
    pub fn greatest_overlap(&self) -> f64 {
        self.doublings
            .iter()
            .map(|doubling| doubling.overlap)
            .fold(0.0, f64::max)
    }
}

/// Records the time, the iterations and the overlap of the last step.
pub(super) fn record(
    mut course: ResMut<Course>,
    cells: Query<(), With<Cell>>,
    step: Res<LastStep>,
    solver: Res<SolverReport>,
    contacts: Res<Contacts>,
    bodies: Res<Bodies>,
) {
    let count = cells.iter().len();
    let power = count.max(1).ilog2();
    let doublings = &mut course.doublings;
    while doublings.len() <= power as usize {
        doublings.push(Doubling {
            cells: 1 << doublings.len(),
            ..default()
        });
    }
    let (_, overlap) = overlaps(&contacts, &bodies);
    doublings[power as usize].add(count, step.0.as_secs_f64(), solver.iterations, overlap);
}

/// Ends a headless run, and holds the growth in a window, once there are the cells asked for.
pub(super) fn end_at_size(
    mut course: ResMut<Course>,
    mut control: ResMut<StepControl>,
    mut exit: MessageWriter<AppExit>,
    cells: Query<(), With<Cell>>,
    options: Res<ColonyOptions>,
    windowed: Option<Res<Windowed>>,
) {
    let is_grown = cells.iter().len() >= options.cells as usize;
    if is_grown && !course.is_grown {
        if windowed.is_some() {
            control.paused = true;
        } else {
            exit.write(AppExit::Success);
        }
    }
    course.is_grown = is_grown;
}

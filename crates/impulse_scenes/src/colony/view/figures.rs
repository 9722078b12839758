//! The colony in numbers.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::press::Press;

use crate::colony::{cell::Cell, report::circumference};

/// The colony in numbers. Pressures are in N/m.
#[derive(Resource, Default)]
pub(super) struct Figures {
    pub cells: usize,
    /// Divisions before a cell, mean over the cells.
    pub generation: f32,
    pub mean_pressure: f32,
    pub greatest_pressure: f32,
    /// The value of the last colour.
    pub pressure_scale: f32,
    /// Born in a second of the clock on the wall.
    pub cells_per_second: f64,
}

pub(super) fn measure(mut figures: ResMut<Figures>, cells: Query<(&Cell, &Capsule, &Press)>) {
    let count = cells.iter().len().max(1) as f32;
    let (mut generations, mut sum, mut greatest) = (0.0, 0.0, 0.0f32);
    for (cell, capsule, press) in &cells {
        let pressure = press.force() / circumference(capsule);
        generations += cell.generation as f32;
        sum += pressure;
        greatest = greatest.max(pressure);
    }
    figures.generation = generations / count;
    figures.mean_pressure = sum / count;
    figures.greatest_pressure = greatest;
    figures.pressure_scale = round_up(2.0 * figures.mean_pressure);
}

/// The next of …, 0.1, 0.2, 0.5, 1, 2, 5, 10, …, so that a scale changes seldom.
fn round_up(value: f32) -> f32 {
    let power = 10f32.powf(value.max(1e-3).log10().floor());
    let step = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|step| value <= step * power);
    step.unwrap_or(10.0) * power
}

pub(super) fn count_births(
    mut figures: ResMut<Figures>,
    cells: Query<(), With<Cell>>,
    time: Res<Time<Real>>,
    mut counted: Local<f64>,
) {
    let now = time.elapsed_secs_f64();
    let count = cells.iter().len();
    let born = count.saturating_sub(figures.cells);
    figures.cells_per_second = born as f64 / (now - *counted).max(1e-3);
    (figures.cells, *counted) = (count, now);
}

//! The samples of the plots: the course of the cloud since it was scattered.

use std::time::Instant;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use crate::planet::{
    options::PlanetOptions,
    shape::{Ball, PlanetShape, Rock},
};

/// Simulated seconds between two samples, at first and at the least.
const INTERVAL: f64 = 0.05;
/// Measuring may take this part of the time.
const BUDGET: f64 = 0.02;
/// At this number of samples, every second one is removed, and from then on they are taken half as often.
const SAMPLES: usize = 600;
/// Potential energy takes time with the square of the balls: above this number it is not measured.
pub const ENERGY_LIMIT: usize = 3000;

#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Simulated seconds since the cloud was scattered.
    pub time: f64,
    /// About the axis that the cloud was set turning about, in kg·m²/s.
    pub angular_momentum: f64,
    pub radius90: f64,
    /// Kinetic and potential, in J.
    pub energy: Option<(f64, f64)>,
}

/// Samples since the cloud was scattered, oldest first.
#[derive(Resource)]
pub struct History {
    pub samples: Vec<Sample>,
    /// Angular momentum of the cloud at 0.02 rad/s, in kg·m²/s: smaller than any interesting value.
    pub least_momentum: f64,
    now: f64,
    next: f64,
    interval: f64,
}

impl Default for History {
    fn default() -> Self {
        Self {
            samples: Vec::new(),
            least_momentum: 1.0,
            now: 0.0,
            next: 0.0,
            interval: INTERVAL,
        }
    }
}

pub(super) fn sample(
    mut history: ResMut<History>,
    measure: Measure,
    balls: Query<Ball>,
    options: Res<PlanetOptions>,
    time: Res<Time>,
) {
    let now = history.now;
    history.now += time.delta_secs_f64();
    if now < history.next || balls.is_empty() {
        return;
    }
    let started = Instant::now();
    let shape = PlanetShape::of(balls.iter().map(Rock::from));
    let measured = (balls.iter().len() <= ENERGY_LIMIT).then(|| measure.measure());
    let angular_momentum = measured
        .map(|measured| measured.angular_momentum)
        .unwrap_or(shape.angular_momentum);
    if history.samples.is_empty() {
        history.least_momentum = 0.02 * shape.mass * shape.radius90 * shape.radius90;
    }
    history.samples.push(Sample {
        time: now,
        angular_momentum: angular_momentum.dot(options.spin_axis().as_dvec3()),
        radius90: shape.radius90,
        energy: measured.map(|measured| (measured.kinetic_energy, measured.potential_energy)),
    });
    if history.samples.len() >= SAMPLES {
        let mut keep = false;
        history.samples.retain(|_| {
            keep = !keep;
            keep
        });
        history.interval *= 2.0;
    }
    history.next = now
        + history
            .interval
            .max(started.elapsed().as_secs_f64() / BUDGET);
}

//! The samples of the plots: the course of the cloud since it was scattered.

use bevy::{platform::time::Instant, prelude::*};
use bevy_impulse_collide::prelude::*;

use crate::gathering::heap::{HeapShape, Rock};

/// Simulated seconds between two samples, at first and at the least.
const INTERVAL: f64 = 0.05;
/// Measuring may take this part of the time.
const BUDGET: f64 = 0.02;
/// At this number of samples, every second one is removed, and from then on they are taken half as often.
const SAMPLES: usize = 600;
/// Potential energy takes time with the square of the bodies: above this number it is not measured.
pub(crate) const ENERGY_LIMIT: usize = 3000;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
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
pub(crate) struct History {
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

impl History {
    /// Takes a sample after a step of `seconds`, if one is due. `axis` is the one about which the cloud was set turning.
    pub fn sample(
        &mut self,
        rocks: impl FnOnce() -> Vec<Rock>,
        measure: &Measure,
        axis: Vec3,
        seconds: f64,
    ) {
        let now = self.now;
        self.now += seconds;
        if now < self.next {
            return;
        }
        let started = Instant::now();
        let rocks = rocks();
        let count = rocks.len();
        if count == 0 {
            return;
        }
        let shape = HeapShape::of(rocks);
        let measured = (count <= ENERGY_LIMIT).then(|| measure.measure());
        let angular_momentum = measured
            .map(|measured| measured.angular_momentum)
            .unwrap_or(shape.angular_momentum);
        if self.samples.is_empty() {
            self.least_momentum = 0.02 * shape.mass * shape.radius90 * shape.radius90;
        }
        self.samples.push(Sample {
            time: now,
            angular_momentum: angular_momentum.dot(axis.as_dvec3()),
            radius90: shape.radius90,
            energy: measured.map(|measured| (measured.kinetic_energy, measured.potential_energy)),
        });
        if self.samples.len() >= SAMPLES {
            let mut keep = false;
            self.samples.retain(|_| {
                keep = !keep;
                keep
            });
            self.interval *= 2.0;
        }
        self.next = now + self.interval.max(started.elapsed().as_secs_f64() / BUDGET);
    }
}

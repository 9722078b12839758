//! What is measured in a world of the laboratory.

use std::time::Duration;

use serde::Serialize;

/// A world at one time, in SI units.
#[derive(Serialize, Clone, Copy, Debug, Default)]
pub struct Sample {
    pub seconds: f64,
    pub energy: f64,
    /// About the centre of mass and the axis of view.
    pub angular_momentum: f64,
    #[serde(skip)]
    pub angular_momentum_scale: f64,
    /// Over the smaller radius, mean over the pairs that touch.
    pub overlap: f64,
    /// Over the smaller radius, largest of all pairs.
    pub worst_overlap: f64,
    /// The greatest speed at which two bodies in contact still approach after the step.
    pub approach: f64,
    /// Root mean square of the speeds. Of a planet: of what is left beside its rotation.
    pub rms_speed: f64,
    /// From the centre of mass.
    pub farthest: f64,
    #[serde(skip)]
    pub mass: f64,
    /// Of the surface of a ball over a plane, if the world has just these two.
    #[serde(skip)]
    pub height: Option<f64>,
}

/// The course of a world.
#[derive(Clone, Debug)]
pub struct Figures {
    start: Sample,
    pub now: Sample,
    /// The largest so far.
    worst: Sample,
    highest_energy: f64,
    bounce: Bounce,
    steps: u32,
    wall: Duration,
    /// Thinned so that there are never more than [`CURVE`].
    pub curve: Vec<Sample>,
    every: u32,
}

/// Most points of a curve.
const CURVE: usize = 400;

/// A world in a few numbers.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct Summary {
    /// (E − E₀) over |E₀| + ½·M·(1 m/s)².
    pub energy_drift: f64,
    /// The same, largest at any time.
    pub energy_growth: f64,
    /// (L − L₀)/Σ m·|x|·|v|; none for bodies that start at rest.
    pub angular_momentum_drift: Option<f64>,
    /// m/s, at the end and at worst.
    pub approach: f64,
    pub worst_approach: f64,
    /// Over the smaller radius, at the end: mean and worst; and worst at any time.
    pub overlap: f64,
    pub overlap_of_worst_pair: f64,
    pub worst_overlap: f64,
    /// m/s, at the end.
    pub rms_speed: f64,
    /// m, at the end.
    pub farthest: f64,
    /// √(h₁/h₀) of a ball that falls from h₀ and comes up to h₁; none in other worlds, or before it comes down again.
    pub restitution: Option<f64>,
    /// Milliseconds of wall-clock time a step.
    pub step_ms: f64,
}

/// The first bounce of a ball.
#[derive(Clone, Copy, Debug, Default)]
enum Bounce {
    #[default]
    Falls,
    Rises,
    /// It has come up to this height in m.
    Over(f64),
}

impl Bounce {
    /// The heights before and after a step.
    fn add(&mut self, before: Option<f64>, after: Option<f64>) {
        let (Some(before), Some(after)) = (before, after) else {
            return;
        };
        *self = match *self {
            Self::Falls if after > before => Self::Rises,
            Self::Rises if after < before => Self::Over(before),
            same => same,
        };
    }
}

impl Figures {
    pub fn new(start: Sample) -> Self {
        Self {
            start,
            now: start,
            worst: start,
            highest_energy: start.energy,
            bounce: Bounce::default(),
            steps: 0,
            wall: Duration::ZERO,
            curve: vec![start],
            every: 1,
        }
    }

    pub fn add(&mut self, sample: Sample, wall: Duration) {
        self.bounce.add(self.now.height, sample.height);
        self.now = sample;
        self.steps += 1;
        self.wall += wall;
        self.worst.approach = self.worst.approach.max(sample.approach);
        self.worst.worst_overlap = self.worst.worst_overlap.max(sample.worst_overlap);
        // An energy that is no number is the highest.
        if sample.energy.is_nan() || sample.energy > self.highest_energy {
            self.highest_energy = sample.energy;
        }
        if self.steps.is_multiple_of(self.every) {
            self.curve.push(sample);
            if self.curve.len() > CURVE {
                let mut k = 0;
                self.curve.retain(|_| {
                    k += 1;
                    k % 2 == 1
                });
                self.every *= 2;
            }
        }
    }

    /// (E − E₀) over |E₀| + ½·M·(1 m/s)².
    pub fn drift(&self, sample: &Sample) -> f64 {
        let scale = self.start.energy.abs() + 0.5 * self.start.mass;
        (sample.energy - self.start.energy) / scale
    }

    pub fn summary(&self) -> Summary {
        let highest = Sample {
            energy: self.highest_energy,
            ..self.now
        };
        let turned = self.now.angular_momentum - self.start.angular_momentum;
        let scale = self.start.angular_momentum_scale;
        Summary {
            energy_drift: self.drift(&self.now),
            energy_growth: self.drift(&highest),
            angular_momentum_drift: (scale > 0.0).then_some(turned / scale),
            approach: self.now.approach,
            worst_approach: self.worst.approach,
            overlap: self.now.overlap,
            overlap_of_worst_pair: self.now.worst_overlap,
            worst_overlap: self.worst.worst_overlap,
            rms_speed: self.now.rms_speed,
            farthest: self.now.farthest,
            restitution: match (self.bounce, self.start.height) {
                (Bounce::Over(after), Some(before)) => Some((after.max(0.0) / before).sqrt()),
                _ => None,
            },
            step_ms: 1e3 * self.wall.as_secs_f64() / f64::from(self.steps.max(1)),
        }
    }
}

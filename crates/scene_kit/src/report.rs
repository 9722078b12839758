//! Measurements of a headless run: one JSON object, with the same keys for every scene, then the scene's own keys.

use std::{
    fs::File,
    io::{self, Write},
    path::Path,
};

use bevy::math::DVec3;
use bevy_impulse_collide::prelude::*;
use serde::Serialize;

use crate::{console, options::RunOptions};

/// Keys of reports, at any depth, whose values depend on the machine and on its load. All other values are the same bits in every
/// run with the same options.
pub const MACHINE_KEYS: [&str; 5] = [
    "step_ms",
    "threads",
    "us_per_cell",
    "wall_ms",
    "wall_seconds",
];

/// Opens the file that `--report` names; none without `--report`. Call it before a run: a file that cannot be written is an
/// error at once, not after the run.
pub fn open_report(options: &RunOptions) -> Result<Option<Box<dyn Write>>, String> {
    options.report.as_deref().map(open_output).transpose()
}

/// A file to write anew; '-' is standard output.
pub fn open_output(path: &Path) -> Result<Box<dyn Write>, String> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(console::output()));
    }
    match File::create(path) {
        Ok(file) => Ok(Box::new(file)),
        Err(problem) => Err(format!("cannot write {}: {problem}", path.display())),
    }
}

/// Writes `report` as JSON.
pub fn write_json(report: &impl Serialize, to: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *to, report)?;
    writeln!(to)
}

/// The measurements of a run. All units are SI; vectors are `[x, y, z]` in world axes.
#[derive(Serialize, Debug)]
pub struct Report<E> {
    /// Name of the scene.
    pub scene: String,
    /// Simulated time.
    pub seconds: f64,
    /// Length of a fixed step.
    pub dt: f64,
    /// Bodies at the end.
    pub bodies: usize,
    /// Wall-clock milliseconds of a fixed step.
    pub step_ms: StepMs,
    /// Kinetic and potential energy together.
    pub energy: Change<f64>,
    /// Total momentum.
    pub momentum: Change<[f64; 3]>,
    /// Total angular momentum about the centre of mass.
    pub angular_momentum: AngularMomentum,
    /// How far touching bodies reach into each other at the end.
    pub overlap: Overlap,
    /// Touching pairs at the end.
    pub contacts: usize,
    /// Hash of every body's state at the end, hexadecimal: equal hashes, equal runs.
    pub state_hash: String,
    /// The scene's own measurements.
    #[serde(flatten)]
    pub extra: E,
}

/// A quantity before the first step and after the last.
#[derive(Serialize, Debug)]
pub struct Change<T> {
    /// Before the first step.
    pub start: T,
    /// After the last step.
    pub end: T,
}

/// Angular momentum, with a scale for its change.
#[derive(Serialize, Debug)]
pub struct AngularMomentum {
    /// Before the first step and after the last.
    #[serde(flatten)]
    pub change: Change<[f64; 3]>,
    /// Sum of m·|x|·|v| about the centre of mass, the largest value in the run: |L| if every body had moved in the same sense of
    /// rotation.
    pub scale: f64,
}

/// Distribution of a step's wall-clock time.
#[derive(Serialize, Debug)]
pub struct StepMs {
    /// Half of the steps took at most this.
    pub median: f64,
    /// 95 % of the steps took at most this.
    pub p95: f64,
    /// Time of a step near the end of the run.
    pub last_quarter: LateStepMs,
}

/// Wall-clock time of the last quarter of the steps.
#[derive(Serialize, Debug)]
pub struct LateStepMs {
    /// Mean of these steps.
    pub mean: f64,
    /// Half of these steps took at most this.
    pub median: f64,
}

impl StepMs {
    /// Of samples in milliseconds, in the order of the steps. Without samples all are 0.
    pub fn of(samples: Vec<f64>) -> Self {
        let late = samples[samples.len() - samples.len().div_ceil(4)..].to_vec();
        let mean = late.iter().sum::<f64>() / late.len().max(1) as f64;
        let (all, late) = (sorted(samples), sorted(late));
        Self {
            median: quantile(&all, 0.5),
            p95: quantile(&all, 0.95),
            last_quarter: LateStepMs {
                mean,
                median: quantile(&late, 0.5),
            },
        }
    }
}

fn sorted(mut samples: Vec<f64>) -> Vec<f64> {
    samples.sort_by(f64::total_cmp);
    samples
}

fn quantile(sorted: &[f64], q: f64) -> f64 {
    let rank = (q * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
}

/// Overlap as [`Measurement`] states it.
#[derive(Serialize, Debug)]
pub struct Overlap {
    /// Mean over touching pairs.
    pub mean: f64,
    /// The worst pair's.
    pub max: f64,
}

impl<E: Serialize> Report<E> {
    /// The report of a run of `scene`, from the measurements before its first step and after its last step, and the largest
    /// [`angular_momentum_scale`](Measurement::angular_momentum_scale) in between.
    pub fn new(
        scene: &str,
        seconds: f64,
        dt: f64,
        step_ms: StepMs,
        start: &Measurement,
        end: &Measurement,
        largest_scale: f64,
        extra: E,
    ) -> Self {
        Self {
            scene: scene.to_owned(),
            seconds,
            dt,
            bodies: end.bodies,
            step_ms,
            energy: Change {
                start: start.energy(),
                end: end.energy(),
            },
            momentum: Change {
                start: start.momentum.to_array(),
                end: end.momentum.to_array(),
            },
            angular_momentum: AngularMomentum {
                change: Change {
                    start: start.angular_momentum.to_array(),
                    end: end.angular_momentum.to_array(),
                },
                scale: largest_scale,
            },
            overlap: Overlap {
                mean: end.overlap_mean,
                max: end.overlap_max,
            },
            contacts: end.touching,
            state_hash: format!("{:016x}", end.state_hash),
            extra,
        }
    }

    /// Writes it as JSON.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        write_json(self, to)
    }

    /// Writes the gist of it, for a person.
    pub fn summarize(&self, out: &mut impl Write) -> io::Result<()> {
        // A scene that starts empty starts without energy, and bodies that lie still have no scale of angular momentum.
        let part = |change: f64, whole: f64| (whole != 0.0).then(|| (change / whole).abs());
        let length = |change: &Change<[f64; 3]>| {
            (DVec3::from_array(change.end) - DVec3::from_array(change.start)).length()
        };
        let Self {
            step_ms,
            energy,
            momentum,
            angular_momentum,
            overlap,
            ..
        } = self;
        let turned = length(&angular_momentum.change);
        let gained = part(energy.end - energy.start, energy.start)
            .map_or_else(String::new, |part| format!(", changed by {part:.1e} of it"));
        let turned_part = part(turned, angular_momentum.scale)
            .map_or_else(String::new, |part| format!(", {part:.1e} of its scale"));
        let rows = [
            (
                "steps",
                format!(
                    "{:.3} ms median, {:.3} ms 95th percentile; last quarter {:.3} ms mean, {:.3} ms median",
                    step_ms.median,
                    step_ms.p95,
                    step_ms.last_quarter.mean,
                    step_ms.last_quarter.median
                ),
            ),
            (
                "energy",
                format!("{:.6e} J to {:.6e} J{gained}", energy.start, energy.end),
            ),
            (
                "momentum",
                format!("changed by {:.1e} kg m/s", length(momentum)),
            ),
            (
                "angular momentum",
                format!("changed by {turned:.1e} kg m²/s{turned_part}"),
            ),
            (
                "overlap",
                format!(
                    "{:.1e} mean, {:.1e} worst, of {} contacts",
                    overlap.mean, overlap.max, self.contacts
                ),
            ),
            ("state", self.state_hash.clone()),
        ];
        let title = format!(
            "{}: {} bodies, {} s at {} Hz",
            self.scene,
            self.bodies,
            self.seconds,
            (1.0 / self.dt).round()
        );
        writeln!(out, "{title}")?;
        for (name, text) in rows {
            writeln!(out, "  {name:<16}  {text}")?;
        }
        let extra = serde_json::to_value(&self.extra)?;
        for (name, value) in extra.as_object().into_iter().flatten() {
            let text = value.to_string();
            match value {
                // Sixteen balls would fill the screen.
                serde_json::Value::Array(items) if text.len() > 100 => {
                    writeln!(
                        out,
                        "  {name:<16}  {} of them: --report - shows all",
                        items.len()
                    )?;
                }
                _ => writeln!(out, "  {name:<16}  {text}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The gist of a run from rest that ends with an angular momentum of 1 kg·m²/s, whose scale is this.
    fn summary(scale: f64) -> String {
        let end = Measurement {
            angular_momentum: DVec3::Y,
            ..Default::default()
        };
        let (start, ms) = (Measurement::default(), StepMs::of(Vec::new()));
        let report = Report::new("Rest", 1.0, 0.1, ms, &start, &end, scale, ());
        let mut text = Vec::new();
        report.summarize(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn a_change_is_a_part_of_its_scale_if_it_has_one() {
        assert!(summary(4.0).contains("2.5e-1 of its scale"));
        let text = summary(0.0);
        assert!(!text.contains("inf") && !text.contains("scale"), "{text}");
    }

    #[test]
    fn quantiles_are_samples() {
        let ms = StepMs::of((1..=100).rev().map(f64::from).collect());
        assert_eq!((ms.median, ms.p95), (50.0, 95.0));
        let ms = StepMs::of(vec![7.0]);
        assert_eq!((ms.median, ms.p95), (7.0, 7.0));
    }

    #[test]
    fn the_last_quarter_is_that_of_the_last_steps() {
        let late = StepMs::of((1..=8).rev().map(f64::from).collect()).last_quarter;
        assert_eq!((late.mean, late.median), (1.5, 1.0));
        let late = StepMs::of(vec![7.0]).last_quarter;
        assert_eq!((late.mean, late.median), (7.0, 7.0));
        let late = StepMs::of(Vec::new()).last_quarter;
        assert_eq!((late.mean, late.median), (0.0, 0.0));
    }
}

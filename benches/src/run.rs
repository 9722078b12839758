//! A scene, run by one engine, timed and measured.

use std::{
    error::Error,
    process::{Command, Stdio},
    thread::available_parallelism,
    time::Instant,
};

use clap::Subcommand;
use serde::{Deserialize, Serialize};

use crate::{
    engine::{Engine, EngineName, impulse},
    scene::{Scene, SceneKind},
    state::{State, rms_speed},
    worlds::{COUNTS, counts, measure_parts},
};

/// Steps between two looks at the speeds.
const STEPS_PER_SPEED: usize = 10;

/// The parameters of a run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Run {
    /// By which engine.
    pub engine: EngineName,
    /// How many bodies.
    pub bodies: usize,
    /// How they start.
    pub kind: SceneKind,
    /// On how many processors, with as many threads.
    pub threads: usize,
    /// First step at which the bodies' speeds are taken.
    pub from: usize,
    /// For how many steps.
    pub steps: usize,
    /// Whether a run of this plugin shall be made once more, untimed, to count what its steps hold.
    pub counts: bool,
}

/// Name of the subcommand that runs one engine.
const RUN: &str = "run";

/// The part of a program that [`Run::apart`] calls.
#[derive(Subcommand)]
pub enum Part {
    /// One run, in this process
    #[command(name = RUN, hide = true)]
    Run {
        /// As JSON.
        run: String,
    },
}

impl Part {
    /// Runs here, and prints the outcome as JSON.
    ///
    /// # Errors
    /// If the run is not one, or fails.
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        let Self::Run { run } = self;
        let run: Run = serde_json::from_str(run)?;
        println!("{}", serde_json::to_string(&run.here()?)?);
        Ok(())
    }
}

/// The result of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// Seconds from nothing until all bodies are in a world.
    pub spawn_s: f64,
    /// Wall time of each step, in ms.
    pub step_ms: Vec<f64>,
    /// Root of the mean square of the speeds, in m/s, before every tenth step from the first one asked for on.
    pub rms_speeds: Vec<f64>,
    /// How the bodies lie after the last step.
    pub state: State,
    /// The means over the timed steps of [`COUNTS`], if they were asked for.
    pub counts: Option<[f64; COUNTS.len()]>,
}

impl Outcome {
    /// The median of the speeds in m/s.
    pub fn rms_speed(&self) -> f64 {
        let mut speeds = self.rms_speeds.clone();
        speeds.sort_by(f64::total_cmp);
        speeds[speeds.len() / 2]
    }
}

impl Run {
    /// Runs here and now.
    ///
    /// # Errors
    /// If the engine does not start, or loses a body.
    pub fn here(&self) -> Result<Outcome, String> {
        let scene = Scene::new(self.bodies, self.kind);
        let began = Instant::now();
        let mut engine = self.engine.spawn(&scene, self.threads)?;
        let spawn_s = began.elapsed().as_secs_f64();
        let (mut step_ms, mut rms_speeds) = (Vec::new(), Vec::new());
        for step in 0..self.steps {
            if step >= self.from && (step - self.from).is_multiple_of(STEPS_PER_SPEED) {
                rms_speeds.push(rms_speed(&engine.bodies()?));
            }
            let began = Instant::now();
            engine.step();
            step_ms.push(1e3 * began.elapsed().as_secs_f64());
        }
        Ok(Outcome {
            spawn_s,
            step_ms,
            rms_speeds,
            state: State::of(&scene, &engine.bodies()?),
            counts: (self.counts && self.engine == EngineName::Impulse).then(|| self.count(&scene)),
        })
    }

    fn count(&self, scene: &Scene) -> [f64; COUNTS.len()] {
        let mut engine = impulse::spawn(scene, self.threads);
        measure_parts(&mut engine.app);
        let mut sums = [0.0; COUNTS.len()];
        for step in 0..self.steps {
            engine.step();
            if step >= self.from {
                let now = counts(&engine.app);
                sums.iter_mut().zip(now).for_each(|(sum, now)| *sum += now);
            }
        }
        sums.map(|sum| sum / (self.steps - self.from) as f64)
    }

    /// Runs in a separate process, so that no engine's threads or memory disturb another engine. This program must have the subcommand
    /// [`Part`]. If the machine has more processors than the run needs, `taskset` limits the run to this number.
    ///
    /// # Errors
    /// If that process fails.
    pub fn apart(&self) -> Result<Outcome, Box<dyn Error>> {
        let program = std::env::current_exe()?;
        let mut command = if self.threads < available_parallelism()?.get() {
            let mut taskset = Command::new("taskset");
            taskset.args(["--cpu-list", &format!("0-{}", self.threads - 1)]);
            taskset.arg(program);
            taskset
        } else {
            Command::new(program)
        };
        let output = command
            .args([RUN, &serde_json::to_string(self)?])
            .stderr(Stdio::inherit())
            .output()
            .map_err(|problem| format!("{command:?}: {problem}"))?;
        if !output.status.success() {
            return Err(output.status.to_string().into());
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    }
}

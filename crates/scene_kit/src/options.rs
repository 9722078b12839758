//! The command line that every scene understands.

use std::{num::NonZero, path::PathBuf};

use bevy::prelude::*;
use clap::Args;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::{film::FilmOptions, window::scale::SCALES};

/// The heading in `--help` of the options that measure. All but `--headless` need `--headless`.
pub const RESEARCH: &str = "Options for measurements, with --headless";

/// How a scene is run. Flatten it into the scene's own `clap::Parser`; in the app it is a resource.
#[derive(Args, Resource, Clone, Debug, Default)]
pub struct RunOptions {
    /// Run without a window, as fast as it can, and measure
    #[arg(help_heading = RESEARCH, long, conflicts_with = "film")]
    pub headless: bool,
    /// Simulated seconds to run [default: 10 when headless, until closed with a window]
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true, conflicts_with = "film")]
    pub seconds: Option<f32>,
    /// Fixed steps per simulated second [default: a rate that suits the scene]
    #[arg(long, value_name = "H", value_parser = hertz, allow_negative_numbers = true)]
    pub hz: Option<f64>,
    /// Size of texts and panels in the window; Ctrl with plus and minus changes it
    #[arg(long, value_name = "F", value_parser = ui_scale, conflicts_with = "headless")]
    pub ui_scale: Option<f32>,
    /// Keep the last seconds: F12 writes them to a file, which the example `replay` plays, and so does the first value that cannot
    /// be used. A run that is recorded ends in other bits than one that is not
    #[cfg(not(target_arch = "wasm32"))]
    #[arg(long)]
    pub record: bool,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Write the measurements of the headless run to FILE as JSON; '-' is standard output
    #[arg(help_heading = RESEARCH, long, value_name = "FILE", requires = "headless")]
    pub report: Option<PathBuf>,
    /// Threads of the headless run, which ends in the same bits on any number of them [default: one on each core]
    #[arg(help_heading = RESEARCH, long, value_name = "N", requires = "headless")]
    pub threads: Option<NonZero<usize>>,
    /// How its window is filmed
    #[command(flatten)]
    pub film: FilmOptions,
}

impl RunOptions {
    /// The same options with a scene's own rate in steps per second, which `--hz` overrides.
    pub fn or_hz(mut self, hz: f64) -> Self {
        self.hz.get_or_insert(hz);
        self
    }

    /// The same options with a scene's own length of a headless run in simulated seconds, which `--seconds` overrides.
    pub fn or_headless_seconds(mut self, seconds: f32) -> Self {
        if self.headless {
            self.seconds.get_or_insert(seconds);
        }
        self
    }

    /// Fixed steps per simulated second: 60 unless the command line or the scene says otherwise.
    pub fn rate(&self) -> f64 {
        self.hz.unwrap_or(60.0)
    }

    /// Whole fixed steps in `seconds`, at least one.
    pub fn steps(&self, seconds: f32) -> u64 {
        ((f64::from(seconds) * self.rate()).round() as u64).max(1)
    }

    /// Steps after which the run ends: 10 s when headless and not told, none in a window that stays until closed.
    pub fn last_step(&self) -> Option<u64> {
        let seconds = self.seconds.or(self.headless.then_some(10.0));
        seconds.map(|seconds| self.steps(seconds))
    }

    /// Random numbers that depend on `--seed` alone. Streams of different numbers are independent.
    pub fn rng(&self, stream: u64) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(stream);
        rng
    }
}

fn seconds(text: &str) -> Result<f32, String> {
    in_range(text, "seconds", 0.0..=1e6).map(|value| value as f32)
}

fn ui_scale(text: &str) -> Result<f32, String> {
    let (low, high) = (*SCALES.start(), *SCALES.end());
    in_range(text, "times the size", low.into()..=high.into()).map(|value| value as f32)
}

fn hertz(text: &str) -> Result<f64, String> {
    in_range(text, "steps per second", 1.0..=1e5)
}

/// A number in `range`; a zero at the range's start is not in it.
fn in_range(text: &str, unit: &str, range: std::ops::RangeInclusive<f64>) -> Result<f64, String> {
    let value: f64 = text
        .parse()
        .map_err(|_| format!("`{text}` is not a number"))?;
    if range.contains(&value) && value != 0.0 {
        return Ok(value);
    }
    let (low, high) = range.into_inner();
    let low = if low == 0.0 {
        "above 0".to_owned()
    } else {
        format!("at least {low}")
    };
    Err(format!("give {low} and at most {high} {unit}"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Scene {
        #[command(flatten)]
        run: RunOptions,
    }

    fn parse(words: &str) -> Result<RunOptions, clap::Error> {
        Scene::try_parse_from(words.split_whitespace()).map(|scene| scene.run)
    }

    #[test]
    fn times_must_be_above_zero() {
        for words in [
            "--seconds 0",
            "--seconds -1",
            "--seconds nan",
            "--hz 0",
            "--hz NaN",
            "--hz inf",
            "--hz x",
        ] {
            assert!(parse(&format!("scene {words}")).is_err(), "{words}");
        }
    }

    #[test]
    fn report_needs_headless() {
        assert!(parse("scene --report -").is_err());
        assert!(parse("scene --headless --report -").is_ok());
    }

    #[test]
    fn only_a_window_is_filmed_and_the_film_says_how_long() {
        assert!(parse("scene --film a.gif").is_ok());
        assert!(parse("scene --film a.gif --headless").is_err());
        assert!(parse("scene --film a.gif --seconds 3").is_err());
    }

    #[test]
    fn command_line_beats_the_scenes_rate() -> Result<(), clap::Error> {
        assert_eq!(parse("scene")?.rate(), 60.0);
        assert_eq!(parse("scene")?.or_hz(100.0).rate(), 100.0);
        assert_eq!(parse("scene --hz 240")?.or_hz(100.0).rate(), 240.0);
        assert_eq!(parse("scene --hz 240")?.steps(0.5), 120);
        Ok(())
    }
}

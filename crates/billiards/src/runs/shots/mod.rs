//! Single shots on open cloth, from a file, for comparison with other simulators: a ball that slides and rolls, a ball that
//! hits another, a ball that hits a straight cushion.
//!
//! - [`file`](mod@file): the file's format, and the report's
//! - [`player`]: plays the shots
//! - [`watch`]: the events of a ball, at their own time rather than a step's

pub mod file;
pub mod player;
#[cfg(test)]
mod tests;
pub mod watch;

use std::{fs, path::Path};

use scene_kit::{RunOptions, report::open_report};

use self::{
    file::{ShotFile, ShotReports},
    player::Player,
};
use super::report::write_report;

/// Plays the shots of the file at `path`, and reports to where `options` say, or to standard output.
pub fn run(options: &RunOptions, path: &Path) -> Result<(), String> {
    let in_file = |problem: String| format!("{}: {problem}", path.display());
    let text = fs::read_to_string(path).map_err(|problem| in_file(problem.to_string()))?;
    let file: ShotFile =
        serde_json::from_str(&text).map_err(|problem| in_file(problem.to_string()))?;
    file.check().map_err(in_file)?;
    let to = open_report(options)?;

    let mut player = Player::new(&file, options);
    let reports = ShotReports {
        hz: options.rate(),
        shots: file.shots.iter().map(|shot| player.play(shot)).collect(),
    };
    write_report(&reports, to)
}

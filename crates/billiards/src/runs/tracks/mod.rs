//! Shots that cameras tracked on a real table: the strokes behind them, the constants of the table, and how far the laws of
//! the game are from the real balls.
//!
//! - [`file`](mod@file): the tracks
//! - [`constants`]: the constants of a table that tracks can tell
//! - [`stroke`]: a stroke as numbers
//! - [`fit`]: finds strokes
//! - [`calibrate`](mod@calibrate): finds constants
//! - [`replay`]: plays the strokes in the game

pub mod calibrate;
pub mod constants;
pub mod file;
pub mod fit;
pub mod replay;
pub mod stroke;
#[cfg(test)]
mod tests;

use std::{fs, path::Path};

use bevy::platform::time::Instant;
use scene_kit::{RunOptions, headless::progress_bar, report::open_report};
use serde::Serialize;

use self::{
    calibrate::{Calibrated, calibrate},
    constants::Constants,
    file::TrackFile,
    fit::{Fitted, Search, Target},
    replay::Replayed,
    stroke::Stroke,
};
use super::report::write_report;
use crate::{
    table::spec::{CAROM, TableSpec},
    threads::{cores, for_all},
};

/// What the tracks told.
#[derive(Serialize, Debug)]
struct TracksReport {
    /// Median over all shots of the root mean square error in m.
    median_rmse: f64,
    /// The same for the shots that the constants were fitted to, and for the other ones, if constants were fitted.
    median_rmse_fitted: Option<f64>,
    median_rmse_held_out: Option<f64>,
    /// Error of every shot in m: the root of the mean square over all samples of all balls.
    rmse: Vec<f64>,
    /// Shots that the search for strokes played in closed form, and how many a second, on all cores. The strokes of shots that
    /// constants were fitted to were found before.
    shots_played: usize,
    shots_per_second: f64,
    /// The constants.
    constants: Constants,
    /// Every shot.
    shots: Vec<ShotReport>,
}

#[derive(Serialize, Debug)]
struct ShotReport {
    /// The file's number of the shot.
    id: u64,
    /// The cue ball.
    cue_ball: String,
    /// The stroke, with its speed and angles in SI units.
    stroke: Stroke,
    /// Whether the constants were fitted to this shot, too.
    fitted: bool,
    /// Error in m in the game: of all samples, and ball by ball.
    rmse: f64,
    rmse_of_balls: Vec<(String, f64)>,
    /// Error in m by the laws in closed form.
    rmse_in_closed_form: f64,
}

/// Fits the shots of the file at `path`, with given constants or with ones that it finds, and reports to where `options` say,
/// or to standard output.
///
/// Constants are fitted to every other shot. The other half tells how good they are.
pub fn run(
    options: &RunOptions,
    path: &Path,
    constants: Option<&Path>,
    fit_constants: bool,
) -> Result<(), String> {
    let file = TrackFile::parse(&read(path)?).map_err(|problem| in_file(path, problem))?;
    let constants = match constants {
        Some(path) => Constants::parse(&read(path)?).map_err(|problem| in_file(path, problem))?,
        None => Constants::default(),
    };
    let to = open_report(options)?;
    let targets: Vec<Target> = file.shots.iter().filter_map(Target::new).collect();

    let is_fitted = |i: usize| fit_constants && i.is_multiple_of(2);
    let (mine, others): (Vec<usize>, Vec<usize>) = (0..targets.len()).partition(|i| is_fitted(*i));
    let [mine_targets, other_targets] =
        [&mine, &others].map(|half| half.iter().map(|i| targets[*i].clone()).collect::<Vec<_>>());
    let Calibrated { constants, strokes } = if fit_constants {
        calibrate(&CAROM, constants, &mine_targets)
    } else {
        Calibrated {
            constants,
            strokes: Vec::new(),
        }
    };
    // Worlds keep their table for good, and a run has one.
    let table: &'static TableSpec = Box::leak(Box::new(constants.on(&CAROM)));
    let search = Search::new(*table);
    let began = Instant::now();
    let progress = progress_bar(other_targets.len() as u64, "strokes");
    let found = for_all(cores(), other_targets.len(), |i| {
        let found = search.find(&other_targets[i]);
        progress.inc(1);
        found
    });
    progress.finish_and_clear();
    let seconds = began.elapsed().as_secs_f64();
    let mut strokes: Vec<(usize, Fitted)> = mine
        .into_iter()
        .zip(strokes)
        .chain(others.into_iter().zip(found))
        .collect();
    strokes.sort_by_key(|(i, _)| *i);

    let progress = progress_bar(targets.len() as u64, "shots in the game");
    let replayed = for_all(cores(), targets.len(), |i| {
        let stroke = strokes[i].1.stroke;
        let replayed = replay::polish(table, options.rate(), &targets[i], stroke);
        progress.inc(1);
        replayed
    });
    progress.finish_and_clear();
    let shots = strokes.iter().zip(&targets).zip(replayed);
    let shots = shots
        .map(|(((i, fitted), target), replayed)| {
            shot_report(target, fitted, replayed, is_fitted(*i))
        })
        .collect();
    let report = TracksReport {
        shots_played: search.played(),
        shots_per_second: search.played() as f64 / seconds,
        ..TracksReport::new(constants, shots, fit_constants)
    };
    write_report(&report, to)
}

fn shot_report(
    target: &Target,
    fitted: &Fitted,
    replayed: Replayed,
    is_fitted: bool,
) -> ShotReport {
    ShotReport {
        id: target.id,
        cue_ball: target.names[target.cue_ball].clone(),
        stroke: replayed.stroke,
        fitted: is_fitted,
        rmse: replayed.rmse,
        rmse_of_balls: target
            .names
            .iter()
            .cloned()
            .zip(replayed.rmse_of_balls)
            .collect(),
        rmse_in_closed_form: fitted.rmse,
    }
}

impl TracksReport {
    fn new(constants: Constants, shots: Vec<ShotReport>, fit_constants: bool) -> Self {
        let half = |fitted: bool| {
            let errors = shots.iter().filter(|shot| shot.fitted == fitted);
            fit_constants.then(|| median(errors.map(|shot| shot.rmse)))
        };
        let rmse: Vec<f64> = shots.iter().map(|shot| shot.rmse).collect();
        Self {
            median_rmse: median(rmse.iter().copied()),
            median_rmse_fitted: half(true),
            median_rmse_held_out: half(false),
            rmse,
            shots_played: 0,
            shots_per_second: 0.0,
            constants,
            shots,
        }
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[n / 2],
        n => 0.5 * (values[n / 2 - 1] + values[n / 2]),
    }
}

fn in_file(path: &Path, problem: String) -> String {
    format!("{}: {problem}", path.display())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|problem| in_file(path, problem.to_string()))
}

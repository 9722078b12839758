//! Many games without a window, to see that no ball ever escapes or sticks.

use std::{
    num::NonZero,
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::Duration,
};

use bevy::{app::ScheduleRunnerPlugin, platform::time::Instant, prelude::*};
use bevy_impulse_collide::prelude::*;
use scene_kit::{
    RunOptions,
    app::task_pools,
    console,
    headless::{progress_bar, start},
    report::{open_report, write_json},
};
use serde::Serialize;

use super::{
    PinballOptions, PinballPlugin,
    machine::{play::Game, robot::Robot},
    report::{PinballReport, pinball_report},
};

/// Seconds of game time after which a game should long be over.
const LONGEST: f32 = 3_600.0;

/// All games together.
#[derive(Serialize, Debug)]
struct GamesReport {
    /// Games that came to their end.
    games: u32,
    /// Games that did not.
    endless: u32,
    /// Fixed steps per second.
    hz: f64,
    /// Balls that left the table by more than a millimetre, in any step.
    escaped: u32,
    /// Balls that closed no switch for 30 s, in spite of the ball search.
    stuck: u32,
    /// Kicks of the ball search.
    ball_searches: u32,
    /// Balls that drained for good.
    balls: u32,
    /// Mean of the scores.
    mean_score: f64,
    /// The best score.
    best_score: u64,
    /// Mean length of a game in seconds of game time.
    mean_seconds: f64,
    /// Highest speed of a ball in m/s.
    top_speed: f32,
    /// Wall-clock seconds of the run.
    wall_seconds: f64,
    /// Threads that played.
    threads: usize,
}

/// A game.
pub(super) struct Played {
    /// Its counts.
    pub report: PinballReport,
    /// Its length in seconds of game time.
    pub seconds: f32,
}

/// A machine without a window, and the robot with the dice of this stream of the seed. Each update is one fixed step.
pub(super) fn machine(options: &RunOptions, stream: u64) -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins
            .build()
            .disable::<ScheduleRunnerPlugin>()
            .set(task_pools(options.threads)),
        ImpulseCollidePlugin { interpolate: false },
    ))
    .insert_resource(Time::<bevy::time::Fixed>::from_duration(
        Duration::from_secs_f64(1.0 / options.rate()),
    ))
    .insert_resource(options.clone())
    .add_plugins(PinballPlugin(PinballOptions::default()));
    start(&mut app);
    app.insert_resource(Robot::new(options.rng(stream)));
    app
}

/// Plays one game to its end.
pub(super) fn play(options: &RunOptions, stream: u64) -> Played {
    let mut app = machine(options, stream);
    loop {
        app.update();
        let game = app.world().resource::<Game>();
        let seconds = game.seconds;
        if game.games > 0 || seconds > LONGEST {
            let report = pinball_report(app.world_mut());
            return Played { report, seconds };
        }
    }
}

/// Plays `count` games on all cores. Game k has stream k + 1 of the seed, so it is the same on any number of threads.
pub fn run(options: &RunOptions, count: u32) -> Result<(), String> {
    let to = open_report(options)?;
    let began = Instant::now();
    let threads = options
        .threads
        .map_or_else(thread::available_parallelism, Ok);
    let threads = threads.map_or(1, NonZero::get).min(count as usize);
    let progress = progress_bar(count.into(), "games");
    let next = AtomicU32::new(0);
    let work = || {
        let mut played = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return played;
            }
            played.push((number, play(options, u64::from(number) + 1)));
            progress.inc(1);
        }
    };
    let mut played: Vec<(u32, Played)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().map_err(|_| "a game panicked".to_owned()))
            .collect::<Result<Vec<_>, _>>()
    })?
    .into_iter()
    .flatten()
    .collect();
    progress.finish_and_clear();
    // In the order of their numbers: sums round alike on any number of threads.
    played.sort_by_key(|(number, _)| *number);
    let mut report = GamesReport::of(&played);
    report.hz = options.rate();
    report.threads = threads;
    report.wall_seconds = began.elapsed().as_secs_f64();
    let written = match to {
        Some(mut file) => write_json(&report, &mut file),
        None => write_json(&report, &mut console::output()),
    };
    written.map_err(|problem| format!("cannot write the report: {problem}"))
}

impl GamesReport {
    fn of(played: &[(u32, Played)]) -> Self {
        let count = |part: fn(&PinballReport) -> u32| {
            let games = played.iter();
            games.map(|(_, game)| part(&game.report)).sum::<u32>()
        };
        let mean = |part: fn(&Played) -> f64| {
            played.iter().map(|(_, game)| part(game)).sum::<f64>() / played.len() as f64
        };
        let games = count(|report| report.games);
        Self {
            games,
            endless: played.len() as u32 - games,
            hz: 0.0,
            escaped: count(|report| report.escaped),
            stuck: count(|report| report.stuck),
            ball_searches: count(|report| report.ball_searches),
            balls: count(|report| report.balls),
            mean_score: mean(|game| game.report.score as f64),
            best_score: played
                .iter()
                .map(|(_, game)| game.report.score)
                .max()
                .unwrap_or(0),
            mean_seconds: mean(|game| game.seconds.into()),
            top_speed: played
                .iter()
                .map(|(_, game)| game.report.top_speed)
                .fold(0.0, f32::max),
            wall_seconds: 0.0,
            threads: 0,
        }
    }
}

//! Thousands of throws without a window: how often a ball strikes, by its entry angle and its board.

use std::{
    num::NonZero,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use bevy::{app::ScheduleRunnerPlugin, prelude::*};
use bevy_impulse_collide::prelude::*;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use scene_kit::{
    RunOptions,
    app::task_pools,
    headless::{progress_bar, start},
    report::{open_report, write_json},
};
use serde::Serialize;

use super::world::{
    WorldPlugin,
    ball::ball,
    measures::{BALL_RADIUS, BOARD, IN_PIT, INCH, PINS, TO_PINS, board},
    pin::{DRAWING, HEIGHT, Pin, spawn_rack, stands},
};

/// Entry angles in degrees: between the way of the ball and the lane, to the left.
const ANGLES: [f32; 6] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
/// Boards on which the middle of the ball is when it touches the head pin.
const BOARDS: [f32; 9] = [16.0, 16.5, 17.0, 17.5, 18.0, 18.5, 19.0, 19.5, 20.0];
/// Speed at the pins in m/s: 17 miles an hour.
const SPEED: f32 = 7.6;
/// How far a pin is set off its spot, at most, along and across the lane, in m: a machine sets it.
const PIN_SCATTER: f32 = 1e-3;
/// How far the ball is off the middle of its column, at most: the columns are half a board apart.
const BOARD_SCATTER: f32 = 0.25 * BOARD;
/// Seconds after which the pins are counted once those that stand are still, and in any case.
const LATE: f32 = 3.0;
const LONGEST: f32 = 5.0;

/// A cell of the table.
#[derive(Serialize, Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    /// Entry angle in degrees.
    angle: f32,
    /// The board at the first touch.
    board: f32,
    /// Balls thrown.
    balls: u32,
    /// Balls that struck.
    strikes: u32,
    /// Pins that fell, per ball.
    mean_pins: f64,
}

/// The table.
#[derive(Serialize, Debug)]
struct OddsReport {
    /// Fixed steps per second.
    hz: f64,
    /// Speed at the pins in m/s.
    speed: f32,
    /// Angle by angle, board by board.
    cells: Vec<Cell>,
}

/// A lane with ten pins, each a little off its spot, without a window. Each update is one fixed step.
fn rack(options: &RunOptions, rng: &mut ChaCha8Rng) -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins
            .build()
            .disable::<ScheduleRunnerPlugin>()
            .set(task_pools(options.threads)),
        ImpulseCollidePlugin { interpolate: false },
        WorldPlugin,
    ))
    .insert_resource(Time::<Fixed>::from_duration(Duration::from_secs_f64(
        1.0 / options.rate(),
    )));
    start(&mut app);
    let mut off = || {
        let mut scatter = || rng.random_range(-PIN_SCATTER..=PIN_SCATTER);
        Vec3::new(scatter(), 0.0, scatter())
    };
    spawn_rack(&mut app.world_mut().commands(), &mut off);
    app.world_mut().flush();
    app
}

/// Where the ball's middle is when it touches the head pin, if it is so far to the right of it.
fn touch(x: f32) -> Vec3 {
    let widest = DRAWING.iter().map(|&(_, diameter)| diameter);
    let belly = 0.5 * widest.fold(0.0, f32::max) * INCH;
    let reach = BALL_RADIUS + belly;
    Vec3::new(
        x,
        BALL_RADIUS,
        -TO_PINS + (reach * reach - x * x).max(0.0).sqrt(),
    )
}

/// Throws a ball that rolls, and touches the head pin at this board with this angle. The number of pins that fall.
pub(super) fn throw(options: &RunOptions, angle: f32, at: f32, stream: u64) -> usize {
    /// Where it starts, in m before the pin.
    const BEFORE: f32 = 0.3;
    let mut rng = options.rng(stream);
    let mut app = rack(options, &mut rng);
    let off = rng.random_range(-BOARD_SCATTER..=BOARD_SCATTER);
    let way = Quat::from_rotation_y(angle.to_radians()) * Vec3::NEG_Z;
    let spin = Vec3::Y.cross(way) * (SPEED / BALL_RADIUS);
    let place = touch(board(at) + off) - BEFORE * way;
    app.world_mut().spawn(ball(place, SPEED * way, spin));
    let steps = options.steps(LONGEST);
    let mut pins = app
        .world_mut()
        .query_filtered::<(&Transform, &LinearVelocity, &AngularVelocity), With<Pin>>();
    for step in 0..steps {
        app.update();
        // A look ten times a second is enough.
        if step % (options.steps(0.1)) != 0 || step < options.steps(0.5) {
            continue;
        }
        let (mut standing, mut rest, mut stand) = (0, true, true);
        for (at, v, w) in pins.iter(app.world()) {
            let is_still = v.length() + HEIGHT * w.length() < 0.03;
            standing += usize::from(stands(at));
            rest &= is_still || at.translation.y < IN_PIT;
            stand &= is_still || !stands(at);
        }
        // A pin that rolls on the deck may still hit another one for a while.
        let is_late = step > options.steps(LATE);
        if standing == 0 || rest || (stand && is_late) || step + options.steps(0.1) >= steps {
            return PINS - standing;
        }
    }
    0
}

/// Throws `count` balls into each cell of the table, on all cores, and prints it. Ball k of cell c has a stream of the seed of its own,
/// so the table is the same on any number of threads.
pub fn run(options: &RunOptions, count: u32) -> Result<(), String> {
    let to = open_report(options)?;
    let threads = options
        .threads
        .map_or_else(thread::available_parallelism, Ok)
        .map_or(1, NonZero::get);
    let places: Vec<(f32, f32)> = ANGLES
        .into_iter()
        .flat_map(|angle| BOARDS.map(|board| (angle, board)))
        .collect();
    let balls = places.len() * count as usize;
    let progress = progress_bar(balls as u64, "balls");
    let next = AtomicUsize::new(0);
    let work = || {
        let mut thrown = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(&(angle, board)) = places.get(number / count as usize) else {
                return thrown;
            };
            let fallen = throw(options, angle, board, number as u64 + 1);
            thrown.push((number / count as usize, fallen));
            progress.inc(1);
        }
    };
    let thrown: Vec<(usize, usize)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().map_err(|_| "a throw panicked".to_owned()))
            .collect::<Result<Vec<_>, _>>()
    })?
    .into_iter()
    .flatten()
    .collect();
    progress.finish_and_clear();
    let cells = places.iter().enumerate().map(|(cell, &(angle, board))| {
        let fallen = thrown.iter().filter(|thrown| thrown.0 == cell);
        let (mut strikes, mut pins) = (0, 0);
        for &(_, count) in fallen {
            strikes += u32::from(count == PINS);
            pins += count;
        }
        Cell {
            angle,
            board,
            balls: count,
            strikes,
            mean_pins: pins as f64 / f64::from(count),
        }
    });
    let report = OddsReport {
        hz: options.rate(),
        speed: SPEED,
        cells: cells.collect(),
    };
    let Some(mut file) = to else {
        print!("{}", table(&report.cells));
        return Ok(());
    };
    write_json(&report, &mut file).map_err(|problem| format!("cannot write the report: {problem}"))
}

/// The share of strikes in percent as a table in Markdown: a row for each angle, a column for each board.
fn table(cells: &[Cell]) -> String {
    let mut text = "| entry angle |".to_owned();
    for board in BOARDS {
        text += &format!(" {board} |");
    }
    text += &format!("\n| --- |{}\n", " ---: |".repeat(BOARDS.len()));
    for row in cells.chunks(BOARDS.len()) {
        text += &format!("| {}° |", row[0].angle);
        for cell in row {
            let percent = 100.0 * f64::from(cell.strikes) / f64::from(cell.balls);
            text += &format!(" {percent:.0} |");
        }
        text.push('\n');
    }
    text
}

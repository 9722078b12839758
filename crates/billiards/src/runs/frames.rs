//! The computer plays frames against itself, to see that no rule is broken and no frame gets stuck.

use std::num::NonZeroU32;

use bevy::{platform::time::Instant, prelude::*, time::TimeUpdateStrategy};
use scene_kit::{
    RunOptions,
    headless::{self, progress_bar},
    report::open_report,
    scene_app,
};
use serde::Serialize;

use super::{hanging::some_ball_hangs, report::write_report};
use crate::{
    options::Options,
    play::{
        matches::{Match, Seat, Setup},
        referee::Ask,
        snapshot::{Present, Snapshot},
        state::{Game, Phase},
    },
    plugin::BilliardsPlugin,
    rules::{Ball, BallSet, Calls, Discipline, Turn, straight_pool},
    table::{
        bed::Table,
        rack::{Gaps, Rack},
    },
};

/// Fixed steps that are made before anything else of Bevy's turn.
const STEPS_AT_ONCE: u32 = 8;
/// More shots than any frame takes.
const ENDLESS: u32 = 1000;
/// Seconds after which a shot is overdue.
const OVERDUE: f64 = 60.0;

/// What happened, and what must never happen.
#[derive(Serialize, Debug, Default)]
pub struct FramesReport {
    /// Frames played.
    pub frames: u32,
    /// Fixed steps per second.
    pub hz: f64,
    /// Frames that each of the two won.
    pub wins: [u32; 2],
    /// Shots in all.
    pub shots: u32,
    /// Shots in a frame, on the average.
    pub shots_a_frame: f64,
    /// Shots in the longest frame.
    pub longest_frame: u32,
    /// Shots with a foul.
    pub fouls: u32,
    /// Shots after which the balls on the table were not those of the rules.
    pub miscounted: u32,
    /// Frames that ended with one winner by the rules and another by the score.
    pub disputed: u32,
    /// Shots that ended with a ball above or below the cloth, or in another ball or a cushion.
    pub hanging: u32,
    /// Shots that did not end.
    pub overdue: u32,
    /// Frames that did not end.
    pub endless: u32,
    /// Wall-clock seconds.
    pub wall_seconds: f64,
}

/// The computer plays `count` frames of the rack's game against itself.
pub fn run(options: &RunOptions, billiards: &Options, count: u32) -> Result<(), String> {
    let to = open_report(options)?;
    let report = play(options, billiards, count)?;
    write_report(&report, to)
}

/// Plays the frames.
pub(crate) fn play(
    options: &RunOptions,
    billiards: &Options,
    count: u32,
) -> Result<FramesReport, String> {
    let began = Instant::now();
    let mut app = scene_app("Frames", options);
    // The break with which every headless game starts has no speed.
    app.add_plugins(BilliardsPlugin(Options {
        speed: 0.0,
        ..billiards.clone()
    }));
    headless::start(&mut app);
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(STEPS_AT_ONCE));
    let setup = Setup {
        discipline: game_of(billiards.rack, billiards.points),
        seats: [0, 1].map(|player| {
            let skills = &billiards.skills;
            let skill = skills.get(player).or(skills.last()).copied();
            Seat::Computer(skill.unwrap_or_default())
        }),
        goal: NonZeroU32::MIN,
    };
    let mut report = FramesReport {
        hz: options.rate(),
        ..default()
    };
    let progress = progress_bar(count.into(), "frames");
    for _ in 0..count {
        app.world_mut().write_message(Ask::Begin(setup));
        app.update();
        report.play_frame(&mut app)?;
        progress.inc(1);
    }
    progress.finish_and_clear();
    report.shots_a_frame = f64::from(report.shots) / f64::from(count.max(1));
    report.wall_seconds = began.elapsed().as_secs_f64();
    Ok(report)
}

/// The game that a rack is set up for, to so many points if it is straight pool.
fn game_of(rack: Rack, points: Option<NonZeroU32>) -> Discipline {
    match rack {
        Rack::EightBall => Discipline::EightBall(Calls::EightOnly),
        Rack::NineBall => Discipline::NineBall,
        Rack::TenBall => Discipline::TenBall,
        Rack::StraightPool => Discipline::StraightPool(points.unwrap_or(straight_pool::POINTS)),
        Rack::Snooker => Discipline::Snooker,
        Rack::Carom => Discipline::ThreeCushion,
    }
}

fn phase(app: &App) -> Phase {
    app.world().resource::<Game>().phase
}

impl FramesReport {
    fn play_frame(&mut self, app: &mut App) -> Result<(), String> {
        self.frames += 1;
        let mut shots = 0;
        loop {
            let on = app.world().resource::<Match>();
            let frame = on.frame.as_ref().ok_or("the frame has no rules")?;
            if let Turn::Over { winner, .. } = frame.turn() {
                self.disputed += u32::from(on.race.winner() != Some(*winner));
                self.wins[winner.index()] += 1;
                break;
            }
            if shots == ENDLESS {
                self.endless += 1;
                break;
            }
            app.update();
            if phase(app) == Phase::Roll {
                shots += 1;
                if !self.wait(app) {
                    break;
                }
                self.look_at(app)?;
            }
        }
        self.shots += shots;
        self.longest_frame = self.longest_frame.max(shots);
        Ok(())
    }

    /// Steps until all balls lie still. Whether they ever do.
    fn wait(&mut self, app: &mut App) -> bool {
        for _ in 0..(OVERDUE * self.hz) as u32 / STEPS_AT_ONCE {
            if phase(app) == Phase::Aim {
                return true;
            }
            app.update();
        }
        self.overdue += 1;
        false
    }

    fn look_at(&mut self, app: &mut App) -> Result<(), String> {
        let world = app.world_mut();
        let ruling = world.resource::<Match>().ruling.as_ref();
        self.fouls += u32::from(ruling.is_some_and(|ruling| !ruling.fouls.is_empty()));
        let table = world.resource::<Table>().spec;
        if let Some(present) = &world.resource::<Present>().0 {
            let in_all = present.rack.places(table, Gaps::None).len() - 1;
            self.miscounted += u32::from(!is_counted(present, in_all));
        }
        self.hanging += u32::from(some_ball_hangs(world)?);
        Ok(())
    }
}

/// Whether the rules' balls are on the table, and all other object balls in the tray.
fn is_counted(present: &Snapshot, in_all: usize) -> bool {
    let Some(frame) = &present.frame else {
        return false;
    };
    let lying: BallSet = present
        .object_balls()
        .iter()
        .map(|(ball, _)| *ball)
        .collect();
    let pocketed: BallSet = present.pocketed.iter().copied().collect();
    frame.balls() == lying
        && lying.intersection(pocketed).is_empty()
        && lying.len() + pocketed.len() == in_all
        && present.place(Ball::CUE).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::matches::Skill;

    /// The computer plays one frame of nine-ball against itself.
    #[test]
    fn nothing_goes_wrong_in_a_frame() {
        let run = RunOptions {
            headless: true,
            ..default()
        };
        let billiards = Options {
            rack: Rack::NineBall,
            skills: vec![Skill::Club],
            ..default()
        };
        let report = play(&run, &billiards, 1).unwrap();
        assert_eq!(report.wins.iter().sum::<u32>(), 1);
        assert!(report.shots > 0);
        let wrong = [
            report.miscounted,
            report.disputed,
            report.hanging,
            report.overdue,
            report.endless,
        ];
        assert_eq!(wrong, [0; 5]);
    }
}

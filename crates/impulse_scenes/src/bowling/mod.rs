//! Ten-pin bowling on a lane of the true measures, with oil on it.
//!
//! - [`world`]: lane, pins and ball. It needs no window and knows no rules.
//! - [`score`]: the score of a game, without ECS
//! - [`play`]: the game on the lane
//! - [`robot`]: an automatic bowler
//! - [`odds`]: thousands of throws without a window: how often a ball strikes
//! - [`report`]: the scene's part of a headless run's report
//! - `hands`: the player's mouse and keys
//! - `view`: how it looks

mod hands;
pub mod odds;
mod options;
pub mod play;
pub mod report;
pub mod robot;
pub mod score;
#[cfg(test)]
mod tests;
mod view;
pub mod world;

use bevy::prelude::*;
use scene_kit::{RunOptions, app::steps_now, console, has_window, run_scene, scene_app};

pub use self::options::BowlingOptions;
use self::play::Play;

/// The scene. Without a window the robot plays.
pub struct BowlingPlugin(pub BowlingOptions);

impl Plugin for BowlingPlugin {
    fn build(&self, app: &mut App) {
        let is_played = has_window(app) && !self.0.demo;
        app.add_plugins(world::WorldPlugin)
            .init_resource::<play::Hands>()
            .init_resource::<play::Game>()
            .insert_resource(robot::IsOn(!is_played))
            .add_systems(Startup, (seat_robot, play::set_up))
            .add_systems(
                FixedUpdate,
                (
                    robot::play.run_if(|is_on: Res<robot::IsOn>| is_on.0),
                    play::start_again,
                    play::release,
                    play::count,
                    play::sweep,
                )
                    .chain()
                    .in_set(Play)
                    .run_if(steps_now),
            );
        if has_window(app) {
            app.add_plugins((hands::plugin, view::plugin));
        }
    }
}

fn seat_robot(mut commands: Commands, run: Res<RunOptions>) {
    commands.insert_resource(robot::Robot(run.rng(0)));
}

/// Steps per second that suit the scene: a ball at 8 m/s moves by a sixth of its diameter in a step. The times of the impacts within a
/// step are exact at any rate.
pub const RATE: f64 = 240.0;

/// Runs the scene, or thousands of throws, by the command line.
pub fn run(run: &RunOptions, options: BowlingOptions) -> AppExit {
    let Some(count) = options.odds else {
        let run = run.clone().or_headless_seconds(60.0);
        let mut app = scene_app("Bowling", &run);
        app.add_plugins(BowlingPlugin(options));
        return run_scene(app, "bowling", &run, report::bowling_report);
    };
    match odds::run(run, count) {
        Ok(()) => AppExit::Success,
        Err(problem) => {
            console::tell_error(&problem);
            AppExit::error()
        }
    }
}

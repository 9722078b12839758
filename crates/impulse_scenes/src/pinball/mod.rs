//! A pinball table of a real machine's measures, for two keys.
//!
//! - [`machine`]: the table, its moving parts, the ball and the rules. It needs no window.
//! - [`games`]: many games without a window, to see that no ball ever escapes or sticks
//! - [`report`]: the scene's part of a headless run's report
//! - `hands`: the player's keys
//! - `view`: how it looks; with the feature `sound`, `sound` plays what one hears

pub mod games;
mod hands;
pub mod machine;
mod options;
pub mod report;
#[cfg(feature = "sound")]
mod sound;
#[cfg(test)]
mod tests;
mod view;

use bevy::prelude::*;
use scene_kit::{RunOptions, console, has_window, run_scene, scene_app};

use self::machine::{Machine, MachinePlugin, robot};
pub use self::options::PinballOptions;

/// The scene. Without a window the robot plays.
pub struct PinballPlugin(pub PinballOptions);

impl Plugin for PinballPlugin {
    fn build(&self, app: &mut App) {
        let is_played = has_window(app) && !self.0.demo;
        app.add_plugins(MachinePlugin)
            .insert_resource(robot::IsOn(!is_played))
            .add_systems(Startup, seat_robot)
            .add_systems(
                FixedUpdate,
                robot::play
                    .before(Machine)
                    .run_if(|is_on: Res<robot::IsOn>| is_on.0),
            );
        if has_window(app) {
            app.add_plugins((hands::plugin, view::plugin));
            #[cfg(feature = "sound")]
            app.add_plugins(sound::plugin);
        }
    }
}

fn seat_robot(mut commands: Commands, run: Res<RunOptions>) {
    commands.insert_resource(robot::Robot::new(run.rng(0)));
}

/// Steps per second that suit the scene. At 5 m/s the ball moves by its diameter in a step and a half, and a flipper takes eight
/// steps to turn; the times of the impacts within a step are exact at any rate.
pub const RATE: f64 = 240.0;

/// Runs the scene, or many games, by the command line.
pub fn run(run: &RunOptions, options: PinballOptions) -> AppExit {
    let Some(count) = options.games else {
        let run = run.clone().or_headless_seconds(60.0);
        let mut app = scene_app("Pinball", &run);
        app.add_plugins(PinballPlugin(options));
        return run_scene(app, "pinball", &run, report::pinball_report);
    };
    match games::run(run, count) {
        Ok(()) => AppExit::Success,
        Err(problem) => {
            console::tell_error(&problem);
            AppExit::error()
        }
    }
}

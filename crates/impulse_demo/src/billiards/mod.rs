//! A billiards table to play at: pool, snooker or carom balls, six pockets or none, and a cue for the mouse.
//!
//! The table, the balls and the rules of the house run in any app, with a window or without:
//!
//! - [`spec`]: tables, balls and cues by their published measures
//! - [`table`]: the cloth (a plane) and cushions (capsules) that balls meet, and the pockets
//! - [`balls`] and [`rack`]: the balls, and where they stand before the break
//! - [`strike`]: what a blow of the cue makes of a ball
//! - [`game`]: shots, racks, and when the player may shoot
//! - [`pockets`]: balls that fall or fly off, and what becomes of them
//! - [`rules`]: eight-ball, nine-ball and the free table, apart from any app, and the shots that an opponent may think of
//! - [`report`](mod@report): what a headless run adds to its report
//! - [`shots`]: single shots on open cloth, from a file, as other simulators play them
//! - [`breaks`]: many racks broken, to see that none goes wrong
//!
//! A window adds the player's side:
//!
//! - [`cue`]: mouse and keys aim, pull back and shoot
//! - [`sight`]: where the cue ball will go
//! - [`look`]: meshes, textures, lights and texts

pub mod balls;
pub mod breaks;
pub mod cue;
pub mod game;
pub mod look;
pub mod pockets;
pub mod rack;
pub mod report;
pub mod rules;
pub mod shots;
pub mod sight;
pub mod spec;
pub mod strike;
pub mod table;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use clap::Args;

pub use report::{BilliardsReport, report};

use self::{rack::Rack, spec::TableKind, table::Table};
use crate::{RunOptions, has_window, run_scene, scene_app};

/// What the command line says about the game.
#[derive(Args, Clone, Debug, Default)]
pub struct BilliardsOptions {
    /// How the balls are set up
    #[arg(long, value_name = "GAME", value_enum, default_value_t, requires = "headless")]
    pub rack: Rack,
    /// The table [default: what the rack is played on]
    #[arg(long, value_name = "SIZE", value_enum, requires = "headless")]
    pub table: Option<TableKind>,
    /// Speed of the cue ball in the break of a headless run, in m/s; the seed picks its exact aim
    #[arg(long, value_name = "V", default_value_t = 9.0, value_parser = break_speed, allow_negative_numbers = true)]
    pub speed: f32,
    /// Break N racks with random cues, each until all balls lie still, and count what became of the balls
    #[arg(long, value_name = "N", requires = "headless", value_parser = clap::value_parser!(u32).range(1..))]
    pub breaks: Option<u32>,
    /// Play the shots of FILE instead, each on open cloth, and report what became of their balls
    #[arg(long, value_name = "FILE", requires = "headless", conflicts_with = "breaks")]
    pub shots: Option<PathBuf>,
}

fn break_speed(text: &str) -> Result<f32, String> {
    let speed: f32 = text
        .parse()
        .map_err(|_| format!("`{text}` is not a number"))?;
    (0.0..=20.0)
        .contains(&speed)
        .then_some(speed)
        .ok_or_else(|| "give a speed from 0 to 20 m/s".to_owned())
}

/// Runs what the command line asks for: the scene, racks to break, or shots from a file.
pub fn run(run: &RunOptions, billiards: BilliardsOptions) -> AppExit {
    let done = match (&billiards.shots, billiards.breaks) {
        (Some(file), _) => shots::run(run, file),
        (None, Some(count)) => breaks::run(run, &billiards, count),
        (None, None) => {
            let mut app = scene_app("Billiards", run);
            app.add_plugins(BilliardsPlugin(billiards));
            return run_scene(app, "billiards", run, report);
        }
    };
    match done {
        Ok(()) => AppExit::Success,
        Err(problem) => {
            eprintln!("error: {problem}");
            AppExit::error()
        }
    }
}

/// The billiards scene. Without a window the break is shot at once; with one it waits for the player.
pub struct BilliardsPlugin(pub BilliardsOptions);

/// The fixed rate that suits the scene, in Hz.
pub const RATE: f64 = 120.0;

impl Plugin for BilliardsPlugin {
    fn build(&self, app: &mut App) {
        let Self(options) = self;
        let table = options.table.unwrap_or(options.rack.table());
        app.register_type::<balls::Ball>()
            .insert_resource(Table::new(table.spec()))
            .insert_resource(game::Game {
                rack: options.rack,
                ..default()
            })
            .insert_resource(materials())
            .add_message::<game::Shot>()
            .add_message::<game::Rerack>()
            .add_systems(Startup, (table::spawn_table, balls::spawn_balls))
            .add_systems(
                FixedUpdate,
                (
                    (
                        pockets::catch_balls,
                        pockets::drop_balls,
                        pockets::roll_into_tray,
                        game::settle,
                    )
                        .chain()
                        .run_if(not_paused),
                    game::rerack,
                    game::shoot,
                )
                    .chain(),
            );
        if has_window(app) {
            app.add_plugins((cue::CuePlugin, look::LookPlugin));
        } else {
            app.add_systems(PostStartup, game::break_rack(options.speed));
        }
    }
}

/// Of two bodies the deader bounce and the rougher surface count; so each surface states its own values.
fn materials() -> CollisionConfig {
    let standard = CollisionConfig::default();
    CollisionConfig {
        restitution: MaterialRule::new(CombineRule::Min, standard.restitution.default),
        friction: MaterialRule::new(CombineRule::Max, standard.friction.default),
        // Balls lie side by side on a table, not on each other: a few sweeps find all there is to find.
        contact_iterations: 4,
        ..standard
    }
}

fn not_paused(control: Res<StepControl>) -> bool {
    !control.paused || control.pending_steps > 0
}

//! A billiards table to play at: pool, snooker or carom balls, six pockets or none, and a cue for the mouse.
//!
//! The table, the balls and the game run in any app, with a window or without:
//!
//! - [`spec`]: tables, balls and cues by their published measures
//! - [`table`]: the cloth (a plane) and cushions (capsules) that balls meet, and the pockets
//! - [`balls`] and [`rack`]: the balls, and where they stand before the break
//! - [`strike`]: what a blow of the cue makes of a ball
//! - [`game`]: shots, racks, and when the next shot may be made
//! - [`pockets`]: balls that fall or fly off, and what becomes of them
//! - [`record`]: what happens in a shot, as far as rules ask
//! - [`rules`]: eight-ball, nine-ball and the free table, apart from any app, and the shots that an opponent may think of
//! - [`matches`](mod@matches): who plays whom, and what the rules make of a shot
//! - [`snapshot`] and [`history`]: shots taken back and shown once more
//! - [`sheet`]: shots as files
//! - [`cue`]: the cue and its way to the ball
//! - [`ahead`]: the same game in a world of its own, to see what a shot would do
//! - [`opponent`]: the computer as a player
//! - [`words`]: what the game says to its players
//! - [`report`](mod@report): what a headless run adds to its report
//! - [`shots`]: single shots on open cloth, from a file, as other simulators play them
//! - [`breaks`]: many racks broken, to see that none goes wrong
//!
//! A window adds the player's side:
//!
//! - [`hands`]: mouse and keys aim, pull back and shoot
//! - [`sight`]: where the balls will go
//! - [`look`]: meshes, textures, lights, cameras and texts
//! - `sound`, with the feature of this name: clicks and thuds

pub mod ahead;
pub mod balls;
pub mod breaks;
pub mod cue;
pub mod game;
pub mod hands;
pub mod history;
pub mod look;
pub mod matches;
pub mod opponent;
pub mod pockets;
pub mod rack;
pub mod record;
pub mod report;
pub mod rules;
pub mod sheet;
pub mod shots;
pub mod sight;
pub mod snapshot;
#[cfg(feature = "sound")]
mod sound;
pub mod spec;
pub mod strike;
pub mod table;
#[cfg(test)]
mod tests;
pub mod words;

use std::path::PathBuf;

use bevy::prelude::*;
use clap::Args;

pub use report::{BilliardsReport, report};

use self::{game::materials, rack::Rack, sheet::Sheet, spec::TableKind, table::Table};
use crate::{RunOptions, has_window, number::number, run_scene, scene_app};

/// What the command line says about the game.
#[derive(Args, Clone, Debug, Default)]
pub struct BilliardsOptions {
    /// How the balls are set up
    #[arg(
        long,
        value_name = "GAME",
        value_enum,
        default_value_t,
        requires = "headless"
    )]
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
    #[arg(
        long,
        value_name = "FILE",
        requires = "headless",
        conflicts_with = "breaks"
    )]
    pub shots: Option<PathBuf>,
    /// Begin with the shot saved in FILE: in a window it waits to be played, headless it is played at once
    #[arg(long, value_name = "FILE", conflicts_with_all = ["breaks", "shots"])]
    pub shot: Option<PathBuf>,
}

fn break_speed(text: &str) -> Result<f32, String> {
    number(
        text,
        |speed| (0.0..=20.0).contains(&speed),
        "speed from 0 to 20 m/s",
    )
}

/// Runs what the command line asks for: the scene, racks to break, or shots from a file.
pub fn run(run: &RunOptions, billiards: BilliardsOptions) -> AppExit {
    let done = match (&billiards.shots, billiards.breaks) {
        (Some(file), _) => shots::run(run, file).map(|()| AppExit::Success),
        (None, Some(count)) => breaks::run(run, &billiards, count).map(|()| AppExit::Success),
        (None, None) => play(run, billiards),
    };
    done.unwrap_or_else(|problem| {
        eprintln!("error: {problem}");
        AppExit::error()
    })
}

fn play(run: &RunOptions, mut billiards: BilliardsOptions) -> Result<AppExit, String> {
    let sheet = billiards.shot.as_deref().map(Sheet::read).transpose()?;
    if let Some(sheet) = &sheet {
        let table = sheet.kind()?;
        if !run.headless && table != TableKind::default() {
            return Err(format!(
                "a window shows the 9-foot pool table only, and this shot is on `{}`: add --headless",
                sheet.table
            ));
        }
        (billiards.table, billiards.rack) = (Some(table), sheet.before.rack);
    }
    let mut app = scene_app("Billiards", run);
    app.add_plugins(BilliardsPlugin(billiards));
    if let Some(sheet) = sheet {
        let windowed = has_window(&app);
        app.add_systems(PostStartup, move |world: &mut World| {
            if windowed {
                sheet::open_in_window(world, &sheet);
            } else {
                sheet.open(world);
                sheet.play(world);
            }
        });
    }
    Ok(run_scene(app, "billiards", run, report))
}

/// The billiards scene. Without a window the break is shot at once; with one it waits for the player.
pub struct BilliardsPlugin(pub BilliardsOptions);

/// The fixed rate that suits the scene, in Hz.
pub const RATE: f64 = 120.0;

impl Plugin for BilliardsPlugin {
    fn build(&self, app: &mut App) {
        let Self(options) = self;
        let table = options.table.unwrap_or(options.rack.table());
        app.add_plugins((
            game::GamePlugin {
                table: Table::new(table.spec()),
                rack: options.rack,
            },
            matches::MatchPlugin,
            history::HistoryPlugin,
            cue::CuePlugin,
            opponent::OpponentPlugin,
        ));
        if has_window(app) {
            app.add_plugins((
                hands::HandsPlugin,
                sight::SightPlugin,
                sheet::SheetPlugin,
                look::LookPlugin,
            ));
            #[cfg(feature = "sound")]
            app.add_plugins(sound::SoundPlugin);
        } else if options.shot.is_none() {
            app.add_systems(PostStartup, game::break_rack(options.speed));
        }
    }
}

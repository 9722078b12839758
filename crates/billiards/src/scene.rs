//! Starts the run that the command line asks for.

use std::num::NonZeroU32;

use bevy::prelude::*;
use scene_kit::{RunOptions, console, has_window, run_scene, scene_app};

use crate::{
    net::{
        NetPlugin,
        meeting::{Waiting, join},
    },
    options::Options,
    play::matches::{Seat, Setup},
    player::{
        files::{named, open_in_window},
        menu::Menu,
    },
    plugin::BilliardsPlugin,
    rules::Discipline,
    runs::{breaks, frames, published, report::game_report, shots, tracks},
};

/// Runs the scene, racks to break, or shots from a file, by the command line.
pub fn run(run: &RunOptions, billiards: Options) -> AppExit {
    let done = if let Some(file) = &billiards.tracks {
        let constants = billiards.constants.as_deref();
        tracks::run(run, file, constants, billiards.fit_constants).map(|()| AppExit::Success)
    } else if let Some(file) = &billiards.shots {
        shots::run(run, file).map(|()| AppExit::Success)
    } else if let Some(subject) = billiards.published {
        published::run(run, subject, billiards.plots.as_deref()).map(|()| AppExit::Success)
    } else if let Some(count) = billiards.breaks {
        breaks::run(run, &billiards, count).map(|()| AppExit::Success)
    } else if let Some(count) = billiards.self_play {
        frames::run(run, &billiards, count).map(|()| AppExit::Success)
    } else {
        play(run, billiards)
    };
    done.unwrap_or_else(|problem| {
        console::tell_error(&problem);
        AppExit::error()
    })
}

/// Frames that win a match over the network, unless the host says otherwise.
const FRAMES: NonZeroU32 = NonZeroU32::MIN.saturating_add(2);

/// Waits for the other player, or joins the other player, if the command line asks for it. Returns whether it does.
fn meet(app: &mut App, options: &Options) -> Result<bool, String> {
    if let Some(port) = options.host {
        let setup = Setup {
            discipline: Discipline::NineBall,
            seats: [Seat::Human, Seat::Remote],
            goal: options.frames.unwrap_or(FRAMES),
        };
        app.insert_resource(Waiting::at(port, setup)?);
    }
    if let Some(address) = &options.join {
        app.insert_resource(join(address)?);
    }
    Ok(options.host.is_some() || options.join.is_some())
}

fn play(run: &RunOptions, mut billiards: Options) -> Result<AppExit, String> {
    let sheet = billiards.shot.as_deref().map(named).transpose()?;
    if let Some(sheet) = &sheet {
        (billiards.table, billiards.rack) = (Some(sheet.kind()?), sheet.before.rack);
    }
    let mut app = scene_app("Billiards", run);
    let meets = meet(&mut app, &billiards)?;
    if meets {
        app.insert_resource(Menu {
            open: false,
            ..default()
        });
    }
    app.add_plugins((BilliardsPlugin(billiards), NetPlugin));
    if let Some(sheet) = sheet {
        let windowed = has_window(&app);
        app.add_systems(PostStartup, move |world: &mut World| {
            if windowed {
                open_in_window(world, &sheet);
            } else {
                sheet.open(world);
                sheet.play(world);
            }
        });
    }
    Ok(run_scene(app, "billiards", run, game_report))
}

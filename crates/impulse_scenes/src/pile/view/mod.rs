//! How the pile looks: thousands of balls in calm colours, in a box of glass or in a drum on rollers.

mod again;
mod colors;
mod dress;
mod panel;
mod stage;
mod throw;

use bevy::{input::common_conditions::input_just_pressed, prelude::*};
use bevy_egui::EguiPrimaryContextPass;
use scene_kit::{
    pace,
    press::press,
    window::{KeyHelp, StatusLine, keys_are_free},
};

use self::{
    again::{empty, next_vessel},
    colors::{ColorBy, next_colors},
    dress::{dress_balls, dress_lifters, make_looks, paint},
};
use super::{
    drum::Drum,
    options::{PileOptions, RADIUS},
    pour::Stream,
};

pub(super) struct PileViewPlugin;

impl Plugin for PileViewPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((stage::plugin, throw::plugin, pace::plugin))
            .insert_resource(KeyHelp::new([
                ("R", "pour anew"),
                ("Space", "throw a heavy ball"),
                ("D", "box or drum"),
                ("V", "colours: hue, speed, pressure"),
            ]))
            .init_resource::<ColorBy>()
            .add_systems(Startup, make_looks)
            .add_systems(
                Update,
                (
                    next_colors.run_if(input_just_pressed(KeyCode::KeyV)),
                    next_vessel.run_if(input_just_pressed(KeyCode::KeyD)),
                    empty.run_if(input_just_pressed(KeyCode::KeyR)),
                )
                    .chain()
                    .before(stage::furnish)
                    .run_if(keys_are_free),
            )
            .add_systems(
                Update,
                (
                    (dress_balls, dress_lifters),
                    press.run_if(resource_equals(ColorBy::Pressure)),
                    paint,
                    show_status,
                )
                    .chain()
                    .after(stage::furnish),
            )
            .add_systems(EguiPrimaryContextPass, panel::show_controls);
    }
}

fn show_status(
    options: Res<PileOptions>,
    stream: Option<Res<Stream>>,
    drum: Option<Res<Drum>>,
    mut status: ResMut<StatusLine>,
) {
    let mut line = format!("{} balls", options.balls);
    if options.polydisperse {
        line += " from 1 to 100 in size";
    } else {
        line += &format!(" of {RADIUS} m");
    }
    match drum {
        Some(drum) => {
            line += &format!(
                " in a drum that turns at {:.2} rad/s",
                drum.angular_velocity().z
            )
        }
        None => line += " in a box",
    }
    if let Some(stream) = stream {
        line += &format!("; {} are still to come", stream.len());
    }
    status.set_if_neq(StatusLine(line));
}

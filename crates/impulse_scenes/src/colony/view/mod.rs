//! How the colony looks: a lawn of rods in calm colours, seen a little from the side.

mod again;
mod colors;
mod comparison;
mod figures;
mod look;
mod panel;
mod stage;

use bevy::{input::common_conditions::input_just_pressed, prelude::*};
use bevy_egui::EguiPrimaryContextPass;
use scene_kit::{
    pace::Pace,
    press::press,
    window::{KeyHelp, StatusLine, keys_are_free},
};

use self::{
    again::{next_walls, regrow},
    colors::{ColorBy, next_colors},
    figures::{Figures, count_births, measure},
};
use super::{
    cell::Cell,
    options::{ColonyOptions, Walls},
};

pub(super) struct ColonyViewPlugin;

impl Plugin for ColonyViewPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((look::plugin, stage::plugin, comparison::plugin))
            .insert_resource(KeyHelp::new([
                ("R", "grow another"),
                ("W", "walls: none, box, channel"),
                ("V", "colours: lineage, pressure, direction"),
                ("C", "compare the contact solvers"),
                ("F", "camera follows the colony"),
            ]))
            .init_resource::<ColorBy>()
            .init_resource::<Figures>()
            .add_systems(
                Update,
                (
                    regrow.run_if(input_just_pressed(KeyCode::KeyR)),
                    next_walls.run_if(input_just_pressed(KeyCode::KeyW)),
                    next_colors.run_if(input_just_pressed(KeyCode::KeyV)),
                )
                    .chain()
                    .run_if(keys_are_free),
            )
            .add_systems(
                Update,
                (
                    look::dress,
                    press,
                    measure,
                    count_births.run_if(resource_changed::<Pace>),
                    look::paint,
                    show_status,
                )
                    .chain(),
            )
            .add_systems(EguiPrimaryContextPass, panel::show_controls);
    }
}

fn show_status(
    mut status: ResMut<StatusLine>,
    cells: Query<(), With<Cell>>,
    options: Res<ColonyOptions>,
) {
    let count = cells.iter().len();
    let place = match options.walls {
        Walls::None => "",
        Walls::Box => " in a box",
        Walls::Channel => " in a channel",
    };
    let mut line = match count {
        1 => format!("1 cell{place}"),
        _ => format!("{count} cells{place}, all from one"),
    };
    if count >= options.cells as usize {
        line += "; the colony is grown";
    }
    status.set_if_neq(StatusLine(line));
}

//! How the run looks: wood, lacquer and glass marbles in a bright room, a camera that goes from marble to marble, and plots.

mod dress;
mod follow;
mod hand;
mod panel;
mod stage;

use bevy::{input::common_conditions::input_just_pressed, prelude::*};
use bevy_egui::EguiPrimaryContextPass;
use scene_kit::window::{KeyHelp, keys_are_free, pointer_is_free};

pub(super) struct MarblesViewPlugin;

impl Plugin for MarblesViewPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(stage::plugin)
            .insert_resource(KeyHelp::new([
                ("Click", "drop a marble, or stay with one"),
                ("F", "follow the next marble"),
                ("Escape", "look at the whole run"),
                ("M", "pour 50 marbles into the mixer"),
                ("Up, Down", "speed of the lift"),
            ]))
            .init_resource::<follow::Followed>()
            .init_resource::<follow::Tour>()
            .init_resource::<follow::EnergyCurve>()
            .add_systems(Startup, dress::make_looks)
            .add_systems(
                Update,
                (
                    (
                        follow::follow_next.run_if(input_just_pressed(KeyCode::KeyF)),
                        follow::let_go.run_if(input_just_pressed(KeyCode::Escape)),
                        hand::pour.run_if(input_just_pressed(KeyCode::KeyM)),
                        hand::set_lift,
                    )
                        .run_if(keys_are_free),
                    hand::click
                        .run_if(input_just_pressed(MouseButton::Left).and_then(pointer_is_free)),
                    (dress::dress_pieces, dress::dress_marbles),
                    (follow::go_on, follow::aim_camera, follow::show_status).chain(),
                )
                    .chain(),
            )
            .add_systems(FixedUpdate, follow::sample_energy)
            .add_systems(EguiPrimaryContextPass, panel::show);
    }
}

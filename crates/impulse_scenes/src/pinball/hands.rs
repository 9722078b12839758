//! The player's keys.

use bevy::prelude::*;
use scene_kit::window::{KeyHelp, PadKeys, keys_are_free};

use super::machine::{Hands, robot::IsOn};

pub(super) fn plugin(app: &mut App) {
    app.insert_resource(KeyHelp::new([
        ("Left, Right", "flippers (or A, D)"),
        ("Space", "hold, let go: shoot"),
        ("Q, Up, E", "push the table"),
        ("R", "new game"),
        ("C", "the computer plays"),
    ]))
    .insert_resource(PadKeys::new([
        (GamepadButton::LeftTrigger, KeyCode::ArrowLeft),
        (GamepadButton::RightTrigger, KeyCode::ArrowRight),
        (GamepadButton::South, KeyCode::Space),
        (GamepadButton::West, KeyCode::KeyQ),
        (GamepadButton::North, KeyCode::ArrowUp),
        (GamepadButton::East, KeyCode::KeyE),
        (GamepadButton::Select, KeyCode::KeyR),
    ]))
    .add_systems(
        Update,
        (read_keys.run_if(keys_are_free), rest_hands).chain(),
    );
}

const LEFT: [KeyCode; 3] = [KeyCode::ArrowLeft, KeyCode::KeyA, KeyCode::KeyZ];
const RIGHT: [KeyCode; 3] = [KeyCode::ArrowRight, KeyCode::KeyD, KeyCode::Slash];
const PULL: [KeyCode; 2] = [KeyCode::Space, KeyCode::ArrowDown];
/// Keys that push the table, and its direction: from the left, from the front, from the right.
const PUSH: [(KeyCode, Vec2); 4] = [
    (KeyCode::KeyQ, Vec2::X),
    (KeyCode::ArrowUp, Vec2::NEG_Y),
    (KeyCode::KeyX, Vec2::NEG_Y),
    (KeyCode::KeyE, Vec2::NEG_X),
];

fn read_keys(keys: Res<ButtonInput<KeyCode>>, mut hands: ResMut<Hands>, mut robot: ResMut<IsOn>) {
    if keys.just_pressed(KeyCode::KeyC) {
        robot.0 = !robot.0;
        *hands = Hands::default();
    }
    let own = LEFT.into_iter().chain(RIGHT).chain(PULL);
    if robot.0 && keys.any_just_pressed(own) {
        robot.0 = false;
    }
    if robot.0 {
        return;
    }
    hands.flip = [keys.any_pressed(LEFT), keys.any_pressed(RIGHT)];
    hands.pull = keys.any_pressed(PULL);
    hands.new_game |= keys.just_pressed(KeyCode::KeyR);
    for (key, direction) in PUSH {
        if keys.just_pressed(key) {
            hands.push = Some(direction);
        }
    }
}

/// While another part of the program takes the keys, the player's hands are off the machine.
fn rest_hands(
    egui: Option<Res<bevy_egui::input::EguiWantsInput>>,
    mut hands: ResMut<Hands>,
    robot: Res<IsOn>,
) {
    if !robot.0 && !keys_are_free(egui) {
        hands.flip = [false; 2];
        hands.pull = false;
    }
}

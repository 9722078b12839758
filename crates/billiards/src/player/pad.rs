//! The cue on a gamepad: the left stick turns it, and a button draws it back until it is let go.

use bevy::{input::gamepad::Gamepad, prelude::*};
use scene_kit::window::PadKeys;

use crate::play::{
    cue::{Cue, LONGEST_PULL, Stroke},
    matches::Match,
};

/// How fast the stick turns the cue, in rad/s.
const TURN: f32 = 1.5;
/// How fast the cue is drawn back, in m/s; at its end it comes forward again.
const DRAW: f32 = 0.25;
/// Draws the cue back.
const STROKE: GamepadButton = GamepadButton::West;

/// The buttons that stand for keys.
pub(super) fn keys() -> PadKeys {
    PadKeys::new([
        (GamepadButton::North, KeyCode::Space),
        (GamepadButton::LeftTrigger, KeyCode::KeyA),
        (GamepadButton::RightTrigger, KeyCode::KeyD),
        (GamepadButton::LeftTrigger2, KeyCode::KeyF),
        (GamepadButton::LeftThumb, KeyCode::Digit2),
        (GamepadButton::RightThumb, KeyCode::Digit3),
        (GamepadButton::Select, KeyCode::KeyM),
    ])
}

/// Run condition: a gamepad draws the cue.
pub(super) fn draws(pads: Query<&Gamepad>) -> bool {
    pads.iter().any(|pad| pad.pressed(STROKE))
}

/// Turns the cue, and strokes it.
pub(super) fn play(
    pads: Query<&Gamepad>,
    mut cue: ResMut<Cue>,
    mut drawn_for: Local<f32>,
    on: Res<Match>,
    time: Res<Time<Real>>,
) {
    for pad in &pads {
        // Cubed, a small way of the stick aims finely.
        let way = pad.left_stick().x.powi(3);
        if way != 0.0 && cue.stroke == Stroke::Aim {
            cue.turn(way * TURN * time.delta_secs());
        }
        if pad.just_pressed(STROKE) && cue.stroke == Stroke::Aim && on.may_shoot() {
            *drawn_for = 0.0;
            cue.stroke = Stroke::BEGUN;
        }
        let Stroke::Pull { grip, back } = cue.stroke else {
            continue;
        };
        if pad.pressed(STROKE) {
            *drawn_for += time.delta_secs();
            let back = back_and_forth(*drawn_for);
            cue.stroke = Stroke::Pull { grip, back };
        } else if pad.just_released(STROKE) {
            cue.stroke = Stroke::let_go(back);
        }
    }
}

/// How far the cue is drawn after so many seconds, in m.
fn back_and_forth(seconds: f32) -> f32 {
    let way = (DRAW * seconds).rem_euclid(2.0 * LONGEST_PULL);
    way.min(2.0 * LONGEST_PULL - way)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cue_goes_back_to_its_end_and_comes_again() {
        let there = LONGEST_PULL / DRAW;
        assert_eq!(back_and_forth(0.0), 0.0);
        assert!((back_and_forth(there) - LONGEST_PULL).abs() < 1e-6);
        assert!((back_and_forth(1.5 * there) - 0.5 * LONGEST_PULL).abs() < 1e-6);
        assert!(back_and_forth(2.0 * there) < 1e-6);
    }
}

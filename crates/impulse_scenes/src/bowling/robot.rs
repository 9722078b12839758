//! An automatic bowler with a human scatter.

use bevy::prelude::*;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::{
    play::{Game, Hands, Phase},
    world::{
        ball::Throw,
        measures::{TO_PINS, board},
        pin::Pin,
    },
};

/// The bowler, with its dice.
#[derive(Resource, Clone, Debug)]
pub struct Robot(pub ChaCha8Rng);

/// Whether the robot throws, or a person.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct IsOn(pub bool);

/// Seconds for which it aims.
const AIMS: f32 = 1.0;
/// Standard deviation of its angle in rad, its speed in m/s, and its hook.
const SCATTER: [f32; 3] = [0.0025, 0.15, 0.03];

/// The throw with which it hopes for a strike: away to the right, and back with a hook that ends in the pocket, at board 17.5.
pub const STRIKE: Throw = Throw {
    x: 0.1,
    angle: 0.0532,
    speed: 8.0,
    hook: 0.6,
};

/// Throws once it has aimed: with a hook at ten pins, and straight at what is left.
pub(super) fn play(
    mut robot: ResMut<Robot>,
    mut hands: ResMut<Hands>,
    game: Res<Game>,
    pins: Query<&Transform, With<Pin>>,
) {
    hands.new_game |= game.phase == Phase::Over && game.seconds > 4.0;
    if game.phase != Phase::Aim || game.seconds < AIMS {
        return;
    }
    let mut scatter = |deviation: f32| {
        // The sum of twelve numbers from 0 to 1 has the deviation 1.
        let sum: f32 = (0..12).map(|_| robot.0.random::<f32>()).sum();
        deviation * (sum - 6.0)
    };
    let mut throw = if game.is_full_rack {
        STRIKE
    } else {
        spare(pins.iter().map(|at| at.translation))
    };
    let [angle, speed, hook] = SCATTER;
    throw.angle += scatter(angle);
    throw.speed += scatter(speed);
    throw.hook += scatter(hook);
    hands.throw = throw.clamped();
    hands.release = true;
}

/// Straight at the pin in front, from a board near the middle.
fn spare(pins: impl Iterator<Item = Vec3>) -> Throw {
    let front = pins.max_by(|a, b| a.z.total_cmp(&b.z));
    let aim = front.unwrap_or(Vec3::NEG_Z * TO_PINS);
    let x = 0.3 * aim.x + board(20.0);
    Throw {
        x,
        angle: (aim.x - x).atan2(-aim.z),
        ..default()
    }
}

//! Random numbers, vectors and rotations.

use bevy::prelude::*;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// The source of everything random. The same seed gives the same numbers on every machine.
pub type Dice = ChaCha8Rng;

/// A number between two positive ends, with every power of ten as likely as any other.
pub fn log_uniform(dice: &mut Dice, low: f32, high: f32) -> f32 {
    dice.random_range(low.ln()..=high.ln())
        .exp()
        .clamp(low, high)
}

/// A vector with every component in −1..1.
pub fn in_cube(dice: &mut Dice) -> Vec3 {
    Vec3::from_array(std::array::from_fn(|_| dice.random_range(-1.0..1.0)))
}

/// A unit vector in any direction.
pub fn direction(dice: &mut Dice) -> Vec3 {
    loop {
        let vector = in_cube(dice);
        if (0.01..1.0).contains(&vector.length_squared()) {
            return vector.normalize();
        }
    }
}

/// Any rotation.
pub fn rotation(dice: &mut Dice) -> Quat {
    let turn = Quat::from_axis_angle(Vec3::Y, dice.random_range(0.0..std::f32::consts::TAU));
    Quat::from_rotation_arc(Vec3::Y, direction(dice)) * turn
}

/// A value with the probability `p`, or nothing.
pub fn maybe<T>(dice: &mut Dice, p: f64, value: impl FnOnce(&mut Dice) -> T) -> Option<T> {
    dice.random_bool(p).then(|| value(dice))
}

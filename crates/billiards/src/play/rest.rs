//! Run conditions: whether anything moves.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{
    leaving::Falling,
    state::{Game, Phase},
};
use crate::{rules::Ball, table::spec::RADIUS};

/// Surface speed in m/s, of rolling or spinning, under which a ball counts as lying still.
const STILL: f32 = 1e-3;
/// Run condition: nothing moves on the table or falls.
pub(super) fn all_lie_still(
    moving: Query<(&LinearVelocity, &AngularVelocity), With<Ball>>,
    falling: Query<(), With<Falling>>,
) -> bool {
    falling.is_empty()
        && moving
            .iter()
            .all(|(velocity, spin)| velocity.length() < STILL && spin.length() * RADIUS < STILL)
}

/// Run condition of the physics. Between shots it would settle touching balls by nanometres, and a break is so sensitive that the
/// aiming lines would then be wrong.
pub(super) fn something_moves(
    game: Res<Game>,
    balls: Query<(&LinearVelocity, &AngularVelocity), With<Ball>>,
) -> bool {
    let moves = |(velocity, spin): (&LinearVelocity, &AngularVelocity)| {
        velocity.0 != Vec3::ZERO || spin.0 != Vec3::ZERO
    };
    game.phase != Phase::Aim || balls.iter().any(moves)
}

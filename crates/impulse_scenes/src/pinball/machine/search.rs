//! The ball search: when no switch closes for long, coils fire until the ball comes free, as in real machines.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{
    flipper::Flipper,
    play::{Ball, Game},
    rules::Phase,
    switches::Closed,
    targets::is_in_lane,
};

/// Seconds without a switch after which the search begins, and from one kick to the next.
const PATIENCE: f32 = 10.0;
/// See [`PATIENCE`].
const PERIOD: f32 = 2.0;
/// Speed in m/s that a kick gives the ball.
const KICK: f32 = 0.6;

/// The ball search.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct Search {
    /// Seconds in which the ball is in play and no switch closed.
    pub silent: f32,
    /// Kicks since the last switch.
    fired: u32,
    /// Kicks so far.
    pub kicks: u32,
}

pub(super) fn search(
    mut search: ResMut<Search>,
    mut closed: MessageReader<Closed>,
    ball: Single<(&Transform, &mut LinearVelocity), With<Ball>>,
    flippers: Query<&Flipper>,
    game: Res<Game>,
    time: Res<Time>,
) {
    let (transform, mut velocity) = ball.into_inner();
    let in_play = matches!(game.rules.phase, Phase::Play | Phase::Tilted);
    // A player may hold the ball on a flipper as long as he likes.
    let is_held = flippers.iter().any(|flipper| flipper.is_up);
    if closed.read().count() > 0 || !in_play || is_in_lane(transform.translation) {
        (search.silent, search.fired) = (0.0, 0);
        return;
    }
    if is_held {
        return;
    }
    search.silent += time.delta_secs();
    if search.silent > PATIENCE + PERIOD * search.fired as f32 {
        // A coil of the machine at another place each time: steps of the golden angle.
        let direction = Vec2::from_angle(2.4 * search.kicks as f32);
        velocity.0 += KICK * Vec3::new(direction.x, 0.0, direction.y);
        search.kicks += 1;
        search.fired += 1;
    }
}

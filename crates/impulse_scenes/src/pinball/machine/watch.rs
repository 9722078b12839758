//! What must never happen, counted in each step.

use bevy::{
    math::{Vec3Swizzles, vec2},
    prelude::*,
};
use bevy_impulse_collide::prelude::*;

use super::{
    measures::*,
    play::{Ball, Game},
    rules::Phase,
    search::Search,
};

/// How far in m the ball may reach over the bounds of the table: the overlap that a step may leave.
const TOLERANCE: f32 = 1e-3;
/// Seconds without a switch, with ball search, after which the ball is stuck.
const STUCK: f32 = 30.0;

/// Counts since the start.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct Watch {
    /// Balls that left the table.
    pub escapes: u32,
    /// Balls that the ball search could not free.
    pub stuck: u32,
    /// Highest speed of the ball, in m/s.
    pub top_speed: f32,
    /// Where the last ball escaped or stuck.
    pub last: Option<Vec3>,
}

/// How far in m a ball at this place reaches over the bounds of the table; negative inside.
pub fn excess(ball: Vec3) -> f32 {
    let arch = vec2(0.0, HALF_WIDTH - HALF_LENGTH);
    let at = ball.xz();
    let side = if at.y < arch.y {
        at.distance(arch)
    } else {
        at.x.abs()
    };
    let over = [
        side - HALF_WIDTH,
        at.y - HALF_LENGTH,
        ball.y - GLASS,
        -ball.y,
    ];
    BALL_RADIUS + over.into_iter().fold(f32::NEG_INFINITY, f32::max)
}

pub(super) fn watch(
    mut watch: ResMut<Watch>,
    mut search: ResMut<Search>,
    mut game: ResMut<Game>,
    ball: Single<(&Transform, &LinearVelocity), With<Ball>>,
) {
    let (transform, velocity) = ball.into_inner();
    let at = transform.translation;
    watch.top_speed = watch.top_speed.max(velocity.length());
    // Written so that NaN counts as outside.
    let is_inside = excess(at) <= TOLERANCE;
    let is_stuck = search.silent > STUCK;
    if is_inside && !is_stuck {
        return;
    }
    watch.escapes += u32::from(!is_inside);
    watch.stuck += u32::from(is_stuck);
    watch.last = Some(at);
    search.silent = 0.0;
    // The game goes on with the same ball.
    if game.rules.phase != Phase::Over {
        game.rules.phase = Phase::Serve;
    }
}

//! The spinner: a plate on a wire across a lane. The ball throws it round, and each half turn counts.

use std::f32::consts::PI;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{
    measures::{BANK, DIVIDER},
    play::Ball,
    rules::Switch,
    switches::{Closed, Line},
};

/// From the wire to where the ball meets the plate, in m.
pub const LEVER: f32 = 0.02;
/// Seconds in which friction slows it to 1/e.
const DECAY: f32 = 0.5;
/// Rate in rad/s under which it hangs still.
const STILL: f32 = 2.0;

/// The spinner's motion. The ball loses nothing to it: a plate weighs a few grams.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct Spinner {
    /// Its angle in rad; 0 and multiples of π hang down.
    pub angle: f32,
    /// Its rate in rad/s.
    pub rate: f32,
}

/// The line under it, across the lane.
pub fn line() -> Line {
    let z = 0.5 * (BANK[0].y + BANK[1].y);
    let x = 0.5 * (BANK[0].x + BANK[1].x);
    Line::new(Switch::Spinner, Vec2::new(x, z), Vec2::new(DIVIDER, z))
}

pub(super) fn spin(
    mut spinner: ResMut<Spinner>,
    balls: Query<(&Ball, &Transform, &LinearVelocity)>,
    mut closed: MessageWriter<Closed>,
    time: Res<Time>,
) {
    let dt = time.delta_secs();
    for (ball, transform, velocity) in &balls {
        let now = transform.translation;
        if line().is_crossed(ball.before, Vec2::new(now.x, now.z)) {
            spinner.rate = velocity.z / LEVER;
        }
    }
    if spinner.rate == 0.0 {
        return;
    }
    let before = (spinner.angle / PI).floor();
    spinner.angle += spinner.rate * dt;
    spinner.rate *= (-dt / DECAY).exp();
    let after = (spinner.angle / PI).floor();
    for _ in 0..(after - before).abs() as u32 {
        closed.write(Closed(Switch::Spinner));
    }
    if spinner.rate.abs() < STILL {
        *spinner = Spinner::default();
    }
}

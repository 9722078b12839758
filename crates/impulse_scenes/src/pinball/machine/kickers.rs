//! Bumpers and slingshots: their coils kick the ball that hits them.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{
    Side,
    measures::slingshot,
    play::{Ball, Game},
    rules::Switch,
    switches::Closed,
};

/// A pop bumper.
#[derive(Component, Clone, Copy, Debug)]
pub struct Bumper(pub usize);

/// A slingshot. One of its sides kicks.
#[derive(Component, Clone, Copy, Debug)]
pub struct Slingshot(pub Side);

/// Speed in m/s with which the ball leaves a bumper along the normal.
pub const BUMPER_SPEED: f32 = 1.9;
/// Speed in m/s with which the ball leaves the kicker of a slingshot along the normal.
pub const SLINGSHOT_SPEED: f32 = 1.7;
/// Approach speed in m/s that closes their switches.
const LEAST: f32 = 0.12;

/// Unit vector out of a slingshot's kicker.
pub fn kicker(side: Side) -> Vec3 {
    let [above, _, inside] = slingshot(side);
    let across = (above - inside).perp() * -side.sign();
    Vec3::new(across.x, 0.0, across.y).normalize_or_zero()
}

/// Gives the ball the speed of the coil along the normal of its impact.
pub(super) fn kick(
    mut impacts: MessageReader<Impact>,
    bumpers: Query<&Bumper>,
    slingshots: Query<&Slingshot>,
    mut balls: Query<&mut LinearVelocity, With<Ball>>,
    mut closed: MessageWriter<Closed>,
    game: Res<Game>,
) {
    for impact in impacts.read() {
        let (ball, other, normal) = if balls.contains(impact.a) {
            (impact.a, impact.b, impact.normal)
        } else {
            (impact.b, impact.a, -impact.normal)
        };
        let Ok(mut velocity) = balls.get_mut(ball) else {
            continue;
        };
        if impact.approach_speed < LEAST {
            continue;
        }
        let (switch, speed) = if let Ok(bumper) = bumpers.get(other) {
            (Switch::Bumper(bumper.0), BUMPER_SPEED)
        } else if let Ok(slingshot) = slingshots.get(other)
            && normal.dot(kicker(slingshot.0)) > 0.97
        {
            (Switch::Slingshot(slingshot.0), SLINGSHOT_SPEED)
        } else {
            continue;
        };
        closed.write(Closed(switch));
        if game.rules.is_live() {
            let missing = speed - velocity.dot(normal);
            velocity.0 += missing.max(0.0) * normal;
        }
    }
}

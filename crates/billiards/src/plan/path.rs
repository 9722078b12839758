//! Straight ways: how they turn, and which balls are in them.

use bevy::math::Vec2;

use crate::rules::Ball;

/// Balls that touch do not block each other, in metres.
const TOUCH: f32 = 1e-5;

/// The angle from `from` to `to`, from −π to π. [`Vec2::angle_to`] is off by up to 1e-4.
pub fn turn(from: Vec2, to: Vec2) -> f32 {
    from.perp_dot(to).atan2(from.dot(to))
}

/// The first of `balls` that a ball of `radius` meets on its straight way from `from` to `to`. One that it touches and
/// runs away from is not met.
pub fn blocker(
    from: Vec2,
    to: Vec2,
    radius: f32,
    balls: impl Iterator<Item = (Ball, Vec2)>,
) -> Option<Ball> {
    let way = to - from;
    let direction = way.try_normalize()?;
    first_met(from, direction, radius, balls)
        .filter(|(_, distance)| *distance < way.length())
        .map(|(ball, _)| ball)
}

/// The first of `balls` that a ball of `radius` meets on its straight way from `from` along the unit vector
/// `direction`, and how far it runs until then.
pub fn first_met(
    from: Vec2,
    direction: Vec2,
    radius: f32,
    balls: impl Iterator<Item = (Ball, Vec2)>,
) -> Option<(Ball, f32)> {
    balls
        .filter_map(|(ball, at)| Some((ball, until_met(at - from, direction, radius)?)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
}

/// How far a ball runs along `direction` until it meets the ball that lies at `offset` from where it starts.
fn until_met(offset: Vec2, direction: Vec2, radius: f32) -> Option<f32> {
    // |t·d − o| = 2r with |d| = 1 is t² − 2·t·(d·o) + o² − 4r² = 0.
    let ahead = offset.dot(direction);
    let apart = 2.0 * radius - TOUCH;
    let aside = offset.perp_dot(direction);
    let within = apart * apart - aside * aside;
    (ahead > 0.0 && within > 0.0).then(|| (ahead - within.sqrt()).max(0.0))
}

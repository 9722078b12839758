//! The ball, and the ways to throw it.

use std::f32::consts::PI;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::measures::{BALL_MASS, BALL_RADIUS, WIDTH};

/// The ball on its way.
#[derive(Component, Clone, Copy, Debug)]
pub struct Ball;

/// How a ball is thrown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Throw {
    /// Where its centre crosses the foul line, in m to the right of the middle of the lane.
    pub x: f32,
    /// Angle of its way to the lane in rad, to the right.
    pub angle: f32,
    /// Speed in m/s.
    pub speed: f32,
    /// How far the axis of the spin is turned: 0 rolls forward, 1 spins to the left as a right hand makes it, −1 to the right.
    pub hook: f32,
}

impl Default for Throw {
    fn default() -> Self {
        Self {
            x: 0.0,
            angle: 0.0,
            speed: 8.0,
            hook: 0.0,
        }
    }
}

/// Turns of a thrown ball in rad/s: 300 a minute. Bowlers reach 150 to 500.
pub const SPIN: f32 = 300.0 * 2.0 * PI / 60.0;
/// The largest turn of the axis.
const TURN: f32 = 80.0 * PI / 180.0;

impl Throw {
    /// The slowest and the fastest throw, in m/s: 11 to 25 miles an hour.
    pub const SPEEDS: [f32; 2] = [5.0, 11.0];
    /// The largest angle in rad.
    pub const ANGLE: f32 = 6.0 * PI / 180.0;

    /// The same throw with every value in its range.
    pub fn clamped(self) -> Self {
        let most = 0.5 * WIDTH - BALL_RADIUS;
        let [slow, fast] = Self::SPEEDS;
        Self {
            x: self.x.clamp(-most, most),
            angle: self.angle.clamp(-Self::ANGLE, Self::ANGLE),
            speed: self.speed.clamp(slow, fast),
            hook: self.hook.clamp(-1.0, 1.0),
        }
    }

    /// The direction of the way.
    pub fn direction(self) -> Vec3 {
        Quat::from_rotation_y(-self.angle) * Vec3::NEG_Z
    }

    /// The spin in rad/s. To roll forward, a ball turns about the axis at its left; a turned axis makes the point on the lane slide
    /// to one side, and friction drives the ball to the other.
    pub fn spin(self) -> Vec3 {
        let turn = self.hook * TURN;
        let axis = Vec3::new(-turn.cos(), 0.0, turn.sin());
        Quat::from_rotation_y(-self.angle) * (SPIN * axis)
    }

    /// Where the ball's centre is when it is let go.
    pub fn start(self) -> Vec3 {
        Vec3::new(self.x, BALL_RADIUS, 0.0)
    }

    /// The ball, just thrown.
    pub fn ball(self) -> impl Bundle {
        ball(self.start(), self.speed * self.direction(), self.spin())
    }
}

/// A ball at a place, with its velocity and its spin.
///
/// It is a solid ball, with the radius of gyration √(2/5)·r = 2.69 inches. The rules allow 2.46 to 2.80 inches. It has no coefficients
/// of its own: pins and walls, and the oil of the lane, tell them.
pub fn ball(place: Vec3, velocity: Vec3, spin: Vec3) -> impl Bundle {
    (
        Ball,
        Particle::new(BALL_RADIUS),
        Mass(BALL_MASS),
        CollisionHooks,
        LinearVelocity(velocity),
        AngularVelocity(spin),
        Transform::from_translation(place),
        Visibility::default(),
    )
}

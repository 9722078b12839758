//! Pushes against the table.
//!
//! In the table's axes, a table with the acceleration a gives every free body the acceleration −a. A push is one period of a sine:
//! the table comes to rest again, a few millimetres further on. So a ball that rolls freely goes on as before, and one that
//! touches a part of the table in that moment does not.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{Hands, measures::gravity, play::Game};

/// Seconds of a push.
const TIME: f32 = 0.09;
/// Largest acceleration of the table in m/s². It moves the table at up to a·T/π = 0.26 m/s, by a·T²/2π = 12 mm.
const STRENGTH: f32 = 9.0;

/// The push that moves the table now.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct Push {
    /// Its direction, in the playfield's plane.
    pub direction: Vec2,
    /// Seconds since it began; none moves the table after [`TIME`].
    since: Option<f32>,
}

impl Push {
    /// The acceleration of the table in m/s².
    pub fn acceleration(&self) -> Vec3 {
        let Some(since) = self.since else {
            return Vec3::ZERO;
        };
        let strength = STRENGTH * (TAU * since / TIME).sin();
        strength * Vec3::new(self.direction.x, 0.0, self.direction.y)
    }

    /// How far the table is out of its place in m: the second integral of the acceleration. After the push it slides back, so that
    /// the view stays where it is.
    pub fn shift(&self) -> Vec3 {
        let Some(since) = self.since else {
            return Vec3::ZERO;
        };
        let phase = TAU * since / TIME;
        let way = STRENGTH * (TIME / TAU).powi(2) * (phase - phase.sin());
        way * Vec3::new(self.direction.x, 0.0, self.direction.y)
    }
}

/// Moves the table, and tells the tilt bob.
pub(super) fn push_table(
    mut push: ResMut<Push>,
    mut hands: ResMut<Hands>,
    mut game: ResMut<Game>,
    mut acceleration: ResMut<Gravity>,
    time: Res<Time>,
) {
    if let Some(since) = push.since {
        let since = since + time.delta_secs();
        push.since = Some(since).filter(|&since| since < TIME);
    }
    if let Some(direction) = hands.push.take()
        && push.since.is_none()
    {
        *push = Push {
            direction: direction.normalize_or_zero(),
            since: Some(0.0),
        };
        game.rules.nudge();
    }
    acceleration.set_if_neq(Gravity(gravity() - push.acceleration()));
}

//! A flight, and where it ends.

use bevy::prelude::*;

/// The flight of a body: x(t) = x + v·t + a·t²/2, with x, v and a in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// Where the centre is now, in m.
    pub position: Vec3,
    /// Velocity now, in m/s.
    pub velocity: Vec3,
    /// Acceleration in m/s².
    pub acceleration: Vec3,
}

impl Flight {
    /// Where the centre is after `time` seconds.
    pub fn at(&self, time: f32) -> Vec3 {
        self.position + (self.velocity + self.acceleration * (0.5 * time)) * time
    }

    /// The velocity in m/s after `time` seconds.
    pub fn velocity_at(&self, time: f32) -> Vec3 {
        self.velocity + self.acceleration * time
    }
}

/// The first hit of a flight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlightHit {
    /// The body that is hit.
    pub entity: Entity,
    /// Seconds from now to the hit.
    pub time: f32,
    /// The flight up to the hit. It is the flight that was asked for, unless bodies hold the flying body at its start: see
    /// [`FlightQuery`](super::FlightQuery).
    pub flight: Flight,
    /// Where the centre of the flying body is at the hit, in m.
    pub position: Vec3,
    /// The velocity of the flying body just before the hit, in m/s.
    pub velocity: Vec3,
    /// The point of the hit, in m. As the other body may move, it may be elsewhere now.
    pub point: Vec3,
    /// Unit vector from the other body to the flying one.
    pub normal: Vec3,
    /// Speed in m/s at which the two approach along the normal.
    pub approach_speed: f32,
}

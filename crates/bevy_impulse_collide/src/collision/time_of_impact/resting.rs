//! Tells an impact from the approach of bodies that rest on each other.

use bevy::prelude::*;

use crate::{body::Bodies, config::CollisionConfig};

/// The approach speeds of a pair under which an impact is a resting contact: the configured speed, plus the speed that the fields and
/// the pressure of neighbours give the pair along the normal in a substep. A bounce slower than that would be over within the substep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlowApproach {
    h: f32,
    configured: f32,
    /// a − b.
    field: Vec3,
    pressures: [Vec3; 2],
}

impl SlowApproach {
    pub fn of(bodies: &Bodies, config: &CollisionConfig, a: usize, b: usize) -> Self {
        Self {
            h: bodies.h,
            configured: config.resting_speed,
            field: bodies.flight_acceleration(a) - bodies.flight_acceleration(b),
            pressures: [a, b].map(|i| bodies.contact_acceleration[i]),
        }
    }

    /// The fastest of them along a `normal`, in m/s.
    #[inline]
    pub fn along(&self, normal: Vec3) -> f32 {
        let [a, b] = self.pressures.map(|pressure| normal.dot(pressure).abs());
        self.configured + self.h * (0.5 * normal.dot(self.field).abs() + a.max(b))
    }
}

/// Fraction by which rounding may change the speed that a flight gains.
const ROUNDING: f32 = 1e-3;

/// Twice the fall in a substep, as a fraction of the radius, from which no end of a capsule is held: while it flies on, the other end
/// could pass a wall.
const LARGEST_LANDING: f32 = 1.0;

/// When each end of a body has come to lie on a surface in this substep. An end that lands too slowly for an impact is held by its
/// contact from then on: the speed that its flight gains there by the fields is no approach.
///
/// Without this, a ball would fall through the surface for a while and hit it from below, and so a bounce would never end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Landed([Option<f32>; 2]);

impl Landed {
    /// Whether a capsule of this radius in m, with an acceleration towards the surface of `pull` in m/s², may be held for `h` seconds.
    pub fn holds_capsule(radius: f32, pull: f32, h: f32) -> bool {
        pull * h * h < LARGEST_LANDING * radius
    }

    /// Notes that an end, 0 or 1, touches at `s` seconds, and does not approach faster than bodies at rest.
    pub fn note(&mut self, end: usize, s: f32) {
        self.0[end].get_or_insert(s);
    }

    /// The speed in m/s that an end has gained by `s` seconds since it has landed, with an acceleration towards the surface of `pull`
    /// in m/s².
    pub fn gained(&self, end: usize, s: f32, pull: f32) -> f32 {
        let pull = pull.max(0.0) * (1.0 + ROUNDING);
        self.0[end].map_or(0.0, |landed| pull * (s - landed))
    }
}

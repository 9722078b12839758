//! The way of a body that does not turn.

use glam::DVec3;

/// A way x + v·s + a·s²/2. On a straight way v is a unit vector, and s is the distance in m; on a flight s is the time in s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Course {
    pub x: DVec3,
    pub velocity: DVec3,
    pub acceleration: DVec3,
}

impl Course {
    /// The way along a unit vector.
    pub fn straight(x: DVec3, direction: DVec3) -> Self {
        Self {
            x,
            velocity: direction,
            acceleration: DVec3::ZERO,
        }
    }

    pub fn is_finite(&self) -> bool {
        self.x.is_finite() && self.velocity.is_finite() && self.acceleration.is_finite()
    }

    pub fn at(&self, s: f64) -> DVec3 {
        self.x + (self.velocity + self.acceleration * (0.5 * s)) * s
    }

    pub fn velocity_at(&self, s: f64) -> DVec3 {
        self.velocity + self.acceleration * s
    }

    /// Upper limit of the speed between two places.
    pub fn most_speed(&self, (from, until): (f64, f64)) -> f64 {
        self.velocity_at(from).length() + self.acceleration.length() * (until - from)
    }

    /// The middle and the half sides of the box that holds the way between two places.
    pub fn bounds(&self, (from, until): (f64, f64)) -> (DVec3, DVec3) {
        let (start, end) = (self.at(from), self.at(until));
        // A parabola leaves its chord by a·t²/8 at most.
        let sag = 0.125 * self.acceleration * (until - from) * (until - from);
        (0.5 * (start + end), 0.5 * (end - start).abs() + sag.abs())
    }
}

/// Smallest s > 0 at which a gap above zero closes: gap + v·s + a·s²/2 = 0. `None` if it stays open.
pub(crate) fn closing_time(gap: f64, v: f64, a: f64) -> Option<f64> {
    let discriminant = v * v - 2.0 * a * gap;
    if discriminant < 0.0 {
        return None;
    }
    let root = discriminant.sqrt();
    // Both forms add two positive numbers, so no digits are lost.
    if v < 0.0 {
        Some(2.0 * gap / (root - v))
    } else {
        (a < 0.0).then(|| (v + root) / -a)
    }
}

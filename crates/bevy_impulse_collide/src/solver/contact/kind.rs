//! Which lanes a pair gets, and before which others.

use crate::{
    body::Bodies,
    collision::manifold,
    shape::{Shape, smaller_radius},
};

/// Gap, as a fraction of the smaller radius, within which two bodies touch although nothing presses them together.
pub(super) const TOUCH: f32 = 1e-3;

/// The shapes of a pair. Each kind has lanes of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Balls,
    BallOnPlane,
    /// One of them may be a ball.
    Capsules,
    CapsuleOnPlane,
}

impl Kind {
    pub const ALL: [Self; 4] = [
        Self::Balls,
        Self::BallOnPlane,
        Self::Capsules,
        Self::CapsuleOnPlane,
    ];

    pub fn of(bodies: &Bodies, a: usize, b: usize) -> Self {
        let is_capsule = |i: usize| matches!(bodies.shape[i], Shape::Capsule { .. });
        let on_plane = is_plane(bodies, a) || is_plane(bodies, b);
        match (is_capsule(a) || is_capsule(b), on_plane) {
            (false, false) => Self::Balls,
            (false, true) => Self::BallOnPlane,
            (true, false) => Self::Capsules,
            (true, true) => Self::CapsuleOnPlane,
        }
    }

    pub fn is_of_balls(self) -> bool {
        matches!(self, Self::Balls | Self::BallOnPlane)
    }

    pub fn is_on_plane(self) -> bool {
        matches!(self, Self::BallOnPlane | Self::CapsuleOnPlane)
    }
}

pub(super) fn is_plane(bodies: &Bodies, i: usize) -> bool {
    matches!(bodies.shape[i], Shape::Plane)
}

/// How a pair stands. Those that stand alike come together, so that their lanes are at work together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nearness {
    TouchTwice,
    Touch,
    Apart,
}

impl Nearness {
    pub const COUNT: usize = Self::Apart as usize + 1;

    pub fn of(bodies: &Bodies, kind: Kind, a: usize, b: usize) -> Self {
        let (one, other) = (&bodies.shape[a], &bodies.shape[b]);
        match kind {
            Kind::Balls => {
                let reach = (one.radius() + other.radius()) * (1.0 + TOUCH);
                let d_squared = bodies.position[a].distance_squared(bodies.position[b]);
                if d_squared < reach * reach {
                    Self::Touch
                } else {
                    Self::Apart
                }
            }
            Kind::Capsules => {
                let least = -TOUCH * smaller_radius(one, other);
                let points = manifold(&bodies.placed(a), &bodies.placed(b));
                match points.iter().filter(|point| point.depth > least).count() {
                    0 => Self::Apart,
                    1 => Self::Touch,
                    _ => Self::TouchTwice,
                }
            }
            Kind::BallOnPlane | Kind::CapsuleOnPlane => Self::Touch,
        }
    }
}

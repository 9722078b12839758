//! The time at which two bodies will hit each other, by their shapes.

use super::{
    advancement::advance,
    balls::{ball_on_ball, ball_on_plane},
    surfaces::round_on_surface,
};
use crate::{body::Bodies, config::CollisionConfig, shape::Shape};

/// When two bodies will meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    /// Seconds into the substep.
    pub time: f32,
    /// Whether it is an impact. If not, the search has ended here: until this time there is none.
    pub is_impact: bool,
}

impl Meeting {
    pub fn is_before(&self, other: &Self) -> bool {
        let order = self.time.total_cmp(&other.time);
        order.then(other.is_impact.cmp(&self.is_impact)).is_lt()
    }
}

/// The time, after `from` seconds into the substep, at which `a` and `b` will hit each other faster than resting bodies do.
pub(crate) fn next_impact(
    bodies: &Bodies,
    config: &CollisionConfig,
    a: usize,
    b: usize,
    from: f32,
) -> Option<Meeting> {
    let of_balls = |time: Option<f32>| {
        time.map(|time| Meeting {
            time,
            is_impact: true,
        })
    };
    match (bodies.shape[a], bodies.shape[b]) {
        (Shape::Particle { radius: r_a }, Shape::Particle { radius: r_b }) => {
            of_balls(ball_on_ball(bodies, config, (a, b), r_a + r_b, from))
        }
        (Shape::Particle { .. }, Shape::Plane) if bodies.tilts(b) => {
            advance(bodies, config, a, b, from)
        }
        (Shape::Particle { radius }, Shape::Plane) => {
            of_balls(ball_on_plane(bodies, config, (a, b), radius, from))
        }
        (Shape::Plane, Shape::Particle { .. }) if bodies.tilts(a) => {
            advance(bodies, config, a, b, from)
        }
        (Shape::Plane, Shape::Particle { radius }) => {
            of_balls(ball_on_plane(bodies, config, (b, a), radius, from))
        }
        (Shape::Capsule { .. }, Shape::Particle { .. } | Shape::Capsule { .. } | Shape::Plane)
        | (Shape::Particle { .. } | Shape::Plane, Shape::Capsule { .. }) => {
            advance(bodies, config, a, b, from)
        }
        (Shape::Particle { .. } | Shape::Capsule { .. }, Shape::Collider) => {
            round_on_surface(bodies, config, (a, b), from)
        }
        (Shape::Collider, Shape::Particle { .. } | Shape::Capsule { .. }) => {
            round_on_surface(bodies, config, (b, a), from)
        }
        (Shape::Plane | Shape::Collider, Shape::Plane | Shape::Collider) => None,
    }
}

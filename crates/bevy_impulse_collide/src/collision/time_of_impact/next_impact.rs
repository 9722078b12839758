//! The time at which two bodies will hit each other, by their shapes.

use super::{
    advancement::advance,
    balls::{ball_on_ball, ball_on_plane},
    meeting::Meeting,
    surfaces::round_on_surface,
};
use crate::{body::Bodies, config::CollisionConfig, shape::Shape};

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
    let are_aside = bodies.is_aside(a) || bodies.is_aside(b);
    match (bodies.shape[a], bodies.shape[b]) {
        (Shape::Compound { .. }, _) | (_, Shape::Compound { .. }) => None,
        (
            Shape::Particle { .. } | Shape::Capsule { .. },
            Shape::Particle { .. } | Shape::Capsule { .. } | Shape::Plane,
        )
        | (Shape::Plane, Shape::Particle { .. } | Shape::Capsule { .. })
            if are_aside =>
        {
            advance(bodies, config, a, b, from)
        }
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

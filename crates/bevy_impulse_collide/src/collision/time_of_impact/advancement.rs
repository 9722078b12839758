//! The time at which a pair with a capsule, or with a plane that tilts, meets: by conservative advancement.

use bevy::prelude::*;

use super::{
    flight_path::FlightPath,
    meeting::Meeting,
    resting::{Landed, SlowApproach},
    sight::Sight,
};
use crate::{
    body::Bodies,
    config::CollisionConfig,
    shape::{Shape, smaller_radius},
};

/// Most steps of the advancement.
pub(super) const MAX_ITERATIONS: usize = 1024;

/// While surfaces rest on each other, the shortest step is the substep divided by this. It is shorter if the surfaces could overlap
/// in it by more than [`RESTING_OVERLAP`].
pub(super) const MAX_RESTING: f32 = 16.0;

/// Gap, and overlap, as fractions of the smaller radius, of surfaces that rest on each other.
pub(super) const RESTING_GAP: f32 = 1e-3;
const RESTING_OVERLAP: f32 = 1e-2;

/// Twice the fall in a substep, as a fraction of the smaller radius, up to which a pair that starts at rest has no impact.
pub(super) const LARGEST_FALL: f32 = 0.2;

/// Gap, as a fraction of the smaller radius, at which two surfaces touch. It doubles after every so many steps.
pub(super) const TOUCH: f32 = 1e-5;
pub(super) const STEPS_PER_DOUBLING: usize = 128;

/// Time after `from` until two shapes touch and approach faster than bodies that rest on each other, by conservative advancement
/// (B. Mirtich, Impulse-based Dynamic Simulation, 1996, 2.3) to the second order.
///
/// The gap between two ends along a fixed normal n has a second derivative of at least −B, B = max(−⟨n, a⟩, 0) + Σ Ω·|Ω × â|·ℓ: so
/// no step can pass a contact, at any spin. Where that takes too many steps, the search ends, and tells so.
pub(super) fn advance(
    bodies: &Bodies,
    config: &CollisionConfig,
    a: usize,
    b: usize,
    from: f32,
) -> Option<Meeting> {
    let radius = smaller_radius(&bodies.shape[a], &bodies.shape[b]);
    let (path_a, path_b) = (FlightPath::of(bodies, a), FlightPath::of(bodies, b));
    let h = bodies.h;
    let falling = path_a.acceleration - path_b.acceleration;
    let fall = falling.length();
    let of_ends = path_a.end_acceleration()
        + path_b.end_acceleration()
        + path_a.tilting_acceleration(&path_b, h)
        + path_b.tilting_acceleration(&path_a, h);
    let mut s = from;
    // Speed that the field may still give to a pair that starts at rest. Contacts hold it, but only after this first flight.
    let mut held = 0.0;
    let has_plane = [a, b].iter().any(|&i| bodies.shape[i] == Shape::Plane);
    let is_new = [a, b].map(|i| bodies.contact_acceleration[i]) == [Vec3::ZERO; 2];
    let mut landed = Landed::default();
    let slow = SlowApproach::of(bodies, config, a, b);
    for step in 0..MAX_ITERATIONS {
        let tolerance = TOUCH * radius * (1 << (step / STEPS_PER_DOUBLING)) as f32;
        let sight = Sight::of(&path_a, &path_b, s);
        let nearest = sight.nearest();
        let slowest = slow.along(nearest.normal) + held;
        let pull = -falling.dot(nearest.normal);
        for point in sight.points().filter(|point| point.gap <= tolerance) {
            if point.rate < -slowest - landed.gained(point.end, s, pull) {
                return Some(Meeting {
                    time: s,
                    is_impact: true,
                });
            }
            if Landed::holds_capsule(radius, pull, h) {
                landed.note(point.end, s);
            }
        }
        let resting = slowest + landed.gained(nearest.end, s, pull);
        let rests = nearest.gap <= RESTING_GAP * radius && nearest.rate >= -resting;
        if s == 0.0 && rests && is_new && nearest.rate >= -config.resting_speed {
            let field = falling.dot(nearest.normal);
            if field.abs() * h * h < LARGEST_FALL * radius {
                held = 0.5 * h * field.abs();
            }
        }
        let most = of_ends + (-falling.dot(nearest.normal)).max(0.0);
        let mut safe = f32::INFINITY;
        for end in sight.end_gaps() {
            // An overlap of the tolerance at most.
            let mut exact = end.safe_time(most, end.gap.max(0.0) + tolerance);
            if end.gap <= tolerance {
                // The normal turns while they rest.
                exact = exact.max(end.rest_time(of_ends + fall, resting));
            }
            if rests {
                let way = end.gap.max(0.0) + RESTING_OVERLAP * radius;
                exact = exact.max(end.safe_time(most, way).min(h / MAX_RESTING));
            }
            safe = safe.min(exact);
        }
        if rests && !has_plane && sight.points().count() == 1 {
            safe = safe.max(sight.crossing_rest_time((most, fall, h), resting));
        }
        if s + safe > h || s >= h {
            return None;
        }
        s += safe;
    }
    Some(Meeting {
        time: s,
        is_impact: false,
    })
}

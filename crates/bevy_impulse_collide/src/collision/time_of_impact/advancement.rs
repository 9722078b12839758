//! The time at which a pair with a capsule, or with a plane that tilts, meets: by conservative advancement.

use bevy::prelude::*;

use super::contact_points::approach;
use crate::{
    body::{Bodies, Flight},
    collision::manifold::manifold,
    kernel::{precession, turn},
    shape::{Placed, Shape, smaller_radius},
};

/// Most steps of conservative advancement.
const MAX_ITERATIONS: usize = 48;

/// No step is longer than the remaining substep divided by this, unless the bound allows it.
const MIN_ITERATIONS: f32 = 8.0;

/// Gap and approach of two shapes at some time.
struct GapSample {
    gap: f32,
    /// Normal velocity of the nearest points; below zero while they approach.
    v_n: f32,
    /// The lowest normal velocity of the contact points that touch; infinite if none does.
    touching_v_n: f32,
    /// The gap shrinks no faster than this, to the end of the substep.
    fastest: f32,
}

/// The flight of a body, without its rotation about its own axis, which changes no gap.
struct FlightPath {
    start: Flight,
    acceleration: Vec3,
    precession: Vec3,
    half_length: f32,
    /// |ω × n| of a plane.
    tilting: f32,
    shape: Shape,
}

impl FlightPath {
    fn of(bodies: &Bodies, i: usize) -> Self {
        let start = bodies.fly(i, 0.0);
        let (precession, half_length, tilting) = match bodies.shape[i] {
            Shape::Capsule { half_length, .. } if bodies.is_free(i) => {
                let inertia = bodies.inverse_inertia[i];
                (precession(start.axis, start.w, inertia), half_length, 0.0)
            }
            Shape::Plane => (start.w, 0.0, bodies.tilting(i).length()),
            Shape::Particle { .. } | Shape::Capsule { .. } => (Vec3::ZERO, 0.0, 0.0),
        };
        Self {
            start,
            acceleration: bodies.flight_acceleration(i),
            precession,
            half_length,
            tilting,
            shape: bodies.shape[i],
        }
    }

    fn at(&self, s: f32) -> Flight {
        let Flight { x, axis, v, w, .. } = self.start;
        let turned = turn(self.precession, s);
        Flight {
            x: x + v * s + self.acceleration * (0.5 * s * s),
            axis: turned * axis,
            v: v + self.acceleration * s,
            w: turned * w,
            ..self.start
        }
    }

    fn placed(&self, at: &Flight) -> Placed {
        Placed {
            shape: self.shape,
            x: at.x,
            axis: at.axis,
        }
    }

    /// ⟨n, ω × r⟩ = ⟨r, n × ω⟩ for r within the capsule's half length; a little more, as a tumbling body's ω wanders. The
    /// speed of its ends does not.
    fn turning_speed(&self, at: &Flight, n: Vec3) -> f32 {
        let along = n.cross(at.w).length() + 0.02 * at.w.length();
        self.half_length * along.min(at.w.cross(at.axis).length())
    }

    /// Part of the speed at which the gap between a plane and another body can shrink in the next `rest` seconds, due to the
    /// plane's rotation.
    ///
    /// The gap is ⟨n, d⟩ − r for the nearest point of the body's core, at d from the plane's point. It shrinks with
    /// −⟨n, ḋ⟩ − ⟨ω × n, d⟩; meanwhile n turns, and d changes.
    fn tilting_speed(&self, at: &Flight, other: &Self, at_other: &Flight, rest: f32) -> f32 {
        if self.tilting == 0.0 {
            return 0.0;
        }
        let way = ((at_other.v - at.v).length() + other.acceleration.length() * rest) * rest;
        let distance = (at_other.x - at.x).length() + other.half_length + 2.0 * way;
        self.tilting * distance + other.half_length * at_other.w.cross(at_other.axis).length()
    }
}

impl GapSample {
    /// The sample at `s` seconds into a substep of `h` seconds; `None` for two planes.
    fn at(a: &FlightPath, b: &FlightPath, s: f32, h: f32, tolerance: f32) -> Option<Self> {
        let (at_a, at_b) = (a.at(s), b.at(s));
        let points = manifold(&a.placed(&at_a), &b.placed(&at_b));
        let nearest = points.iter().max_by(|p, q| p.depth.total_cmp(&q.depth))?;
        let touching = points.iter().filter(|p| -p.depth <= tolerance);
        let touching_v_n = touching
            .map(|p| approach(&at_a, &at_b, p))
            .fold(f32::INFINITY, f32::min);
        let n = nearest.normal;
        let relative = a.acceleration - b.acceleration;
        Some(Self {
            gap: -nearest.depth,
            v_n: approach(&at_a, &at_b, nearest),
            touching_v_n,
            fastest: n.dot(at_b.v - at_a.v)
                + relative.length() * (h - s)
                + a.turning_speed(&at_a, n)
                + b.turning_speed(&at_b, n)
                + a.tilting_speed(&at_a, b, &at_b, h - s)
                + b.tilting_speed(&at_b, a, &at_a, h - s),
        })
    }
}

/// Time until two shapes meet, by conservative advancement: each step is the gap over the greatest speed at which it can shrink,
/// until the gap is closed (B. Mirtich, Impulse-based Dynamic Simulation, 1996, 2.3).
///
/// That bound makes short steps for a capsule with one end that approaches and one that recedes. Then the step goes to the time at
/// which the nearest points would just have met with their present velocity, but not far. If the shapes overlap there, they have
/// met in between.
pub(super) fn advance(bodies: &Bodies, a: usize, b: usize, from: f32) -> Option<f32> {
    let until = bodies.h - from;
    let radius = smaller_radius(&bodies.shape[a], &bodies.shape[b]);
    let tolerance = 1e-5 * radius;
    let (path_a, path_b) = (FlightPath::of(bodies, a), FlightPath::of(bodies, b));
    let sample_at = |s: f32| GapSample::at(&path_a, &path_b, from + s, bodies.h, tolerance);
    let mut apart = None;
    let mut s = 0.0;
    for _ in 0..MAX_ITERATIONS {
        let sample = sample_at(s)?;
        if sample.touching_v_n < 0.0 {
            return match apart {
                Some(before) if sample.gap < -tolerance => {
                    let gap_at = |s: f32| sample_at(s).map_or(0.0, |sample| sample.gap);
                    Some(root_between(before, (s, sample.gap), tolerance, gap_at))
                }
                _ => Some(s),
            };
        }
        // Both shapes are convex: while the gap along the present normal is open, nothing meets.
        let safe = sample.gap.max(tolerance) / sample.fastest;
        if sample.fastest <= 0.0 || s + safe > until || s >= until {
            return None;
        }
        let mut likely = until / MIN_ITERATIONS;
        if sample.gap > tolerance {
            apart = Some((s, sample.gap));
            if sample.v_n < 0.0 {
                likely = likely.min((1.01 * sample.gap + tolerance) / -sample.v_n);
            }
        }
        s = (s + safe.max(likely)).min(until);
    }
    None
}

/// Root of a function, to within `tolerance` of zero. The function is positive at `above` and negative at `below`, each given as
/// place and value. The method is false position in the Illinois variant.
fn root_between(
    mut above: (f32, f32),
    mut below: (f32, f32),
    tolerance: f32,
    value_at: impl Fn(f32) -> f32,
) -> f32 {
    let mut time = above.0;
    for _ in 0..MAX_ITERATIONS {
        time = (above.0 * below.1 - below.0 * above.1) / (below.1 - above.1);
        let value = value_at(time);
        if value.abs() <= tolerance {
            break;
        }
        // The value of an end that stays is halved.
        if value > 0.0 {
            above = (time, value);
            below.1 *= 0.5;
        } else {
            below = (time, value);
            above.1 *= 0.5;
        }
    }
    time
}

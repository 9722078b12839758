//! The time at which a pair with a capsule, or with a plane that tilts, meets: by conservative advancement.

use bevy::prelude::*;
use glam::DVec3;
use smallvec::SmallVec;

use super::{
    contact_points::approach,
    meeting::Meeting,
    resting::{Landed, resting_speed},
};
use crate::{
    body::{Bodies, Flight},
    collision::manifold::{ManifoldPoint, manifold},
    config::CollisionConfig,
    kernel::{InverseInertia, compose, free_rotation, precession, turn},
    shape::{Placed, Shape, smaller_radius},
};

/// Most steps of the advancement.
pub(super) const MAX_ITERATIONS: usize = 1024;

/// While surfaces rest on each other, the shortest step is the substep divided by this. It is shorter if the surfaces could overlap
/// in it by more than [`RESTING_OVERLAP`].
pub(super) const MAX_RESTING: f32 = 64.0;

/// Gap, and overlap, as fractions of the smaller radius, of surfaces that rest on each other.
pub(super) const RESTING_GAP: f32 = 1e-3;
const RESTING_OVERLAP: f32 = 1e-2;

/// Twice the fall in a substep, as a fraction of the smaller radius, up to which a pair that starts at rest has no impact.
pub(super) const LARGEST_FALL: f32 = 0.2;

/// Gap, as a fraction of the smaller radius, at which two surfaces touch. It doubles after every so many steps.
pub(super) const TOUCH: f32 = 1e-5;
pub(super) const STEPS_PER_DOUBLING: usize = 128;

/// Least sine of the angle between two capsules that cross.
const LEAST_SINE: f32 = 0.2;

/// The flight of a body, without its rotation about its own axis, which changes no gap.
pub(super) struct FlightPath {
    /// Of the body; a part's compound.
    pub start: Flight,
    pub acceleration: Vec3,
    turning: Turning,
    pub half_length: f32,
    /// Greatest distance of an end of the core from the body's centre of mass, in m.
    pub reach: f32,
    /// Of a part beside the centre of mass of its compound: where it is in it.
    part: Option<PartPlace>,
    /// |ω × n| of a plane.
    tilting: f32,
    shape: Shape,
}

/// The place of a part in its compound.
struct PartPlace {
    offset: Vec3,
    rotation: Quat,
}

/// How a core turns.
enum Turning {
    /// About a fixed axis, in rad/s: without the body's rotation about its own axis, which changes no gap.
    Precession(Vec3),
    /// As a free body without symmetry about its core: with its angular velocity, its inertia, and an upper limit in rad/s.
    Free(DVec3, InverseInertia, f32),
}

/// Upper limit, in m/s², of the acceleration of the ends about the centre of a body that turns freely with at most `fastest` rad/s:
/// |ω̇ × r + ω × (ω × r)|, where |ω̇| = |I⁻¹·(L × ω)| is at most as large as ω².
pub(super) fn asymmetric_tip_acceleration(fastest: f32, half_length: f32) -> f32 {
    2.0 * fastest * fastest * half_length
}

/// A point of a core, the segment or the point within a shape, and its velocity.
type CorePoint = (Vec3, Vec3);

impl FlightPath {
    pub fn of(bodies: &Bodies, i: usize) -> Self {
        let shape = bodies.shape[i];
        let part = bodies.is_aside(i).then(|| PartPlace {
            offset: bodies.offset[i],
            rotation: bodies.part_rotation[i],
        });
        let start = match part {
            Some(_) => bodies.fly(bodies.whole_of(i), 0.0),
            None => bodies.fly(i, 0.0),
        };
        let is_static = bodies.is_static(i);
        let inertia = bodies.inverse_inertia[i];
        let turning = match shape {
            _ if part.is_some() && !is_static => {
                let inertia = bodies.inverse_inertia[bodies.whole_of(i)];
                Turning::Free(bodies.angular_velocity[i], inertia, bodies.fastest_turn(i))
            }
            _ if is_static => Turning::Precession(Vec3::ZERO),
            Shape::Capsule { .. } if inertia.is_symmetric_about_y() => {
                Turning::Precession(precession(start.axis, start.w, &inertia))
            }
            Shape::Capsule { .. } => {
                Turning::Free(bodies.angular_velocity[i], inertia, bodies.fastest_turn(i))
            }
            Shape::Plane | Shape::Collider => Turning::Precession(start.w),
            Shape::Particle { .. } | Shape::Compound { .. } => Turning::Precession(Vec3::ZERO),
        };
        let (half_length, tilting) = match shape {
            Shape::Capsule { half_length, .. } => (half_length, 0.0),
            Shape::Plane => (0.0, bodies.tilting(i).length()),
            Shape::Particle { .. } | Shape::Collider | Shape::Compound { .. } => (0.0, 0.0),
        };
        let aside = part.as_ref().map_or(0.0, |part| part.offset.length());
        Self {
            start,
            acceleration: bodies.flight_acceleration(i),
            turning,
            half_length,
            reach: aside + half_length,
            part,
            tilting,
            shape,
        }
    }

    /// The core at `s` seconds into the substep.
    #[inline]
    pub fn at(&self, s: f32) -> Flight {
        let at = self.body_at(s);
        let Some(part) = &self.part else {
            return at;
        };
        let arm = at.rotation * part.offset;
        let rotation = compose(at.rotation, part.rotation);
        Flight {
            x: at.x + arm,
            rotation,
            axis: rotation * Vec3::Y,
            v: at.v + at.w.cross(arm),
            w: at.w,
        }
    }

    #[inline]
    fn body_at(&self, s: f32) -> Flight {
        let Flight {
            x,
            rotation,
            axis,
            v,
            w,
        } = self.start;
        let (x, v_s) = (
            x + v * s + self.acceleration * (0.5 * s * s),
            v + self.acceleration * s,
        );
        match &self.turning {
            Turning::Precession(precession) => {
                let turned = turn(*precession, s);
                Flight {
                    x,
                    axis: turned * axis,
                    v: v_s,
                    rotation: compose(turned, rotation),
                    w: turned * w,
                }
            }
            Turning::Free(spin, inertia, _) => {
                let (rotation, w) = free_rotation(rotation, *spin, inertia, s);
                Flight {
                    x,
                    axis: rotation * Vec3::Y,
                    v: v_s,
                    rotation,
                    w: w.as_vec3(),
                }
            }
        }
    }

    fn placed(&self, at: &Flight) -> Placed<'_> {
        Placed::new(self.shape, at.x, at.axis)
    }

    /// The ends of the core: none of a plane.
    pub fn ends(&self, at: &Flight) -> SmallVec<[CorePoint; 2]> {
        let end = |sign: f32| {
            let arm = at.axis * (sign * self.half_length);
            (at.x + arm, at.v + at.w.cross(arm))
        };
        match self.shape {
            Shape::Particle { .. } => SmallVec::from_slice(&[end(0.0)]),
            Shape::Capsule { .. } => SmallVec::from_slice(&[end(1.0), end(-1.0)]),
            Shape::Plane | Shape::Collider | Shape::Compound { .. } => SmallVec::new(),
        }
    }

    /// Greatest speed in rad/s at which the core turns.
    fn turning_speed(&self) -> f32 {
        match self.turning {
            Turning::Precession(precession) => precession.length(),
            Turning::Free(.., fastest) => fastest,
        }
    }

    /// Greatest speed of the ends about the centre of mass. About a fixed axis it is constant.
    pub fn end_speed(&self) -> f32 {
        match self.turning {
            Turning::Precession(precession) => {
                self.half_length * precession.cross(self.start.axis).length()
            }
            Turning::Free(.., fastest) => self.reach * fastest,
        }
    }

    /// Greatest acceleration of the ends relative to the centre of mass: Ω·|Ω × â|·ℓ about a fixed axis, where it is constant too.
    pub fn end_acceleration(&self) -> f32 {
        match self.turning {
            Turning::Precession(precession) => precession.length() * self.end_speed(),
            Turning::Free(.., fastest) => asymmetric_tip_acceleration(fastest, self.reach),
        }
    }

    /// Largest second derivative of a gap to this plane by its tilting, in `rest` seconds: 2·|ṅ|·|v| + |n̈|·|d| for the point of
    /// the other body at d from the plane's point.
    fn tilting_acceleration(&self, other: &Self, rest: f32) -> f32 {
        if self.tilting == 0.0 {
            return 0.0;
        }
        let gained = (self.acceleration.length() + other.acceleration.length()) * rest;
        let speed = (other.start.v - self.start.v).length() + gained + other.end_speed();
        let distance = (other.start.x - self.start.x).length() + other.reach + speed * rest;
        self.tilting * (2.0 * speed + self.start.w.length() * distance)
    }
}

/// A gap along a fixed normal: the separation of one end of either core, or of an end and a plane.
pub(super) struct EndGap {
    pub gap: f32,
    /// Its first derivative in m/s; below zero while the ends approach.
    pub rate: f32,
}

impl EndGap {
    /// Time in which the gap cannot shrink by `way`, if its second derivative is at least −`most`: the root of w + ġ·s − B·s²/2.
    pub fn safe_time(&self, most: f32, way: f32) -> f32 {
        let root = (self.rate * self.rate + 2.0 * most * way).sqrt();
        if self.rate < 0.0 {
            2.0 * way / (root - self.rate)
        } else if most > 0.0 {
            (self.rate + root) / most
        } else {
            f32::INFINITY
        }
    }

    /// Time in which the approach of ends that touch cannot become faster than `resting`.
    pub fn rest_time(&self, most: f32, resting: f32) -> f32 {
        ((self.rate + resting) / most).max(0.0)
    }
}

/// Visits the gaps between the ends of two cores along `n`, the normal from b to a. While all are open, nothing meets: the shapes
/// are convex, and `n` separates them.
fn for_each_end_gap(
    (a, at_a): (&FlightPath, &Flight),
    (b, at_b): (&FlightPath, &Flight),
    n: Vec3,
    mut visit: impl FnMut(EndGap),
) {
    let reach = a.shape.radius() + b.shape.radius();
    let mut visit = |(p, v_p): CorePoint, (q, v_q): CorePoint| {
        visit(EndGap {
            gap: n.dot(p - q) - reach,
            rate: n.dot(v_p - v_q),
        });
    };
    // The point of a plane that faces a core's end, and moves with the plane.
    let facing = |plane: &Flight, (p, _): CorePoint| {
        let arm = p - plane.x;
        (plane.x, plane.v + plane.w.cross(arm))
    };
    let (ends_a, ends_b) = (a.ends(at_a), b.ends(at_b));
    if ends_a.is_empty() {
        for &end in &ends_b {
            visit(facing(at_a, end), end);
        }
    } else if ends_b.is_empty() {
        for &end in &ends_a {
            visit(end, facing(at_b, end));
        }
    } else {
        for &p in &ends_a {
            for &q in &ends_b {
                visit(p, q);
            }
        }
    }
}

/// Time in which two cores that cross cannot approach faster than `resting`, if their nearest points, at `nearest`, approach with
/// −`v_n` and lie inside both; zero if these may be ends.
///
/// Points that stay on the cores approach along the normal with an acceleration of at most `most`, if the normal stays. The bodies
/// have the relative acceleration `fall`. The nearest points slide along the cores with no more than u/sin φ, where no point is
/// faster than u. So they pass points that have another speed by the cores' rotation. The normal turns by no more than u/|d|.
fn crossing_rest_time(
    (a, at_a): (&FlightPath, &Flight),
    (b, at_b): (&FlightPath, &Flight),
    nearest: &ManifoldPoint,
    (most, fall, h): (f32, f32, f32),
    (v_n, resting): (f32, f32),
) -> f32 {
    let turning = (a.turning_speed() + b.turning_speed()) * h;
    let is_point = |path: &FlightPath| path.half_length == 0.0;
    let sine = if is_point(a) || is_point(b) {
        1.0
    } else {
        at_a.axis.cross(at_b.axis).length()
    };
    let sine = sine - turning;
    if sine < LEAST_SINE {
        return 0.0;
    }
    let speed = (at_a.v - at_b.v).length() + fall * h + a.end_speed() + b.end_speed();
    let sliding = speed / sine;
    let distance = a.shape.radius() + b.shape.radius() - nearest.depth;
    let turned = (speed * h / distance).min(1.0);
    let mut most = most + fall * turned + speed * speed / distance;
    let mut inside = f32::INFINITY;
    for (path, at) in [(a, at_a), (b, at_b)] {
        if !is_point(path) {
            most += path.end_speed() / path.half_length * sliding;
            let along = at.axis.dot(nearest.point - at.x).abs();
            inside = inside.min((path.half_length - along) / sliding);
        }
    }
    ((v_n + resting) / most).min(inside).max(0.0)
}

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
    for step in 0..MAX_ITERATIONS {
        let tolerance = TOUCH * radius * (1 << (step / STEPS_PER_DOUBLING)) as f32;
        let (at_a, at_b) = (path_a.at(s), path_b.at(s));
        let points = manifold(&path_a.placed(&at_a), &path_b.placed(&at_b), f32::INFINITY);
        let nearest = points.iter().max_by(|p, q| p.depth.total_cmp(&q.depth))?;
        let slowest = resting_speed(bodies, config, a, b, nearest.normal) + held;
        // The end of the capsule that a point is at.
        let end_of = |point: &ManifoldPoint| {
            let (path, at) = if path_a.half_length > 0.0 {
                (&path_a, &at_a)
            } else {
                (&path_b, &at_b)
            };
            usize::from(path.half_length > 0.0 && at.axis.dot(point.point - at.x) > 0.0)
        };
        let pull = -falling.dot(nearest.normal);
        for point in points.iter().filter(|point| -point.depth <= tolerance) {
            let end = end_of(point);
            if approach(&at_a, &at_b, point) < -slowest - landed.gained(end, s, pull) {
                return Some(Meeting {
                    time: s,
                    is_impact: true,
                });
            }
            if Landed::holds_capsule(radius, pull, h) {
                landed.note(end, s);
            }
        }
        let resting = slowest + landed.gained(end_of(nearest), s, pull);
        let v_n = approach(&at_a, &at_b, nearest);
        let rests = -nearest.depth <= RESTING_GAP * radius && v_n >= -resting;
        if s == 0.0 && rests && is_new && v_n >= -config.resting_speed {
            let field = falling.dot(nearest.normal);
            if field.abs() * h * h < LARGEST_FALL * radius {
                held = 0.5 * h * field.abs();
            }
        }
        let most = of_ends + (-falling.dot(nearest.normal)).max(0.0);
        let mut safe = f32::INFINITY;
        let (a, b) = ((&path_a, &at_a), (&path_b, &at_b));
        for_each_end_gap(a, b, nearest.normal, |end| {
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
        });
        if rests && !has_plane && points.len() == 1 {
            safe = safe.max(crossing_rest_time(
                a,
                b,
                nearest,
                (most, fall, h),
                (v_n, resting),
            ));
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

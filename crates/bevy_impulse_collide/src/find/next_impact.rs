use bevy::prelude::*;
use glam::Vec3A;

use super::{Manifold, ManifoldPoint, Placed, manifold};
use crate::{
    bodies::{Bodies, Flight, Shape, smaller_radius},
    config::CollisionConfig,
    kernel::{ContactClass, contact_class, parabola_impact_time, sphere_impact_time},
};

/// When, from `from` seconds into the substep on, `a` and `b` will hit each other faster than resting bodies do.
pub(crate) fn next_impact(
    bodies: &Bodies,
    config: &CollisionConfig,
    a: usize,
    b: usize,
    from: f32,
) -> Option<f32> {
    if let (Shape::Particle { radius: r_a }, Shape::Particle { radius: r_b }) =
        (bodies.shape[a], bodies.shape[b])
    {
        return ball_on_ball(bodies, config, (a, b), r_a + r_b, from);
    }
    let time = match (bodies.shape[a], bodies.shape[b]) {
        (Shape::Particle { radius }, Shape::Plane) => ball_on_plane(bodies, a, b, radius, from)?,
        (Shape::Plane, Shape::Particle { radius }) => ball_on_plane(bodies, b, a, radius, from)?,
        _ => advance(bodies, a, b, from)?,
    } + from;
    let point = contact_points(bodies, a, b, time).into_iter().next()?;
    let (at_a, at_b) = (bodies.fly(a, time), bodies.fly(b, time));
    let v_n = approach(&at_a, &at_b, &point);
    is_impact(bodies, config, a, b, point.normal, v_n).then_some(time)
}

/// What a first look at a ball's flight needs, packed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course {
    launch: Vec3A,
    velocity: Vec3A,
    acceleration: Vec3A,
    /// Infinite for what is no ball: it always takes a second look.
    radius: f32,
}

impl Course {
    pub const UNKNOWN: Self = Self {
        launch: Vec3A::ZERO,
        velocity: Vec3A::ZERO,
        acceleration: Vec3A::ZERO,
        radius: f32::INFINITY,
    };

    pub fn of(bodies: &Bodies, i: usize) -> Self {
        Self {
            launch: bodies.launch_position[i].into(),
            velocity: bodies.velocity[i].into(),
            acceleration: bodies.flight_acceleration(i).into(),
            radius: match bodies.shape[i] {
                Shape::Particle { radius } => radius,
                _ => f32::INFINITY,
            },
        }
    }

    /// Whether it cannot be told at first sight that two balls have no impact in a substep of `h` seconds: they are too far
    /// apart, or approach more slowly than at `resting_speed` all the time.
    #[inline]
    pub fn may_hit(&self, other: &Self, resting_speed: f32, h: f32) -> bool {
        if self.radius.max(other.radius) == f32::INFINITY {
            return true;
        }
        let v = self.velocity - other.velocity;
        let gained = (self.acceleration - other.acceleration).length() * h;
        let speed = v.length();
        let path = (speed + gained) * h;
        let d = self.launch - other.launch;
        let reach = self.radius + other.radius + path;
        let distance_squared = d.length_squared();
        if distance_squared > reach * reach {
            return false;
        }
        let distance = distance_squared.sqrt();
        // On a path so short the normal turns by no more than 2·path/distance.
        let fastest = gained + 2.0 * speed * path / distance - v.dot(d) / distance;
        2.0 * path > distance || fastest >= resting_speed
    }
}

fn is_impact(
    bodies: &Bodies,
    config: &CollisionConfig,
    a: usize,
    b: usize,
    normal: Vec3,
    v_n: f32,
) -> bool {
    let tolerance = resting_speed(bodies, config, a, b, normal);
    contact_class(v_n, tolerance) == ContactClass::Impacting
}

/// Most predictions are of two balls, and most of these of neighbours that rest on each other.
fn ball_on_ball(
    bodies: &Bodies,
    config: &CollisionConfig,
    (a, b): (usize, usize),
    reach: f32,
    from: f32,
) -> Option<f32> {
    let until = bodies.h - from;
    let acceleration = bodies.flight_acceleration(a) - bodies.flight_acceleration(b);
    let launch = bodies.launch_position[a] - bodies.launch_position[b];
    let velocity = bodies.velocity[a] - bodies.velocity[b];
    let (d, v) = (
        launch + velocity * from + acceleration * (0.5 * from * from),
        velocity + acceleration * from,
    );
    // In no direction can they approach faster than this.
    let fastest = v.length() + acceleration.length() * until;
    if fastest < config.resting_speed {
        return None;
    }
    let far = reach + fastest * until;
    if d.length_squared() > far * far {
        return None;
    }
    let s = sphere_impact_time(d, v, acceleration, reach, until)?;
    let normal = (d + v * s + acceleration * (0.5 * s * s)).try_normalize()?;
    let v_n = normal.dot(v + acceleration * s);
    is_impact(bodies, config, a, b, normal, v_n).then_some(from + s)
}

fn ball_on_plane(
    bodies: &Bodies,
    ball: usize,
    plane: usize,
    radius: f32,
    from: f32,
) -> Option<f32> {
    let normal = bodies.axis[plane];
    let at = bodies.fly(ball, from);
    parabola_impact_time(
        (at.x - bodies.position[plane]).dot(normal) - radius,
        at.v.dot(normal),
        bodies.flight_acceleration(ball).dot(normal),
        bodies.h - from,
    )
}

/// Time until two shapes meet of which one is a capsule, by conservative advancement: go on by the gap over the greatest
/// speed at which it can shrink, until it is gone (B. Mirtich, Impulse-based Dynamic Simulation, 1996, 2.3).
fn advance(bodies: &Bodies, a: usize, b: usize, from: f32) -> Option<f32> {
    let until = bodies.h - from;
    let relative_a = bodies.flight_acceleration(a) - bodies.flight_acceleration(b);
    // ⟨n, ω × r⟩ = ⟨r, n × ω⟩ for r within the capsule's half length; a little more, as a tumbling body's ω wanders.
    let turning = |i: usize, at: &Flight, n: Vec3| match bodies.shape[i] {
        Shape::Capsule { half_length, .. } => {
            half_length * (n.cross(at.w).length() + 0.02 * at.w.length())
        }
        _ => 0.0,
    };
    let radius = smaller_radius(&bodies.shape[a], &bodies.shape[b]);
    let tolerance = 1e-5 * radius;
    let mut s = 0.0;
    for _ in 0..48 {
        let (at_a, at_b) = (bodies.fly(a, from + s), bodies.fly(b, from + s));
        let points = manifold(&placed(bodies, a, &at_a), &placed(bodies, b, &at_b));
        let nearest = points.iter().max_by(|p, q| p.depth.total_cmp(&q.depth))?;
        let gap = -nearest.depth;
        let v_n = points
            .iter()
            .filter(|p| -p.depth <= tolerance)
            .map(|p| approach(&at_a, &at_b, p))
            .fold(f32::INFINITY, f32::min);
        if gap <= tolerance && v_n < 0.0 {
            return Some(s);
        }
        // Both shapes are convex: while the gap along the present normal is open, nothing meets.
        let n = nearest.normal;
        let fastest = n.dot(at_b.v - at_a.v)
            + relative_a.length() * (until - s)
            + turning(a, &at_a, n)
            + turning(b, &at_b, n);
        if fastest <= 0.0 {
            return None;
        }
        s += gap.max(tolerance) / fastest;
        if s > until {
            return None;
        }
    }
    None
}

/// The points at which `a` and `b` touch at `s` seconds into the substep: the deepest, and any as good as it.
pub(crate) fn contact_points(bodies: &Bodies, a: usize, b: usize, s: f32) -> Manifold {
    let (at_a, at_b) = (bodies.fly(a, s), bodies.fly(b, s));
    let mut points = manifold(&placed(bodies, a, &at_a), &placed(bodies, b, &at_b));
    let deepest = points
        .iter()
        .map(|p| p.depth)
        .fold(f32::NEG_INFINITY, f32::max);
    let radius = bodies.shape[a].radius().max(bodies.shape[b].radius());
    points.retain(|p| p.depth >= deepest - 1e-4 * radius);
    points
}

fn placed(bodies: &Bodies, i: usize, at: &Flight) -> Placed {
    Placed {
        shape: bodies.shape[i],
        x: at.x,
        axis: at.axis,
    }
}

/// Relative velocity of the contact points along the normal, below zero while they approach.
pub(crate) fn approach(at_a: &Flight, at_b: &Flight, p: &ManifoldPoint) -> f32 {
    let velocity =
        at_a.v + at_a.w.cross(p.point - at_a.x) - at_b.v - at_b.w.cross(p.point - at_b.x);
    p.normal.dot(velocity)
}

/// Approach speed under which an impact is a resting contact: the configured one, and what the fields and the pressure of
/// neighbours give the pair along the normal in a substep. A bounce slower than that would be over within the substep.
fn resting_speed(
    bodies: &Bodies,
    config: &CollisionConfig,
    a: usize,
    b: usize,
    normal: Vec3,
) -> f32 {
    let field = normal.dot(bodies.flight_acceleration(a) - bodies.flight_acceleration(b));
    let pressure = |i: usize| normal.dot(bodies.contact_acceleration[i]).abs();
    config.resting_speed + bodies.h * (0.5 * field.abs() + pressure(a).max(pressure(b)))
}

//! The time at which a ball hits a ball or a plane: a root of a polynomial.

use super::resting::SlowApproach;
use crate::{
    body::Bodies,
    config::CollisionConfig,
    kernel::{parabola_impact_time, sphere_impact_time},
};

/// Most predictions are for two balls, and most of these balls are neighbours that rest on each other.
pub(super) fn ball_on_ball(
    bodies: &Bodies,
    config: &CollisionConfig,
    (a, b): (usize, usize),
    reach: f32,
    from: f32,
) -> Option<f32> {
    let until = bodies.h - from;
    let acceleration = bodies.flight_acceleration(a) - bodies.flight_acceleration(b);
    let apart = bodies.flight_origin(a) - bodies.flight_origin(b);
    let velocity = bodies.velocity[a].as_vec3() - bodies.velocity[b].as_vec3();
    let (d, v) = (
        apart + velocity * from + acceleration * (0.5 * from * from),
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
    let slow = SlowApproach::of(bodies, config, a, b);
    (v_n < -slow.along(normal)).then_some(from + s)
}

/// On a plane that does not tilt: the gap is a parabola in time.
pub(super) fn ball_on_plane(
    bodies: &Bodies,
    config: &CollisionConfig,
    (ball, plane): (usize, usize),
    radius: f32,
    from: f32,
) -> Option<f32> {
    let normal = bodies.axis[plane];
    let (at, under) = (bodies.fly(ball, from), bodies.fly(plane, from));
    let v_n = (at.v - under.v).dot(normal);
    let a_n = bodies.flight_acceleration(ball).dot(normal);
    let gap = (at.x - under.x).dot(normal) - radius;
    let s = parabola_impact_time(gap, v_n, a_n, bodies.h - from)?;
    let slow = SlowApproach::of(bodies, config, ball, plane);
    (v_n + a_n * s < -slow.along(normal)).then_some(from + s)
}

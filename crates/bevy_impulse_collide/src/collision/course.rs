//! The courses of bodies in the substep in which their pairs are found. Bodies that fly side by side do not meet, however fast they
//! are.

use bevy::prelude::*;

use super::bounds::{MAX_FAT_MARGIN, is_fast, tip_speed};
use crate::{body::Bodies, kernel::closest_segment_points, shape::Shape};

/// Where a ball or a capsule flies in one substep. A fast body keeps no pairs for the next one, so two bodies of which one is fast
/// are a pair only if they come near each other in this one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    x: Vec3,
    /// Greatest distance in m from the core to a point that the turning body reaches.
    reach: f32,
    v: Vec3,
    /// Greatest distance in m of the body beside its course.
    slack: f32,
    a: Vec3,
    /// Greatest distance in m that an end of the core turns.
    turned: f32,
    /// From the centre to an end of the core.
    half: Vec3,
    half_length: f32,
    is_fast: bool,
    /// Whether the body is a ball or a capsule about its centre of mass.
    is_known: bool,
}

impl Course {
    pub const NONE: Self = Self {
        x: Vec3::ZERO,
        reach: 0.0,
        v: Vec3::ZERO,
        slack: 0.0,
        a: Vec3::ZERO,
        turned: 0.0,
        half: Vec3::ZERO,
        half_length: 0.0,
        is_fast: false,
        is_known: false,
    };

    /// The course of body `i`, with the contact `margin`.
    pub fn of(bodies: &Bodies, i: usize, margin: f32) -> Self {
        let half_length = match bodies.shape[i] {
            _ if bodies.is_part(i) => return Self::NONE,
            Shape::Particle { .. } => 0.0,
            Shape::Capsule { half_length, .. } => half_length,
            Shape::Plane | Shape::Collider | Shape::Compound { .. } => return Self::NONE,
        };
        let radius = bodies.shape[i].radius();
        let turned = tip_speed(bodies, i) * bodies.h;
        let slack = MAX_FAT_MARGIN * radius;
        let rest = Self {
            x: bodies.position[i].as_vec3(),
            reach: radius * (1.0 + margin) + slack + turned,
            half: bodies.flight_axis(i) * half_length,
            half_length,
            slack,
            turned,
            is_known: true,
            ..Self::NONE
        };
        match bodies.is_static(i) {
            true => rest,
            false => Self {
                x: bodies.flight_origin(i),
                v: bodies.velocity[i].as_vec3(),
                a: bodies.flight_acceleration(i),
                is_fast: is_fast(bodies, i),
                ..rest
            },
        }
    }

    /// Whether the pairs of the body are those of this substep alone.
    pub fn is_fast(&self) -> bool {
        self.is_fast
    }

    /// Whether two bodies of which one is fast may meet in the substep of `h` seconds; `None` if the courses do not tell.
    #[inline]
    pub fn may_meet(&self, other: &Self, h: f32) -> Option<bool> {
        if !(self.is_fast || other.is_fast) || !(self.is_known && other.is_known) {
            return None;
        }
        let (d, v) = (self.x - other.x, self.v - other.v);
        // A parabola leaves its straight line by a·s²/2.
        let sag = 0.5 * (self.a - other.a).length() * h * h;
        let reach = self.reach + other.reach + sag;
        let lengths = self.half_length + other.half_length;
        let s = (-d.dot(v) / v.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, h);
        let (least, most) = ((d + v * s).length_squared(), reach + lengths);
        if least > most * most || lengths == 0.0 {
            return Some(least <= most * most);
        }
        // Half of the way on both sides of its middle.
        let (middle, way) = (d + v * (0.5 * h), 0.5 * h * v.length());
        let (s, t) = closest_segment_points(middle, self.half, Vec3::ZERO, other.half);
        let nearest = middle + self.half * s - other.half * t;
        Some(nearest.length_squared() <= (reach + way) * (reach + way))
    }

    /// Whether body `i` stays near its course, which impacts have changed. Between two impacts the way from the course grows in
    /// proportion to time, so its end decides.
    pub fn still_holds(&self, bodies: &Bodies, i: usize) -> bool {
        if !self.is_known {
            return true;
        }
        let h = bodies.h;
        let (v, a) = (
            bodies.velocity[i].as_vec3() - self.v,
            bodies.flight_acceleration(i) - self.a,
        );
        let beside = (bodies.flight_origin(i) - self.x) + (v + a * (0.5 * h)) * h;
        let turned = (tip_speed(bodies, i) * h - self.turned).max(0.0);
        beside.length() + turned <= self.slack
    }
}

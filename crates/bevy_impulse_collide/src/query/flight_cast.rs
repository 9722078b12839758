//! One flight among other bodies, which may fly too.

use bevy::prelude::*;
use glam::DVec3;

use super::{
    body::Body,
    flight::{Flight, FlightHit},
    meet::Supports,
    round::Round,
};
use crate::shape::geometry::{Course, Touch};

/// Still bodies are looked for piece by piece of the flight: the boxes of short pieces hold few bodies. A piece is this many radii
/// long, or this part of the flight.
const RADII_PER_PIECE: f64 = 8.0;
const MAX_PIECES: f64 = 256.0;

/// How another body goes on, in m/s and m/s².
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Motion {
    pub velocity: DVec3,
    pub acceleration: DVec3,
}

impl Motion {
    pub const STILL: Self = Self {
        velocity: DVec3::ZERO,
        acceleration: DVec3::ZERO,
    };

    pub fn is_still(&self) -> bool {
        *self == Self::STILL
    }

    /// The step leaves out a body with a bad value: it stays where it is.
    pub fn finite_or_still(self) -> Self {
        match self.velocity.is_finite() && self.acceleration.is_finite() {
            true => self,
            false => Self::STILL,
        }
    }
}

/// When and how the flying body meets another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    entity: Entity,
    /// In s from now.
    pub time: f64,
    touch: Touch,
    approach_speed: f64,
}

impl Meeting {
    /// Whether it comes first. Of two at one time it is that with the first entity.
    pub fn is_before(&self, other: &Self) -> bool {
        (self.time, self.entity) < (other.time, other.entity)
    }
}

/// A round body, its course, and the bodies that hold it at the start.
pub(super) struct FlightCast {
    round: Round,
    course: Course,
    supports: Supports,
}

impl FlightCast {
    pub fn new(round: Round, course: Course) -> Self {
        Self {
            round,
            course,
            supports: Supports::default(),
        }
    }

    /// Lets the body hold the flying one, if that lies on it at the start. `resting` is a speed in m/s: see [`Supports::add`].
    pub fn lie_on(&mut self, body: &Body, motion: Motion, resting: f64) {
        let moving = (motion.velocity, motion.acceleration);
        self.supports
            .add(body, &self.round, &mut self.course, moving, resting);
    }

    /// How the body moves at the start, held by what it lies on.
    pub fn motion(&self) -> Motion {
        Motion {
            velocity: self.course.velocity,
            acceleration: self.course.acceleration,
        }
    }

    /// The meeting with another body between two times.
    pub fn meet(&self, body: &Body, motion: Motion, piece: (f64, f64)) -> Option<Meeting> {
        let relative = Course {
            x: self.course.x,
            velocity: self.course.velocity - motion.velocity,
            acceleration: self.course.acceleration - motion.acceleration,
        };
        let is_supported =
            |normal: Vec3, gap: f64| self.supports.hold(normal, gap, self.round.radius);
        let (time, touch) = body.meet(&self.round, &relative, piece, is_supported)?;
        let approach_speed = -touch.normal.as_dvec3().dot(relative.velocity_at(time));
        Some(Meeting {
            entity: body.entity,
            time,
            touch,
            approach_speed,
        })
    }

    /// The pieces of the flight up to its end.
    pub fn pieces(&self, end: f64) -> impl Iterator<Item = (f64, f64)> + use<> {
        let way = self.course.most_speed((0.0, end)) * end;
        let radii = way / f64::from(self.round.radius);
        let count = (radii / RADII_PER_PIECE).ceil().clamp(1.0, MAX_PIECES);
        let time = move |k: u32| end * f64::from(k) / count;
        (0..count as u32).map(move |k| (time(k), time(k + 1)))
    }

    /// The corners of the box that holds the flying body in a piece of its flight, and what it lies on.
    pub fn bounds(&self, piece: (f64, f64)) -> (Vec3, Vec3) {
        let (middle, half) = self.course.bounds(piece);
        let middle = middle.as_vec3();
        let half = (half.as_vec3() + self.round.extent()) * (1.0 + Supports::REACH)
            + middle.abs() * f32::EPSILON;
        (middle - half, middle + half)
    }

    /// A meeting as the user sees it.
    pub fn hit(&self, meeting: &Meeting) -> FlightHit {
        let (course, time) = (&self.course, meeting.time);
        let position = course.at(time);
        FlightHit {
            entity: meeting.entity,
            time: time as f32,
            flight: Flight {
                position: course.x.as_vec3(),
                velocity: course.velocity.as_vec3(),
                acceleration: course.acceleration.as_vec3(),
            },
            position: position.as_vec3(),
            velocity: course.velocity_at(time).as_vec3(),
            point: self.round.point(position, &meeting.touch),
            normal: meeting.touch.normal,
            approach_speed: meeting.approach_speed as f32,
        }
    }
}

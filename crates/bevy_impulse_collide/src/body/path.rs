//! The way of a body through a substep.

use bevy::prelude::*;
use glam::DVec3;
use smallvec::SmallVec;

use super::store::Bodies;
use crate::{
    kernel::{compose, rotation_vector, turn, unit},
    shape::Shape,
};

/// Where an impact has turned a body on its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    pub body: u32,
    /// Seconds into the substep.
    pub time: f32,
    pub pose: Pose,
}

impl Turn {
    /// The turn of body `i` that an impact at `time` seconds into the substep has made.
    pub fn of(bodies: &Bodies, i: u32, time: f32) -> Self {
        let at = bodies.fly(i as usize, time);
        Self {
            body: i,
            time,
            pose: Pose {
                x: at.x,
                rotation: at.rotation,
            },
        }
    }
}

/// A place and a rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pose {
    pub x: Vec3,
    pub rotation: Quat,
}

impl Pose {
    pub const ORIGIN: Self = Self {
        x: Vec3::ZERO,
        rotation: Quat::IDENTITY,
    };

    pub fn of(bodies: &Bodies, i: usize) -> Self {
        Self {
            x: bodies.position[i].as_vec3(),
            rotation: bodies.rotation[i],
        }
    }
}

/// A part of a way without an impact: a parabola, and a steady turn.
///
/// It starts and ends where the body was. Between these, the acceleration is that of the fields and the contacts. So a free flight
/// is exact, and the way has no gaps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// Seconds into the substep.
    pub from: f32,
    pub to: f32,
    start: Pose,
    end: Pose,
    velocity: DVec3,
    acceleration: DVec3,
    /// The rotation vector from the start to the end, in rad.
    turning: Vec3,
}

impl Piece {
    fn new(from: f32, to: f32, start: Pose, end: Pose, acceleration: Vec3) -> Self {
        let (time, a) = (f64::from(to - from), acceleration.as_dvec3());
        Self {
            from,
            to,
            start,
            end,
            velocity: (end.x.as_dvec3() - start.x.as_dvec3()) / time - a * (0.5 * time),
            acceleration: a,
            turning: rotation_vector(start.rotation, end.rotation),
        }
    }

    /// The whole substep of a body that met nothing.
    pub fn whole(bodies: &Bodies, i: usize, start: Pose) -> Self {
        let end = Pose::of(bodies, i);
        // A body that stands still does not fall for the way.
        let a = match start == end {
            true => Vec3::ZERO,
            false => bodies.flight_acceleration(i),
        };
        Self::new(0.0, bodies.h, start, end, a)
    }

    /// The place at `s` seconds into the substep.
    pub fn x(&self, s: f32) -> DVec3 {
        let s = f64::from(s - self.from);
        self.start.x.as_dvec3() + self.velocity * s + self.acceleration * (0.5 * s * s)
    }

    /// The rotation at `s` seconds into the substep.
    pub fn rotation(&self, s: f32) -> Quat {
        if self.turning == Vec3::ZERO {
            return self.end.rotation;
        }
        let t = (s - self.from) / (self.to - self.from);
        unit(compose(turn(self.turning, t), self.start.rotation))
    }

    /// Greatest speed in m/s.
    pub fn speed(&self) -> f32 {
        let gained = self.acceleration.length() * f64::from(self.to - self.from);
        (self.velocity.length() + gained) as f32
    }

    /// Angular speed in rad/s.
    pub fn spin(&self) -> f32 {
        self.turning.length() / (self.to - self.from)
    }

    /// The corners of the box that holds the place all the time.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        // A parabola leaves its chord by a·t²/8 at most.
        let time = self.to - self.from;
        let sag = (self.acceleration.length() as f32) * (0.125 * time * time);
        let (low, high) = (
            self.start.x.min(self.end.x) - sag,
            self.start.x.max(self.end.x) + sag,
        );
        let rounding = low.abs().max(high.abs()) * f32::EPSILON;
        (low - rounding, high + rounding)
    }
}

/// The way of body `i`, from where it was at the start of the substep, round its `turns` in the order of their times.
pub(crate) fn pieces(
    bodies: &Bodies,
    i: usize,
    start: Pose,
    turns: &[Turn],
) -> SmallVec<[Piece; 2]> {
    let end = Pose::of(bodies, i);
    if turns.is_empty() || start == end {
        return SmallVec::from_iter([Piece::whole(bodies, i, start)]);
    }
    let a = bodies.flight_acceleration(i);
    let mut pieces = SmallVec::new();
    let (mut from, mut at) = (0.0, start);
    let last = Turn {
        body: i as u32,
        time: bodies.h,
        pose: end,
    };
    for turn in turns.iter().chain([&last]) {
        if turn.time > from {
            // The turn of a ball is not to be seen.
            let rotation = match bodies.shape[i] {
                Shape::Particle { .. } => at.rotation,
                Shape::Capsule { .. } | Shape::Plane | Shape::Collider | Shape::Compound { .. } => {
                    turn.pose.rotation
                }
            };
            let to = Pose {
                rotation,
                ..turn.pose
            };
            pieces.push(Piece::new(from, turn.time, at, to, a));
            at = to;
        }
        from = turn.time;
    }
    pieces
}

//! Where bodies were when their pairs were found, and how far they may go from there: a capsule's box says little of it.

use bevy::prelude::*;
use glam::Vec3A;

use super::{aabb::Aabb, bounds::tip_speed};
use crate::{body::Bodies, kernel::closest_segment_points, shape::Shape};

/// The line that a capsule is drawn about, or a ball's centre.
#[derive(Clone, Copy, Debug)]
pub(super) struct Core {
    x: Vec3,
    /// From the centre to the centre of a half-ball.
    half: Vec3,
    radius: f32,
    /// None of its points goes further than this from where it was.
    slack: f32,
    is_capsule: bool,
}

impl Core {
    pub const NONE: Self = Self {
        x: Vec3::ZERO,
        half: Vec3::ZERO,
        radius: 0.0,
        slack: 0.0,
        is_capsule: false,
    };

    /// Of body `i`, which may go as far as it will in this substep, when it is in the box `swept`, and further by `room`.
    pub fn new(bodies: &Bodies, i: usize, swept: &Aabb, room: f32, margin: f32) -> Self {
        let radius = bodies.shape[i].radius() * (1.0 + margin);
        match bodies.shape[i] {
            Shape::Plane => Self::NONE,
            Shape::Capsule { half_length, .. } => {
                let core = Self {
                    x: bodies.launch_position[i],
                    half: bodies.launch_axis(i) * half_length,
                    radius,
                    slack: 0.0,
                    is_capsule: true,
                };
                Self {
                    slack: core.path(bodies, i) + room,
                    ..core
                }
            }
            Shape::Particle { .. } => {
                let half = 0.5 * (swept.max - swept.min) - radius + room;
                Self {
                    x: (0.5 * (swept.min + swept.max)).into(),
                    radius,
                    slack: half.length(),
                    ..Self::NONE
                }
            }
        }
    }

    /// The box that holds the body while it is near its core; that of a ball is `swept`, grown by its `room`.
    pub fn room(&self, swept: &Aabb, room: f32) -> Aabb {
        if !self.is_capsule {
            return swept.grown(room);
        }
        let (x, half) = (Vec3A::from(self.x), Vec3A::from(self.half.abs()));
        let all = Aabb {
            min: x - half,
            max: x + half,
        };
        all.grown(self.radius + self.slack)
    }

    /// Whether a capsule stays as near in this substep as it may go; a ball's room tells that by itself.
    pub fn is_near(&self, bodies: &Bodies, i: usize) -> bool {
        !self.is_capsule || self.path(bodies, i) <= self.slack
    }

    /// How far the points of a capsule are at most from where they were, until the substep ends.
    fn path(&self, bodies: &Bodies, i: usize) -> f32 {
        let Shape::Capsule { half_length, .. } = bodies.shape[i] else {
            return 0.0;
        };
        let h = bodies.h;
        let gone = bodies.launch_position[i].distance(self.x);
        let turned = (bodies.launch_axis(i) * half_length).distance(self.half);
        let speed = bodies.velocity[i].length() + tip_speed(bodies, i);
        let gained = 0.5 * bodies.flight_acceleration(i).length() * h;
        gone + turned + (speed + gained) * h
    }

    /// Whether the two may touch while each is near its core.
    pub fn may_meet(&self, other: &Self) -> bool {
        if !(self.is_capsule || other.is_capsule) {
            return true;
        }
        let (s, t) = closest_segment_points(self.x, self.half, other.x, other.half);
        let nearest = self.x + self.half * s - other.x - other.half * t;
        let reach = self.radius + other.radius + self.slack + other.slack;
        nearest.length_squared() <= reach * reach
    }
}

//! A capsule's bound beside its fat AABB: a capsule with a margin. The AABB of a capsule that lies aslant is mostly empty.

use bevy::prelude::*;
use glam::Vec3A;

use super::{aabb::Aabb, bounds::tip_speed};
use crate::{body::Bodies, kernel::closest_segment_points, shape::Shape};

/// A capsule that holds a body while the body's pairs are valid: its core segment, radius and a margin. A ball's core segment has
/// no length.
#[derive(Clone, Copy, Debug)]
pub(super) struct FatCapsule {
    x: Vec3,
    /// From the centre to an end of the core segment, in m.
    half: Vec3,
    radius: f32,
    /// The margin in m: a point of the body may move by this distance before its pairs are found anew.
    slack: f32,
    is_capsule: bool,
}

impl FatCapsule {
    pub const NONE: Self = Self {
        x: Vec3::ZERO,
        half: Vec3::ZERO,
        radius: 0.0,
        slack: 0.0,
        is_capsule: false,
    };

    /// The bound of body `i`, whose swept AABB is `swept`. The margin is the distance that the body moves in this substep, plus
    /// `fat_margin`.
    pub fn new(bodies: &Bodies, i: usize, swept: &Aabb, fat_margin: f32, margin: f32) -> Self {
        let radius = bodies.shape[i].radius() * (1.0 + margin);
        match bodies.shape[i] {
            Shape::Plane | Shape::Compound { .. } => Self::NONE,
            // Its box alone decides.
            Shape::Collider => Self {
                radius: f32::INFINITY,
                ..Self::NONE
            },
            Shape::Capsule { half_length, .. } => {
                let fat_capsule = Self {
                    x: bodies.flight_origin(i),
                    half: bodies.flight_axis(i) * half_length,
                    radius,
                    slack: 0.0,
                    is_capsule: true,
                };
                Self {
                    slack: fat_capsule.farthest_travel(bodies, i) + fat_margin,
                    ..fat_capsule
                }
            }
            Shape::Particle { .. } => {
                let half = 0.5 * (swept.max - swept.min) - radius + fat_margin;
                Self {
                    x: (0.5 * (swept.min + swept.max)).into(),
                    radius,
                    slack: half.length(),
                    ..Self::NONE
                }
            }
        }
    }

    /// The fat AABB. For a capsule it holds the fat capsule; for a ball it is `swept`, larger by `fat_margin` on all sides.
    pub fn aabb(&self, swept: &Aabb, fat_margin: f32) -> Aabb {
        if !self.is_capsule {
            return swept.grown(fat_margin);
        }
        let (x, half) = (Vec3A::from(self.x), Vec3A::from(self.half.abs()));
        let all = Aabb {
            min: x - half,
            max: x + half,
        };
        all.grown(self.radius + self.slack)
    }

    /// Whether the bound holds the body to the end of this substep. For a ball the fat AABB alone decides.
    pub fn still_holds(&self, bodies: &Bodies, i: usize) -> bool {
        !self.is_capsule || self.farthest_travel(bodies, i) <= self.slack
    }

    /// Upper limit, in m, of the distance of any point of the capsule from its former place, to the end of the substep.
    fn farthest_travel(&self, bodies: &Bodies, i: usize) -> f32 {
        let Shape::Capsule { half_length, .. } = bodies.shape[i] else {
            return 0.0;
        };
        let h = bodies.h;
        let gone = bodies.flight_origin(i).distance(self.x);
        let turned = (bodies.flight_axis(i) * half_length).distance(self.half);
        let speed = bodies.velocity[bodies.whole_of(i)].as_vec3().length() + tip_speed(bodies, i);
        let gained = 0.5 * bodies.flight_acceleration(i).length() * h;
        gone + turned + (speed + gained) * h
    }

    /// Whether two bodies may touch while each is in its bound.
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

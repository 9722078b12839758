//! A moving ball or capsule, and one body.

use bevy::prelude::*;
use glam::DVec3;

use super::{
    body::Body,
    line::{Line, nearest_in_parallelogram},
};
use crate::shape::{
    Shape,
    geometry::{Core, Touch},
};

/// A ball or a capsule that a user asks about: the points nearer than a radius to a segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    pub radius: f32,
    /// From the centre to an end of the segment, in m; zero for a ball.
    pub half: DVec3,
}

impl Round {
    pub fn ball(radius: f32) -> Self {
        let half = DVec3::ZERO;
        Self { radius, half }
    }

    /// A ball or a capsule of the world.
    pub fn of(body: &Body) -> Self {
        Self {
            radius: body.shape.radius(),
            half: body.half(),
        }
    }

    /// A capsule along local Y.
    pub fn capsule(radius: f32, length: f32, rotation: Quat) -> Self {
        let axis = rotation.as_dquat() * DVec3::Y;
        let half = axis.normalize() * (0.5 * f64::from(length));
        Self { radius, half }
    }

    /// Half sides of the box that holds it, in m.
    pub fn extent(&self) -> Vec3 {
        self.half.abs().as_vec3() + self.radius
    }

    /// Whether all its numbers can be used.
    pub fn is_good(&self) -> bool {
        self.radius.is_finite() && self.radius > 0.0 && self.half.is_finite()
    }

    /// The point of a body that it touches, with its centre at `centre`.
    pub fn point(&self, centre: DVec3, touch: &Touch) -> Vec3 {
        let on_core = centre + self.half * f64::from(touch.t);
        (on_core - touch.normal.as_dvec3() * f64::from(touch.gap)).as_vec3()
    }
}

/// The way between a body and a round shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    /// In m; negative where they overlap.
    pub gap: f64,
    /// Unit vector out of the body.
    pub normal: DVec3,
    /// Where on the core of the shape, from −1 to 1.
    pub t: f64,
}

impl Gap {
    pub fn touch(&self, round: &Round) -> Touch {
        Touch {
            normal: self.normal.as_vec3(),
            t: self.t as f32,
            gap: (self.gap + f64::from(round.radius)) as f32,
        }
    }
}

impl Body {
    /// Where a round shape whose centre moves along a line first touches the body. A shape that starts in the body hits it at
    /// once, unless it moves out of it.
    pub fn cast_round(&self, way: &Line, round: &Round, limit: f32) -> Option<(f32, Touch)> {
        if let Shape::Collider = self.shape {
            let core = self.local_core(way.origin, round);
            let direction = self.direction_to_local(way.direction);
            let (distance, touch) = self.geometry()?.sweep(&core, direction, limit)?;
            return Some((distance, self.to_world(touch)));
        }
        let start = self.gap_to(way.origin, round)?;
        if start.gap <= 0.0 {
            let moves_in = start.normal.dot(way.direction) < 0.0;
            return moves_in.then(|| (0.0, start.touch(round)));
        }
        let (centre, radius) = (self.position.as_dvec3(), f64::from(round.radius));
        let entry = match self.shape {
            Shape::Particle { radius: other } if round.half == DVec3::ZERO => {
                way.enters_ball(centre, f64::from(other) + radius)?
            }
            Shape::Particle { radius: other } => {
                way.enters_capsule(centre, round.half, f64::from(other) + radius)?
            }
            // The way of one core past the other is the way of a point past the sum of both.
            Shape::Capsule { radius: other, .. } => way.enters_parallelogram(
                centre,
                (self.half(), round.half),
                f64::from(other) + radius,
            )?,
            Shape::Plane => way.enters_half_space(start.gap, start.normal)?,
            Shape::Collider | Shape::Compound { .. } => return None,
        };
        if !(0.0..=f64::from(limit)).contains(&entry) {
            return None;
        }
        let end = self.gap_to(way.at(entry), round)?;
        Some((entry as f32, end.touch(round)))
    }

    /// The gap to a round shape with its centre at `x`; `None` for a collider.
    pub fn gap_to(&self, x: DVec3, round: &Round) -> Option<Gap> {
        let centre = self.position.as_dvec3();
        // The point of the core that is nearest to the body.
        let t = match self.shape {
            _ if round.half == DVec3::ZERO => 0.0,
            Shape::Particle { .. } | Shape::Capsule { .. } => {
                let (_, t) = nearest_in_parallelogram(x, centre, (self.half(), round.half));
                -t
            }
            Shape::Plane => match self.axis.as_dvec3().dot(round.half) {
                0.0 => 0.0,
                rise => -rise.signum(),
            },
            Shape::Collider | Shape::Compound { .. } => return None,
        };
        let (distance, normal) = self.gap(x + round.half * t)?;
        Some(Gap {
            gap: distance - f64::from(round.radius),
            normal,
            t,
        })
    }

    /// The core of a round shape with its centre at `x`, in the frame of a collider.
    pub fn local_core(&self, x: DVec3, round: &Round) -> Core {
        Core {
            x: self.to_local(x),
            half: self.direction_to_local(round.half).as_vec3(),
            radius: round.radius,
        }
    }

    /// A touch of a collider in world axes.
    pub fn to_world(&self, touch: Touch) -> Touch {
        Touch {
            normal: self.rotation * touch.normal,
            ..touch
        }
    }
}

//! What the methods with small steps have in common.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use crate::contact::ContactPoint;

/// Where the bodies were, and so how they have moved since.
pub(super) struct Moves {
    position: Vec<Vec3>,
    rotation: Vec<Quat>,
}

impl Moves {
    /// From here.
    pub(super) fn from(bodies: &Bodies) -> Self {
        Self {
            position: bodies.iter().map(|body| body.position()).collect(),
            rotation: bodies.iter().map(|body| body.rotation()).collect(),
        }
    }

    /// The gap of a contact now, in m, to first order in the moves.
    pub(super) fn gap(&self, bodies: &Bodies, point: &ContactPoint) -> f32 {
        self.apart(bodies, point).dot(point.normal) - point.depth
    }

    /// How far the two bodies of a contact have slid on each other, in m.
    pub(super) fn slip(&self, bodies: &Bodies, point: &ContactPoint) -> Vec3 {
        self.apart(bodies, point)
            .reject_from_normalized(point.normal)
    }

    /// How far the point of `a` has moved away from that of `b`, in m, to first order in the turns: a ball that turns does not open a
    /// gap.
    fn apart(&self, bodies: &Bodies, point: &ContactPoint) -> Vec3 {
        let moved = |i: usize, arm: Vec3| {
            let turn = (bodies.get(i).rotation() * self.rotation[i].inverse()).to_scaled_axis();
            bodies.get(i).position() - self.position[i] + turn.cross(arm)
        };
        moved(point.a, point.arm_a) - moved(point.b, point.arm_b)
    }

    /// v = (x − x_before)/h, ω = the turn over h.
    pub(super) fn velocities(&self, bodies: &mut Bodies, h: f32) {
        bodies.for_each(|mut body| {
            if body.is_dynamic() {
                let i = body.index();
                let turn = body.rotation() * self.rotation[i].inverse();
                body.set_velocity((body.position() - self.position[i]) / h);
                body.set_angular_velocity(turn.to_scaled_axis() / h);
            }
        });
    }
}

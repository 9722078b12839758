//! What the methods with small steps have in common.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use crate::contact::ContactPoint;

/// How the bodies have moved since the contacts were found: by how much the gap of a contact has grown, in m.
pub(super) struct Moves {
    pub(super) position: Vec<Vec3>,
    pub(super) rotation: Vec<Quat>,
}

impl Moves {
    /// From here.
    pub(super) fn from(bodies: &Bodies) -> Self {
        Self {
            position: bodies.position[..].to_vec(),
            rotation: bodies.rotation[..].to_vec(),
        }
    }

    /// The gap of a contact now, in m, to first order in the moves.
    pub(super) fn gap(&self, bodies: &Bodies, point: &ContactPoint) -> f32 {
        let moved = |i: usize, arm: Vec3| self.shift_of(bodies, i, arm);
        let apart = moved(point.a, point.arm_a) - moved(point.b, point.arm_b);
        apart.dot(point.normal) - point.depth
    }

    /// How far a point of a body has moved, in m, to first order in the turn: a ball that turns does not open a gap. `arm` goes from
    /// its centre to the point, at the start.
    pub(super) fn shift_of(&self, bodies: &Bodies, i: usize, arm: Vec3) -> Vec3 {
        let turn = (bodies.rotation[i] * self.rotation[i].inverse()).to_scaled_axis();
        bodies.position[i] - self.position[i] + turn.cross(arm)
    }
}

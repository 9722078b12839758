use bevy::prelude::*;

use crate::{
    body::{Bodies, Columns},
    kernel::{InverseInertia, turn},
};

/// How a body turns, and what projection has changed of that.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turning {
    pub turn: Turn,
    /// By how much a capsule turns about its centre when the stage ends; its axis and its angular velocity stay as if it had
    /// not turned until then.
    pub angle: Vec3,
}

impl Turning {
    pub const NOBODY: Self = Self {
        turn: Turn {
            w: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            axis: Vec3::Y,
        },
        angle: Vec3::ZERO,
    };

    pub fn of(bodies: &Bodies, i: usize) -> Self {
        Self {
            turn: Turn::of(bodies, i),
            angle: Vec3::ZERO,
        }
    }

    pub fn write(&self, run: &mut Columns, i: usize) {
        let turn = self.turn.turned(self.angle, run.inverse_inertia[i]);
        run.angular_velocity[i] = turn.w;
        run.rotation[i] = turn.rotation;
        run.axis[i] = turn.axis;
        run.launch_rotation[i] = run.rotation[i];
    }
}

/// How a body turns and is turned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub w: Vec3,
    pub rotation: Quat,
    pub axis: Vec3,
}

impl Turn {
    pub fn of(bodies: &Bodies, i: usize) -> Self {
        Self {
            w: bodies.angular_velocity[i],
            rotation: bodies.rotation[i],
            axis: bodies.axis[i],
        }
    }

    /// After a turn of a capsule that keeps its angular momentum: its angular velocity follows the inertia tensor round.
    pub fn turned(self, angle: Vec3, inertia: InverseInertia) -> Self {
        if angle == Vec3::ZERO {
            return self;
        }
        let momentum = inertia.inverse_mul(self.axis, self.w);
        let rotation = (turn(angle, 1.0) * self.rotation).normalize();
        let axis = rotation * Vec3::Y;
        Self {
            w: inertia.mul(axis, momentum),
            rotation,
            axis,
        }
    }
}

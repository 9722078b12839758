//! The change of a body's rotation and spin by the projection.

use bevy::prelude::*;

use crate::{
    body::{Bodies, Columns},
    kernel::{InverseInertia, compose, turn, unit},
};

/// The rotation of a body, and its change by the projection.
#[derive(Clone, Copy, Debug)]
pub(super) struct RotationChange {
    pub orientation: Orientation,
    /// Rotation vector by which a capsule turns when the stage ends. Until then its axis and angular velocity do not include this
    /// rotation.
    pub angle: Vec3,
    /// Angular momentum in kg·m²/s that the body gets when the stage ends.
    pub momentum: Vec3,
}

impl RotationChange {
    /// The rotation at solver indices that belong to no body.
    pub const NOBODY: Self = Self {
        orientation: Orientation {
            w: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            axis: Vec3::Y,
        },
        angle: Vec3::ZERO,
        momentum: Vec3::ZERO,
    };

    pub fn of(bodies: &Bodies, i: usize) -> Self {
        Self {
            orientation: Orientation::of(bodies, i),
            angle: Vec3::ZERO,
            momentum: Vec3::ZERO,
        }
    }

    pub fn write(&self, run: &mut Columns, i: usize) {
        let (inertia, mut orientation) = (run.inverse_inertia[i], self.orientation);
        if self.momentum != Vec3::ZERO {
            orientation.w += inertia.mul(orientation.rotation, self.momentum);
        }
        let new = orientation.turned(self.angle, inertia);
        // What has not changed keeps all its digits.
        if new.w != run.angular_velocity[i].as_vec3() {
            run.angular_velocity[i] = new.w.as_dvec3();
        }
        run.rotation[i] = new.rotation;
        run.axis[i] = run.shape[i].axis_at(new.rotation, run.local_axis[i]);
        run.flight_rotation[i] = run.rotation[i];
    }
}

/// Angular velocity, rotation and axis of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Orientation {
    pub w: Vec3,
    pub rotation: Quat,
    pub axis: Vec3,
}

impl Orientation {
    pub fn of(bodies: &Bodies, i: usize) -> Self {
        Self {
            w: bodies.angular_velocity[i].as_vec3(),
            rotation: bodies.rotation[i],
            axis: bodies.axis[i],
        }
    }

    /// After a turn of a capsule that keeps its angular momentum: its angular velocity changes as the inertia tensor turns.
    pub fn turned(self, angle: Vec3, inertia: InverseInertia) -> Self {
        if angle == Vec3::ZERO {
            return self;
        }
        let momentum = inertia.inverse_mul(self.rotation, self.w);
        let rotation = unit(compose(turn(angle, 1.0), self.rotation));
        let axis = rotation * Vec3::Y;
        Self {
            w: inertia.mul(rotation, momentum),
            rotation,
            axis,
        }
    }
}

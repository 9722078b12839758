//! Velocities and accelerations of one body.

use bevy::prelude::*;

use super::{columns::Columns, store::Bodies};

/// Velocity and angular velocity of a body at one time, in m/s and rad/s.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Velocities {
    pub linear: Vec3,
    pub angular: Vec3,
}

/// Acceleration and angular acceleration of a body by fields, contacts and joints in the last substep, in m/s² and rad/s².
#[derive(Clone, Copy, Debug)]
pub(crate) struct Accelerations {
    pub linear: Vec3,
    pub angular: Vec3,
}

impl Accelerations {
    /// The accelerations of body `i` of a run.
    pub fn of_run(run: &Columns, i: usize) -> Self {
        Self {
            linear: run.acceleration[i].as_vec3()
                + run.contact_acceleration[i]
                + run.joint_acceleration[i],
            angular: run.angular_acceleration[i]
                + run.contact_angular_acceleration[i]
                + run.joint_angular_acceleration[i],
        }
    }

    /// The accelerations of body `i`.
    pub fn of(bodies: &Bodies, i: usize) -> Self {
        Self {
            linear: bodies.acceleration[i].as_vec3()
                + bodies.contact_acceleration[i]
                + bodies.joint_acceleration[i],
            angular: bodies.angular_acceleration[i]
                + bodies.contact_angular_acceleration[i]
                + bodies.joint_angular_acceleration[i],
        }
    }
}

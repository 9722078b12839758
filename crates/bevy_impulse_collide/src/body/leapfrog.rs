//! The two times of a velocity: the packed arrays hold v(t−h/2), as a leapfrog steps it, and components show v(t). This file holds
//! every conversion between them.
//!
//! Stages 2 and 3 are the same kicks inside a step: they take v(t−h/2) to v(t), and v(t) to v(t+h/2).

use bevy::prelude::*;
use glam::DVec3;

use super::{columns::Columns, store::Bodies};

/// Velocity and angular velocity of a body at one time, in m/s and rad/s.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Velocities {
    pub linear: Vec3,
    pub angular: Vec3,
}

/// Acceleration and angular acceleration of a body by fields and contacts in the last substep, in m/s² and rad/s².
#[derive(Clone, Copy, Debug)]
pub(crate) struct Accelerations {
    pub linear: Vec3,
    pub angular: Vec3,
}

impl Accelerations {
    /// The accelerations of body `i` of a run.
    pub fn of_run(run: &Columns, i: usize) -> Self {
        Self {
            linear: run.acceleration[i].as_vec3() + run.contact_acceleration[i],
            angular: run.angular_acceleration[i] + run.contact_angular_acceleration[i],
        }
    }

    /// The accelerations of body `i`.
    pub fn of(bodies: &Bodies, i: usize) -> Self {
        Self {
            linear: bodies.acceleration[i].as_vec3() + bodies.contact_acceleration[i],
            angular: bodies.angular_acceleration[i] + bodies.contact_angular_acceleration[i],
        }
    }
}

impl Velocities {
    /// v(t) from v(t−h/2); `half` is h/2 in s.
    pub fn shown(self, a: Accelerations, half: f32) -> Self {
        Self {
            linear: self.linear + a.linear * half,
            angular: self.angular + a.angular * half,
        }
    }

    /// v(t−h/2) from v(t). A new body, which has made no step, keeps v(t): its first kick is half as long.
    pub fn stored(self, a: Accelerations, half: f32, is_new: bool) -> Self {
        if is_new {
            return self;
        }
        Self {
            linear: self.linear - a.linear * half,
            angular: self.angular - a.angular * half,
        }
    }
}

impl Columns<'_> {
    /// The change of body `i`'s velocities from v(t) to v(t+h/2), before contacts. `is_corrected`: whether v(t) has had a half
    /// kick.
    pub fn late_kick(&self, i: usize, h: f32, is_corrected: bool) -> (DVec3, Vec3) {
        let kick = if is_corrected { 0.5 * h } else { h };
        // The contacts' half kick, which a new body has not had, served the flights only: the contact stage gives it in full.
        let unkick = if is_corrected && self.steps[i] > 0 {
            0.5 * h
        } else {
            0.0
        };
        (
            self.acceleration[i] * f64::from(kick)
                - self.contact_acceleration[i].as_dvec3() * f64::from(unkick),
            self.angular_acceleration[i] * kick - self.contact_angular_acceleration[i] * unkick,
        )
    }
}

impl Bodies {
    /// The velocities of body `i` that its components show after this substep.
    pub(crate) fn shown_velocities(&self, i: usize) -> Velocities {
        let stored = Velocities {
            linear: self.velocity[i],
            angular: self.angular_velocity[i],
        };
        stored.shown(Accelerations::of(self, i), 0.5 * self.h)
    }
}

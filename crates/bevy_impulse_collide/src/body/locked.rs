//! Bodies that never turn.

use bevy::prelude::*;
use glam::DVec3;

use super::Columns;

impl Columns<'_> {
    /// If the body's rotation is locked: takes what would turn it. That is a field, a system of a user, or the least number that
    /// stands for an infinite inertia in the solvers.
    pub fn hold_rotation(&mut self, i: usize) {
        if self.has_locked_rotation(i) {
            self.angular_velocity[i] = DVec3::ZERO;
            self.angular_acceleration[i] = Vec3::ZERO;
            self.contact_angular_acceleration[i] = Vec3::ZERO;
            self.joint_angular_acceleration[i] = Vec3::ZERO;
        }
    }
}

//! Bodies that never turn.

use bevy::prelude::*;

use super::{Columns, store::IMMOVABLE};
use crate::{kernel::InverseInertia, shape::Shape};

/// Inverse inertia of a dynamic body of this shape and mass. Nothing turns a body whose rotation is locked.
pub(crate) fn inverse_inertia(
    shape: &Shape,
    mass: f32,
    is_rod: bool,
    is_locked: bool,
) -> InverseInertia {
    if is_locked {
        InverseInertia::isotropic(IMMOVABLE)
    } else {
        shape.inverse_inertia(mass, is_rod)
    }
}

impl Columns<'_> {
    /// If the body's rotation is locked: takes what would turn it. That is a field, a system of a user, or the least number that
    /// stands for an infinite inertia in the solvers.
    pub fn hold_rotation(&mut self, i: usize) {
        if self.has_locked_rotation(i) {
            self.angular_velocity[i] = Vec3::ZERO;
            self.angular_acceleration[i] = Vec3::ZERO;
            self.contact_angular_acceleration[i] = Vec3::ZERO;
        }
    }
}

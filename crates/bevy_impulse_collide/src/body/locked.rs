//! Bodies that never turn.

use bevy::prelude::*;
use glam::DVec3;

use super::{Columns, store::IMMOVABLE};
use crate::{components::Inertia, kernel::InverseInertia, shape::Shape};

/// Inverse inertia of a dynamic body of this shape and mass; or its `own`, if it is not that of the solid shape. Nothing turns a body whose rotation is locked.
pub(crate) fn inverse_inertia(
    shape: &Shape,
    mass: f32,
    own: Option<&Inertia>,
    (is_rod, is_locked): (bool, bool),
) -> InverseInertia {
    match own {
        _ if is_locked => InverseInertia::isotropic(IMMOVABLE),
        Some(own) => InverseInertia::of_moments(own.principal, own.frame),
        None => shape.inverse_inertia(mass, is_rod),
    }
}

impl Columns<'_> {
    /// If the body's rotation is locked: takes what would turn it. That is a field, a system of a user, or the least number that
    /// stands for an infinite inertia in the solvers.
    pub fn hold_rotation(&mut self, i: usize) {
        if self.has_locked_rotation(i) {
            self.angular_velocity[i] = DVec3::ZERO;
            self.angular_acceleration[i] = Vec3::ZERO;
            self.contact_angular_acceleration[i] = Vec3::ZERO;
        }
    }
}

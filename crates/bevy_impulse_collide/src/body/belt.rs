//! Surfaces that move along themselves: see [`SurfaceVelocity`](crate::components::SurfaceVelocity).

use bevy::prelude::*;

use super::store::Bodies;

impl Bodies {
    /// Whether the surface of a body moves along itself.
    pub(crate) fn is_belt(&self, i: usize) -> bool {
        self.have_belts && self.surface_velocity[i] != Vec3::ZERO
    }

    /// The velocity of a body's surface relative to the body, in world axes. At a contact only its tangential part counts.
    pub(crate) fn belt_velocity(&self, i: usize) -> Vec3 {
        if self.is_belt(i) {
            self.rotation[i] * self.surface_velocity[i]
        } else {
            Vec3::ZERO
        }
    }

    /// The velocity at which the surface of `a` slides over that of `b` across the normal `n`, from the velocity `u` at which the
    /// bodies do. Without belts it is `u`, to the bit.
    pub(crate) fn sliding_of_surfaces(&self, (a, b): (usize, usize), n: Vec3, u: Vec3) -> Vec3 {
        if !(self.is_belt(a) || self.is_belt(b)) {
            return u;
        }
        u + (self.belt_velocity(a) - self.belt_velocity(b)).reject_from_normalized(n)
    }
}

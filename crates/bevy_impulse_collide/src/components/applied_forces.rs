//! The component that holds what `Forces` applies until the coming step.

use bevy::prelude::*;

/// What [`Forces`](super::Forces) applies to a ball or a capsule in the coming fixed step. The step takes it and sets it to zero.
/// For a force that stays, use [`ExternalForce`](super::ExternalForce).
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct AppliedForces {
    /// Force in N through the centre of mass, in world axes.
    pub(crate) force: Vec3,
    /// Torque in N·m, in world axes.
    pub(crate) torque: Vec3,
    /// A force, torque or impulse that could not be used; zero for none.
    pub(crate) rejected: Vec3,
}

impl AppliedForces {
    /// Force in N through the centre of mass that has been applied so far, in world axes.
    pub const fn force(&self) -> Vec3 {
        self.force
    }

    /// Torque in N·m that has been applied so far, in world axes.
    pub const fn torque(&self) -> Vec3 {
        self.torque
    }
}

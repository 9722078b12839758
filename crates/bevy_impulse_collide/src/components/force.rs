//! The components of forces that stay: gravity's share, force, torque.

use bevy::prelude::*;

/// Fraction of the uniform [`Gravity`](crate::field::Gravity) that acts on a body: 1 for all of it, 0 for none.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct GravityScale(pub f32);

impl Default for GravityScale {
    /// All of it.
    fn default() -> Self {
        Self(1.0)
    }
}

/// A force in newtons, in world axes, through the centre of mass. It acts in every step until it is changed or removed.
///
/// A system that writes it before every step, in [`FixedUpdate`](bevy::prelude::FixedUpdate), samples a force that depends on the
/// motion: of second order in the step, and without drift of the energy. A force that is written now and then is switched: it acts
/// from then on. See [the crate's page](crate#what-is-sampled-and-what-is-switched).
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct ExternalForce(pub Vec3);

/// A torque in N·m, in world axes. It acts in every step until it is changed or removed.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct ExternalTorque(pub Vec3);

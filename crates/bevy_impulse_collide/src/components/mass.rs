//! The components of mass and density.

use bevy::prelude::*;

/// Mass in kilograms, above zero. Default: 1 kg. The moment of inertia follows from the mass and the shape.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.spawn((Particle::new(0.028575), Mass(0.17)));
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct Mass(pub f32);

impl Default for Mass {
    /// One kilogram.
    fn default() -> Self {
        Self(1.0)
    }
}

/// Density in kg/m³, above zero. It keeps [`Mass`] at density times volume.
///
/// It has no effect on a capsule with [`Growth`](super::Growth): there `Growth::uptake` changes the mass.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn setup(mut commands: Commands) {
///     // Steel. The mass is set before the first step.
///     commands.spawn((Particle::new(0.1), Density(7850.0)));
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
#[require(Mass)]
pub struct Density(pub f32);

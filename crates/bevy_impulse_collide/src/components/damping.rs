//! The components of drag.

use bevy::prelude::*;

/// Drag on the velocity, d in 1/s, zero or more. While nothing else acts, v(t) = v(0)·e^(−d·t).
///
/// It is exact at any strength. With d·h far above 1 a body loses its whole velocity within a substep. That is the overdamped
/// world of cells: a body moves only while something pushes it.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.spawn((Particle::new(0.5), LinearDamping(0.1), AngularDamping(0.1)));
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct LinearDamping(pub f32);

/// Drag on the angular velocity, d in 1/s, zero or more. While nothing else acts, ω(t) = ω(0)·e^(−d·t).
///
/// It is exact at any strength, as [`LinearDamping`] is.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn setup(mut commands: Commands) {
///     let spin = AngularVelocity(Vec3::Y * 10.0);
///     commands.spawn((Particle::new(0.5), spin, AngularDamping(0.1)));
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct AngularDamping(pub f32);

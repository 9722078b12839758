//! The component that puts the centre of mass of a compound elsewhere.

use bevy::prelude::*;

/// The centre of mass of a [`Compound`](super::Compound): a point in the frame of its [`Transform`], in m before the `Transform`'s
/// scale. Without it, the centre of mass is that of its parts.
///
/// The moments of inertia about it are those of the parts about their own centre of mass, unless an [`Inertia`](super::Inertia) says
/// otherwise.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// // A toy that stands up again: a ball with lead in its lower half.
/// commands.spawn((
///     Compound,
///     CenterOfMass(Vec3::NEG_Y * 0.2),
///     children![Particle::new(0.5)],
/// ));
/// # }
/// # bevy::ecs::system::assert_is_system(spawn);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct CenterOfMass(pub Vec3);

//! The component of compounds whose parts share the mass of their overlaps.

use bevy::prelude::*;

/// The mass where parts of a [`Compound`](super::Compound) overlap counts once: mass, centre of mass and inertia are those of the union
/// of its parts. Without it, they are those of their sum.
///
/// Each part gives its mass evenly over its volume. Where parts of different [`Density`](super::Density) overlap, the densest is there.
/// So a part that lies within another one adds nothing, unless it is denser.
///
/// The step integrates over the overlaps when parts come, go or change: mass and inertia are right to a millionth of the sum of the
/// parts', and the bits are the same on every machine. Two parts take some milliseconds, ten some hundredths of a second. Where nothing
/// overlaps, nothing changes.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// // A hammer of one piece of steel.
/// let steel = Density(7850.0);
/// commands.spawn((
///     Compound,
///     OverlapCountedOnce,
///     children![
///         (Capsule::new(0.02, 0.3), steel),
///         (Particle::new(0.05), steel, Transform::from_xyz(0.0, 0.15, 0.0)),
///     ],
/// ));
/// # }
/// # bevy::ecs::system::assert_is_system(spawn);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct OverlapCountedOnce;

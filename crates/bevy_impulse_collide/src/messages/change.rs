//! Messages of bodies that merge and divide.

use bevy::prelude::*;

/// A ball has absorbed another ball under [`Accretion`]. There is one message for each absorbed ball.
///
/// The survivor's components have the new values. Its mesh is yours to change: give it a mesh with the new radius, or scale a
/// mesh of radius 1 by the `Transform`:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn grow(mut merged: MessageReader<Merged>, mut balls: Query<(&mut Transform, &mut Particle)>) {
///     for ball in merged.read() {
///         if let Ok((mut transform, mut particle)) = balls.get_mut(ball.survivor) {
///             transform.scale = Vec3::splat(ball.radius);
///             particle.radius = 1.0;
///         }
///     }
/// }
/// ```
///
/// [`Accretion`]: crate::accretion::Accretion
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct Merged {
    /// The ball that stays.
    pub survivor: Entity,
    /// The absorbed ball. Its entity is despawned.
    pub absorbed: Entity,
    /// Mass of the absorbed ball in kg.
    pub absorbed_mass: f32,
    /// The survivor's mass in kg after this step.
    pub mass: f32,
    /// The survivor's radius in m after this step, with the scale of its `Transform`.
    pub radius: f32,
}

/// A capsule has divided into two: see [`Division`](crate::components::Division).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn bend(mut divided: MessageReader<Divided>, mut cells: Query<&mut Division>) {
///     for message in divided.read() {
///         for (daughter, bend) in [(message.first, 0.01), (message.second, -0.01)] {
///             if let Ok(mut division) = cells.get_mut(daughter) {
///                 division.bend = bend;
///             }
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(bend);
/// ```
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct Divided {
    /// The daughter at the lower end of the mother's axis. Her entity is the mother's.
    pub first: Entity,
    /// The other daughter: a new entity with clones of all the mother's components.
    pub second: Entity,
}

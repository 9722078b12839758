use bevy::prelude::*;

/// A ball has been absorbed by another: one message for each that is gone. Written where [`Accretion`] is switched on.
///
/// The survivor's components are up to date, but its mesh is yours to change. Give it a new one of the new radius; or let
/// a mesh of radius 1 grow with the `Transform`:
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
    /// The ball that is gone; its entity is despawned.
    pub absorbed: Entity,
    /// Mass in kg that the absorbed ball had.
    pub absorbed_mass: f32,
    /// The survivor's mass in kg, with all that it absorbed in this step.
    pub mass: f32,
    /// The survivor's radius in m, in world measures, likewise.
    pub radius: f32,
}

/// A capsule has divided into two: see [`Division`](crate::components::Division).
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct Divided {
    /// The one at the lower end of the mother's axis; its entity was the mother's.
    pub first: Entity,
    /// The other one: a new entity, with clones of all the mother's components.
    pub second: Entity,
}

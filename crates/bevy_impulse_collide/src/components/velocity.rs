use bevy::prelude::*;

/// Velocity of the centre of mass in m/s, in world axes, at the time of the [`Transform`] beside it.
///
/// The step itself works with leapfrog velocities, half a step off; what is read and written here never is.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
pub struct LinearVelocity(pub Vec3);

/// Angular velocity in rad/s, in world axes, right-handed, at the time of the [`Transform`] beside it.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
pub struct AngularVelocity(pub Vec3);

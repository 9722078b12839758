use bevy::prelude::*;

/// Holds a body still: no force, impact or contact moves it, and others bounce off it as off infinite mass.
///
/// Bevy's prelude holds another `Fixed`, the clock of `Time<Fixed>`, so this crate's does not: `use
/// bevy_impulse_collide::Fixed;`.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
pub struct Fixed;

/// Drives a body: it moves with its [`LinearVelocity`](super::LinearVelocity) and [`AngularVelocity`](super::AngularVelocity) whatever
/// it meets, and pushes, hits, carries and drags others as something of infinite mass. No force, impact or contact changes
/// its velocities; you do.
///
/// For balls and capsules. What moves a wall is its `Transform`.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
pub struct Driven;

/// How much of the uniform [`Gravity`](crate::field::Gravity) a body feels: 1 all of it, 0 none.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone)]
pub struct GravityScale(pub f32);

impl Default for GravityScale {
    /// All of it.
    fn default() -> Self {
        Self(1.0)
    }
}

/// A force in newtons, in world axes, through the centre of mass. It acts in every step until it is changed or removed.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
pub struct ExternalForce(pub Vec3);

/// A torque in N·m, in world axes. It acts in every step until it is changed or removed.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
pub struct ExternalTorque(pub Vec3);

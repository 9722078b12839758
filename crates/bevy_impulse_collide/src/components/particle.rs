//! The component of balls.

use bevy::prelude::*;

use crate::shape::ball;

use super::{
    acceleration::Acceleration,
    applied_forces::AppliedForces,
    force::GravityScale,
    mass::Mass,
    rigid_body::RigidBody,
    sleep::Sleep,
    velocity::{AngularVelocity, LinearVelocity},
};

/// A ball with the inertia of a solid sphere, I = 2/5·m·r².
///
/// Its centre is the translation of the [`Transform`]. A uniform scale of the `Transform` scales the
/// radius.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.spawn((
///         Particle::new(0.5),
///         LinearVelocity(Vec3::X),
///         Transform::from_xyz(0.0, 3.0, 0.0),
///     ));
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
#[require(
    Transform,
    RigidBody,
    Mass,
    LinearVelocity,
    AngularVelocity,
    Acceleration,
    AppliedForces,
    GravityScale,
    Sleep
)]
pub struct Particle {
    /// Radius in metres, above zero.
    pub radius: f32,
}

impl Particle {
    /// A ball of `radius` metres.
    pub const fn new(radius: f32) -> Self {
        Self { radius }
    }

    /// 4/3·π·r³, in m³.
    pub fn volume(&self) -> f32 {
        ball::volume(self.radius)
    }
}

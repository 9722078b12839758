//! The component of capsules.

use bevy::prelude::*;

use crate::shape::capsule;

use super::{
    acceleration::Acceleration,
    applied_forces::AppliedForces,
    force::GravityScale,
    mass::Mass,
    rigid_body::RigidBody,
    sleep::Sleep,
    velocity::{AngularVelocity, LinearVelocity},
};

/// A capsule: a cylinder along the entity's local Y with a half-ball on each end, as Bevy's `Capsule3d`.
///
/// It is a rigid body with its true inertia. A uniform scale of the [`Transform`] scales radius and length.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn setup(mut commands: Commands) {
///     // Local Y is turned to X: the capsule lies.
///     let lying = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
///     commands.spawn((Capsule::new(0.2, 1.0), Transform::from_rotation(lying)));
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
pub struct Capsule {
    /// Radius in metres, above zero.
    pub radius: f32,
    /// Length in metres of the cylinder between the two half-balls, zero or more.
    pub length: f32,
}

impl Capsule {
    /// A capsule with this radius and this length of the cylinder, both in metres.
    pub const fn new(radius: f32, length: f32) -> Self {
        Self { radius, length }
    }

    /// π·r²·(L + 4/3·r), in m³.
    pub fn volume(&self) -> f32 {
        capsule::volume(self.radius, self.length)
    }
}

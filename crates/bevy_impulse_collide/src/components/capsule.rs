use bevy::prelude::*;

use crate::shape::capsule;

use super::{
    acceleration::Acceleration,
    force::GravityScale,
    mass::Mass,
    rigid_body::RigidBody,
    sleep::Sleep,
    velocity::{AngularVelocity, LinearVelocity},
};

/// A cylinder with a half-ball on each end, along the entity's local Y, as Bevy's `Capsule3d`.
///
/// It is a rigid body with its true inertia. A uniform scale of the [`Transform`] scales both measures.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[require(
    Transform,
    RigidBody,
    Mass,
    LinearVelocity,
    AngularVelocity,
    Acceleration,
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
    /// A capsule of `radius` whose cylinder is `length` long, both in metres.
    pub const fn new(radius: f32, length: f32) -> Self {
        Self { radius, length }
    }

    /// π·r²·(L + 4/3·r), in m³.
    pub fn volume(&self) -> f32 {
        capsule::volume(self.radius, self.length)
    }
}

use bevy::prelude::*;

use crate::shape::ball;

use super::{
    acceleration::Acceleration,
    force::GravityScale,
    mass::Mass,
    rigid_body::RigidBody,
    sleep::Sleep,
    velocity::{AngularVelocity, LinearVelocity},
};

/// A ball. It spins: its moment of inertia is that of a solid sphere, I = 2/5·m·r².
///
/// Its centre is the [`Transform`]'s translation, in world coordinates; a uniform scale scales the radius.
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

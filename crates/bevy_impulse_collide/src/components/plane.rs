//! The component of half-spaces.

use bevy::prelude::*;

use super::{
    rigid_body::RigidBody,
    velocity::{AngularVelocity, LinearVelocity},
};

/// A half-space: solid on the side away from its normal. A body that is found inside is pushed out, however deep it is.
///
/// The [`Transform`]'s translation is a point of the surface. The `Transform`'s rotation turns the normal; its scale has no
/// effect.
///
/// A plane is [`RigidBody::Static`] unless you say otherwise. A plane with [`RigidBody::Kinematic`] moves with its
/// [`LinearVelocity`] and turns about its point with its [`AngularVelocity`]: a lift, a piston, a conveyor belt, a see-saw.
///
/// ```
/// use bevy::{prelude::*, time::TimeUpdateStrategy};
/// use bevy_impulse_collide::prelude::*;
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, ImpulseCollidePlugin { interpolate: false }))
///     .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
///     .insert_resource(Gravity::ZERO);
/// app.update(); // No time passes in the first update.
///
/// // A wall that comes at 1 m/s hits a ball at rest. With restitution 1, the ball leaves at 2 m/s.
/// app.world_mut().spawn((
///     Plane::new(Vec3::X),
///     RigidBody::Kinematic,
///     LinearVelocity(Vec3::X),
///     Transform::from_xyz(-0.6, 0.0, 0.0),
/// ));
/// let ball = app.world_mut().spawn((Particle::new(0.5), Restitution(1.0))).id();
/// for _ in 0..20 {
///     app.update();
/// }
/// let velocity = app.world().get::<LinearVelocity>(ball).unwrap();
/// assert!(velocity.distance(Vec3::X * 2.0) < 1e-4);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
#[require(
    Transform,
    RigidBody = RigidBody::Static,
    LinearVelocity,
    AngularVelocity
)]
pub struct Plane {
    /// The direction out of the solid side, in the entity's own frame. Any length above zero.
    pub normal: Vec3,
}

impl Plane {
    /// A half-space whose surface faces along `normal`.
    pub const fn new(normal: Vec3) -> Self {
        Self { normal }
    }
}

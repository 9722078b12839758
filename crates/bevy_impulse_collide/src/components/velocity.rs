//! The components of the motion.

use bevy::prelude::*;

/// Velocity in m/s, in world axes, at the time of the [`Transform`] beside it: of the centre of mass, or of a plane's point.
///
/// You can set it at any time. A step changes the velocity of a [`RigidBody::Dynamic`](super::RigidBody) body. A
/// [`RigidBody::Kinematic`](super::RigidBody) body keeps the velocity that you give it. A [`RigidBody::Static`](super::RigidBody)
/// body must have zero.
///
/// It is the state of the step itself: a value that you write acts from then on.
///
/// ```
/// use bevy::{prelude::*, time::TimeUpdateStrategy};
/// use bevy_impulse_collide::prelude::*;
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, ImpulseCollidePlugin { interpolate: false }))
///     .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
///     .insert_resource(Time::<Fixed>::from_hz(60.0));
/// app.update(); // No time passes in the first update.
///
/// // A ball is thrown up at 9.81 m/s. After a second it is at rest at the top.
/// let ball = app
///     .world_mut()
///     .spawn((Particle::new(0.5), LinearVelocity(Vec3::Y * 9.81)))
///     .id();
/// for _ in 0..60 {
///     app.update();
/// }
/// let velocity = app.world().get::<LinearVelocity>(ball).unwrap();
/// assert!(velocity.length() < 1e-3);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct LinearVelocity(pub Vec3);

/// Angular velocity in rad/s, in world axes, right-handed, at the time of the [`Transform`] beside it. A plane turns about its
/// point, any other body about its centre of mass. See [`LinearVelocity`] for who may change it.
///
/// ```
/// use bevy::{prelude::*, time::TimeUpdateStrategy};
/// use bevy_impulse_collide::prelude::*;
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, ImpulseCollidePlugin { interpolate: false }))
///     .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
///     .insert_resource(Time::<Fixed>::from_hz(60.0));
/// app.update(); // No time passes in the first update.
///
/// // A roller turns by 1 rad in a second.
/// let roller = app
///     .world_mut()
///     .spawn((Capsule::new(0.2, 1.0), RigidBody::Kinematic, AngularVelocity(Vec3::Y)))
///     .id();
/// for _ in 0..60 {
///     app.update();
/// }
/// let rotation = app.world().get::<Transform>(roller).unwrap().rotation;
/// assert!(rotation.angle_between(Quat::from_rotation_y(1.0)) < 1e-3);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct AngularVelocity(pub Vec3);

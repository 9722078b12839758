//! The component of colliders that turn about another point than their origin.

use bevy::prelude::*;

/// The point about which a kinematic [`Collider`](super::Collider) turns: the hinge of a door, the axle of a flipper.
///
/// It is a point of the body, in the frame of its [`Transform`], in m before the `Transform`'s scale. The body turns about it with
/// its [`AngularVelocity`](super::AngularVelocity), on an exact arc, and [`LinearVelocity`](super::LinearVelocity) is the velocity
/// of this point: zero for a door. Without a pivot, a body turns about its origin. With
/// [`MovedByTransform`](super::MovedByTransform), the point moves on a straight line from pose to pose, so it stays if the poses
/// turn about it.
///
/// A ball, a capsule or a plane turns about its origin only: there the component has no effect, and that is a
/// [`BadInput`](crate::messages::BadInput).
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
/// // A door of 1 m turns about its left edge by a quarter in a second.
/// let door = app
///     .world_mut()
///     .spawn((
///         Collider::cuboid(1.0, 2.0, 0.05),
///         RigidBody::Kinematic,
///         Pivot(Vec3::NEG_X * 0.5),
///         AngularVelocity(Vec3::Y * std::f32::consts::FRAC_PI_2),
///     ))
///     .id();
/// for _ in 0..60 {
///     app.update();
/// }
/// let x = app.world().get::<Transform>(door).unwrap().translation;
/// assert!(x.distance(Vec3::new(-0.5, 0.0, -0.5)) < 1e-4);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct Pivot(pub Vec3);

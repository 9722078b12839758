//! The component that says what moves a body.

use bevy::prelude::*;

/// How a body moves: by forces and collisions, by your velocities, or not at all.
///
/// [`Particle`](super::Particle) and [`Capsule`](super::Capsule) are dynamic unless you say otherwise; a
/// [`Plane`](super::Plane) is static. You can change the component at any time.
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
/// // A lift rises at 1 m/s and carries a ball.
/// app.world_mut().spawn((
///     Plane::new(Vec3::Y),
///     RigidBody::Kinematic,
///     LinearVelocity(Vec3::Y),
/// ));
/// let ball = app
///     .world_mut()
///     .spawn((Particle::new(0.5), Restitution(0.0), Transform::from_xyz(0.0, 0.5, 0.0)))
///     .id();
/// for _ in 0..60 {
///     app.update();
/// }
/// let height = app.world().get::<Transform>(ball).unwrap().translation.y;
/// assert!((height - 1.5).abs() < 1e-3);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub enum RigidBody {
    /// Forces, impacts and contacts move the body. A plane cannot be dynamic: it has no mass.
    #[default]
    Dynamic,
    /// The body moves with its [`LinearVelocity`](super::LinearVelocity) and [`AngularVelocity`](super::AngularVelocity). You
    /// set these, and no force, impact or contact changes them. The body pushes, hits, carries and drags dynamic bodies as if
    /// its mass were infinite. Two kinematic bodies, or a kinematic and a static one, pass through each other.
    ///
    /// A [`Transform`] that you set teleports the body: the jump itself gives no velocity to other bodies. With
    /// [`MovedByTransform`](super::MovedByTransform) the body moves there instead.
    Kinematic,
    /// The body stands still. Dynamic bodies collide with it as if its mass were infinite. Its velocities count as zero;
    /// velocities other than zero are a [`BadInput`](crate::messages::BadInput). You can still set its [`Transform`], which
    /// teleports it.
    Static,
}

// A query gives `&RigidBody`. With `self` by value, the call would find `PartialReflect::is_dynamic` of Bevy first.
impl RigidBody {
    /// Whether forces, impacts and contacts move the body.
    pub const fn is_dynamic(&self) -> bool {
        matches!(self, Self::Dynamic)
    }

    /// Whether the body moves with velocities that you set.
    pub const fn is_kinematic(&self) -> bool {
        matches!(self, Self::Kinematic)
    }

    /// Whether the body stands still.
    pub const fn is_static(&self) -> bool {
        matches!(self, Self::Static)
    }
}

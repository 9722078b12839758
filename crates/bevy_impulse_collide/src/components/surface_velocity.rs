//! The component of conveyor belts.

use bevy::prelude::*;

/// The surface of a static or kinematic body moves along itself with this velocity in m/s, in the body's own axes: a conveyor belt,
/// an escalator, a turntable seen from near by.
///
/// The body stays where it is. Friction drags what touches the surface. At each contact only the part of the velocity along the
/// surface counts, so the end face of a belt pushes nothing. The velocity turns with the body; the scale of its [`Transform`] does
/// not change it. It adds to the velocity of the body itself, if the body moves.
///
/// On a dynamic body it has no effect, and that is a [`BadInput`](crate::messages::BadInput). A velocity that is not finite counts
/// as zero. A body on a belt that moves it does not fall asleep; it wakes when the belt starts.
///
/// ```
/// use bevy::{prelude::*, time::TimeUpdateStrategy};
/// use bevy_impulse_collide::prelude::*;
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, ImpulseCollidePlugin { interpolate: false }))
///     .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// app.update(); // No time passes in the first update.
///
/// app.world_mut().spawn((Collider::cuboid(40.0, 0.2, 2.0), Friction(0.5), SurfaceVelocity(Vec3::X * 1.4)));
/// let ball = app
///     .world_mut()
///     .spawn((Particle::new(0.1), Friction(0.5), Transform::from_xyz(0.0, 0.2, 0.0)))
///     .id();
/// for _ in 0..60 {
///     app.update();
/// }
/// // It slides until it rolls, at 2/7 of the belt's speed.
/// let v = app.world().get::<LinearVelocity>(ball).unwrap();
/// assert!((v.x - 0.4).abs() < 1e-3);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct SurfaceVelocity(pub Vec3);

//! The component of bodies that never turn.

use bevy::prelude::*;

/// A ball or a capsule that never turns: every impulse, force and torque acts on it as if its inertia were infinite. It moves as
/// before, with its own mass.
///
/// Its [`AngularVelocity`](super::AngularVelocity) is zero: another value that you write is set to zero. You can still turn its
/// [`Transform`]. A character that stands upright is a capsule with this component.
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
/// app.world_mut().spawn(Plane::new(Vec3::Y));
/// // On its end, a capsule would fall over.
/// let leaning = Transform::from_xyz(0.0, 0.8, 0.0).with_rotation(Quat::from_rotation_z(0.2));
/// let stands = app
///     .world_mut()
///     .spawn((Capsule::new(0.3, 1.0), LockedRotation, leaning))
///     .id();
/// for _ in 0..60 {
///     app.update();
/// }
/// let rotation = app.world().get::<Transform>(stands).unwrap().rotation;
/// assert!(rotation.abs_diff_eq(leaning.rotation, 1e-6));
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct LockedRotation;

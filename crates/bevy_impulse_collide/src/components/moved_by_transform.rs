//! The component of kinematic bodies that follow their `Transform`.

use bevy::prelude::*;

use super::velocity::{AngularVelocity, LinearVelocity};

/// You move this body by its [`Transform`]: with an animation, a tween, a system of yours. The body gives its velocity to what it
/// touches: it pushes, hits, carries and drags as a [`RigidBody::Kinematic`](super::RigidBody) body does.
///
/// The pose in the `Transform` is the pose that the body reaches at the end of the coming fixed step. In the step it moves there
/// from the pose that it has reached before, with constant velocities: v = Δx/Δt and ω = Δφ/Δt, where Δφ is the shorter rotation.
/// It arrives exactly. The step never writes the `Transform`. It writes the velocities to [`LinearVelocity`] and
/// [`AngularVelocity`]; a value that you write there has no effect. When you do not move the body, they are zero.
///
/// The body is kinematic, whether its `RigidBody` is `Kinematic` or `Static`. On a `Dynamic` body the component has no effect, and
/// that is a [`BadInput`](crate::messages::BadInput). So a ball or a capsule needs `RigidBody::Kinematic` beside it.
///
/// - **Where to write.** Best in `FixedUpdate`: one pose for each step. A pose that you write in `Update` counts at the next fixed
///   step; two frames between steps make one move, and a step without a frame before it sees no move.
/// - **A jump.** Call [`jump`](Self::jump) when you write a pose that the body does not move to. The first pose of a new body is
///   always a jump.
/// - **The path.** The origin moves on a straight line, and the body turns about it. If your animation turns the body about
///   another point, at a distance d, the origin leaves its arc by up to d·Δφ²/8 inside a step.
///
/// ```
/// use bevy::{prelude::*, time::TimeUpdateStrategy};
/// use bevy_impulse_collide::prelude::*;
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, ImpulseCollidePlugin { interpolate: false }))
///     .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
///     .insert_resource(Time::<Fixed>::from_hz(60.0))
///     .insert_resource(Gravity::ZERO)
///     .add_systems(FixedUpdate, |mut doors: Query<&mut Transform, With<MovedByTransform>>| {
///         for mut door in &mut doors {
///             door.translation.x += 1.0 / 60.0;
///         }
///     });
/// app.update(); // No time passes in the first update.
///
/// let door = (Collider::cuboid(0.2, 2.0, 2.0), Restitution(1.0), MovedByTransform::default());
/// app.world_mut().spawn(door);
/// let ball = app
///     .world_mut()
///     .spawn((Particle::new(0.1), Restitution(1.0), Transform::from_xyz(0.5, 0.0, 0.0)))
///     .id();
/// for _ in 0..60 {
///     app.update();
/// }
/// // The door moves at 1 m/s and hits the ball, which leaves at twice that speed.
/// let v = app.world().get::<LinearVelocity>(ball).unwrap();
/// assert!(v.distance(Vec3::X * 2.0) < 1e-3);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
#[require(Transform, LinearVelocity, AngularVelocity)]
pub struct MovedByTransform {
    /// The pose at the end of the last step; `None` before the first step, and for a jump.
    pub(crate) reached: Option<(Vec3, Quat)>,
}

impl MovedByTransform {
    /// Lets the body jump to its [`Transform`] before the next step, without a velocity.
    pub fn jump(&mut self) {
        self.reached = None;
    }
}

//! The component of bodies that are made of several shapes.

use bevy::prelude::*;

use super::{
    acceleration::Acceleration,
    applied_forces::AppliedForces,
    force::GravityScale,
    mass::Mass,
    rigid_body::RigidBody,
    sleep::Sleep,
    velocity::{AngularVelocity, LinearVelocity},
};
use crate::kernel::InverseInertia;

/// A body that is made of the balls and capsules among its children.
///
/// Each [`Particle`](super::Particle) and [`Capsule`](super::Capsule) under it, at any depth, is a part: it has its own shape, place,
/// [`Mass`] or [`Density`](super::Density), material, layers and messages. Nothing else of it counts: the compound has the
/// velocities, the forces, and the kind of body. The parts do not collide with each other.
///
/// The step sets the compound's [`Mass`] to the sum of its parts'. The body turns about their common centre of mass, with their
/// inertia. Where parts overlap, the mass of both is there: with [`OverlapCountedOnce`](super::OverlapCountedOnce), the mass of one. An
/// [`Inertia`](super::Inertia) on the compound takes the place of theirs, about the centre of mass and in the compound's axes.
/// [`LinearVelocity`] is that of the centre of mass.
///
/// The step finds mass, centre and inertia: [`Forces`](super::Forces) knows them from the first step on.
///
/// Messages, contacts and queries name the part. [`CollisionEvents`](super::CollisionEvents) on the compound gives it the events of all
/// its parts. A uniform scale of the [`Transform`] scales it all.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn setup(mut commands: Commands) {
///     // A dumbbell.
///     commands.spawn((
///         Compound,
///         Transform::from_xyz(0.0, 3.0, 0.0),
///         children![
///             (Particle::new(0.3), Mass(5.0), Transform::from_xyz(-0.6, 0.0, 0.0)),
///             (Particle::new(0.3), Mass(5.0), Transform::from_xyz(0.6, 0.0, 0.0)),
///             (
///                 Capsule::new(0.05, 1.0),
///                 Transform::from_rotation(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2)),
///             ),
///         ],
///     ));
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
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
    Sleep,
    CompoundMass
)]
pub struct Compound;

/// What the last step has found of a compound's mass.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub(crate) struct CompoundMass {
    /// The centre of mass in the frame of the `Transform`, in world measures.
    pub centre: Vec3,
    pub inverse_inertia: InverseInertia,
}

impl Default for CompoundMass {
    /// Before the first step nothing is known.
    fn default() -> Self {
        Self {
            centre: Vec3::ZERO,
            inverse_inertia: InverseInertia::ZERO,
        }
    }
}

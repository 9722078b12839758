//! The components that a user spawns: the three shapes, and their mass, motion, material and forces.

mod acceleration;
#[macro_use]
mod all;
mod applied_forces;
mod body_order;
mod capsule;
mod center_of_mass;
mod collider;
#[cfg(feature = "serde")]
mod collider_serde;
mod collision_events;
mod collision_hooks;
mod compound;
mod damping;
mod force;
mod forces;
mod growth;
mod in_world;
mod inertia;
mod joint;
mod joint_drives;
mod layers;
mod locked_rotation;
mod mass;
mod material;
mod moved_by_transform;
mod overlap_counted_once;
mod particle;
mod pivot;
mod plane;
mod rigid_body;
mod sensor;
mod sleep;
mod surface_velocity;
mod velocity;

pub use bevy_impulse_collide_derive::PhysicsLayer;

pub use acceleration::Acceleration;
pub use applied_forces::AppliedForces;
pub use body_order::BodyOrder;
pub use capsule::Capsule;
pub use center_of_mass::CenterOfMass;
pub use collider::Collider;
pub use collision_events::CollisionEvents;
pub use collision_hooks::CollisionHooks;
pub use compound::Compound;
pub(crate) use compound::CompoundMass;
pub use damping::{AngularDamping, LinearDamping};
pub use force::{ExternalForce, ExternalTorque, GravityScale};
pub use forces::{Forces, ForcesItem, ForcesReadOnly, ForcesReadOnlyItem};
pub use growth::{Division, Growth, RodInertia};
pub use in_world::{InWorld, WorldBodies};
pub use inertia::Inertia;
pub(crate) use inertia::inverse_inertia;
pub(crate) use joint::axes_along;
pub use joint::{Joint, JointFrame, JointKind, JointPlace};
pub use joint_drives::{
    JointDamping, JointDisabled, JointForce, JointLimits, JointMotor, JointSpring, JointStrength,
    MotorTarget, SwingLimit,
};
pub use layers::{CollisionLayers, LayerMask, PhysicsLayer};
pub use locked_rotation::LockedRotation;
pub use mass::{Density, Mass};
pub use material::{CombineRule, Friction, Restitution, RollingFriction, SpinningFriction};
pub use moved_by_transform::MovedByTransform;
pub use overlap_counted_once::OverlapCountedOnce;
pub use particle::Particle;
pub use pivot::Pivot;
pub use plane::Plane;
pub use rigid_body::RigidBody;
pub use sensor::Sensor;
pub use sleep::{Sleep, SleepingDisabled};
pub use surface_velocity::SurfaceVelocity;
pub use velocity::{AngularVelocity, LinearVelocity};

//! The components of a body.

use bevy::{ecs::query::QueryData, prelude::*};

use super::placed_shape::ShapeData;
use crate::components::{
    AngularDamping, AngularVelocity, BodyOrder, CenterOfMass, CollisionHooks, CollisionLayers,
    Compound, Density, Division, ExternalForce, ExternalTorque, Friction, GravityScale, Growth,
    Inertia, LinearDamping, LinearVelocity, LockedRotation, Mass, MovedByTransform,
    OverlapCountedOnce, Pivot, Restitution, RigidBody, RodInertia, RollingFriction, Sensor, Sleep,
    SleepingDisabled, SpinningFriction, SurfaceVelocity,
};

#[derive(QueryData)]
pub(super) struct BodyData {
    pub entity: Entity,
    pub order: Option<&'static BodyOrder>,
    pub shape: ShapeData,
    pub is_compound: Has<Compound>,
    pub counts_overlap_once: Has<OverlapCountedOnce>,
    pub center_of_mass: Option<&'static CenterOfMass>,
    pub transform: &'static Transform,
    pub kind: Option<&'static RigidBody>,
    pub layers: Option<&'static CollisionLayers>,
    pub is_sensor: Has<Sensor>,
    pub has_hooks: Has<CollisionHooks>,
    pub mass: Option<&'static Mass>,
    pub density: Option<&'static Density>,
    pub velocity: Option<&'static LinearVelocity>,
    pub angular_velocity: Option<&'static AngularVelocity>,
    pub gravity_scale: Option<&'static GravityScale>,
    pub force: Option<Ref<'static, ExternalForce>>,
    pub torque: Option<Ref<'static, ExternalTorque>>,
    pub restitution: Option<&'static Restitution>,
    pub friction: Option<&'static Friction>,
    pub rolling_friction: Option<&'static RollingFriction>,
    pub spinning_friction: Option<&'static SpinningFriction>,
    pub growth: Option<&'static Growth>,
    pub division: Option<&'static Division>,
    pub linear_damping: Option<&'static LinearDamping>,
    pub angular_damping: Option<&'static AngularDamping>,
    pub has_rod_inertia: Has<RodInertia>,
    pub inertia: Option<&'static Inertia>,
    pub has_locked_rotation: Has<LockedRotation>,
    pub sleep: Option<&'static Sleep>,
    pub never_sleeps: Has<SleepingDisabled>,
    pub surface_velocity: Option<&'static SurfaceVelocity>,
    pub pivot: Option<&'static Pivot>,
    pub child_of: Option<&'static ChildOf>,
    pub moved: Option<&'static MovedByTransform>,
}

/// Whether someone has written to a component since the last step. That it came with its entity does not count.
pub(super) fn was_written<T: Component>(component: &Option<Ref<T>>) -> bool {
    (component.as_ref()).is_some_and(|it| it.is_changed() && it.last_changed() != it.added())
}

impl BodyDataItem<'_, '_> {
    /// Bodies are sorted by this key.
    pub fn key(&self) -> (u64, Entity) {
        (self.order.map_or(u64::MAX, |order| order.0), self.entity)
    }
}

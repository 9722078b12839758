//! Which bodies a query finds.

use bevy::{ecs::entity::EntityHashSet, prelude::*};

use super::body::Body;
use crate::components::{LayerMask, RigidBody};

/// Which bodies a [`SpatialQuery`](super::SpatialQuery) finds. Default: all but sensors.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn look_ahead(player: Single<(Entity, &Transform), With<Capsule>>, query: SpatialQuery) {
///     let (player, at) = *player;
///     let others = SpatialFilter::default().without([player]);
///     let ray = Ray3d::new(at.translation, at.forward());
///     if let Some(hit) = query.cast_ray(ray, 10.0, &others) {
///         info!("{} is {} m ahead", hit.entity, hit.distance);
///     }
/// }
/// # bevy::ecs::system::assert_is_system(look_ahead);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpatialFilter {
    /// These bodies are not found.
    pub excluded: EntityHashSet,
    /// The bodies in one of these layers are found.
    pub layers: LayerMask,
    /// Whether [`RigidBody::Dynamic`] bodies are found.
    pub finds_dynamic: bool,
    /// Whether [`RigidBody::Kinematic`] bodies are found.
    pub finds_kinematic: bool,
    /// Whether [`RigidBody::Static`] bodies are found.
    pub finds_static: bool,
    /// Whether [`Sensor`](crate::components::Sensor)s of these kinds are found.
    pub finds_sensors: bool,
}

impl Default for SpatialFilter {
    fn default() -> Self {
        Self::of([RigidBody::Dynamic, RigidBody::Kinematic, RigidBody::Static])
    }
}

impl SpatialFilter {
    /// Finds bodies of these kinds only.
    pub fn of(kinds: impl IntoIterator<Item = RigidBody>) -> Self {
        let mut filter = Self {
            excluded: EntityHashSet::default(),
            layers: LayerMask::ALL,
            finds_dynamic: false,
            finds_kinematic: false,
            finds_static: false,
            finds_sensors: false,
        };
        for kind in kinds {
            match kind {
                RigidBody::Dynamic => filter.finds_dynamic = true,
                RigidBody::Kinematic => filter.finds_kinematic = true,
                RigidBody::Static => filter.finds_static = true,
            }
        }
        filter
    }

    /// The same filter, but it does not find these bodies.
    pub fn without(mut self, entities: impl IntoIterator<Item = Entity>) -> Self {
        self.excluded.extend(entities);
        self
    }

    /// The same filter, but it finds sensors too.
    pub fn with_sensors(mut self) -> Self {
        self.finds_sensors = true;
        self
    }

    /// The same filter, but it finds bodies in these layers only.
    pub fn in_layers(mut self, layers: impl Into<LayerMask>) -> Self {
        self.layers = layers.into();
        self
    }

    /// Whether the filter lets a body through.
    pub(super) fn finds(&self, body: &Body) -> bool {
        let finds_kind = match body.kind {
            RigidBody::Dynamic => self.finds_dynamic,
            RigidBody::Kinematic => self.finds_kinematic,
            RigidBody::Static => self.finds_static,
        };
        finds_kind
            && (self.finds_sensors || !body.is_sensor)
            && self.layers.intersects(body.memberships)
            && !self.excluded.contains(&body.entity)
    }
}

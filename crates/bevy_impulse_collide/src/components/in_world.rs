//! The components of bodies that belong to a world of their own in the same app.

use bevy::prelude::*;

/// Puts a body or a joint into a world of its own, beside the app's: that of this entity. The app's physics leaves it alone.
///
/// The crate `bevy_impulse_worlds` steps such worlds: the entity has its `SubWorld`. If that entity is despawned, so are all that are
/// in its world.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[relationship(relationship_target = WorldBodies)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct InWorld(pub Entity);

/// All that is in the world of this entity. [`InWorld`] keeps it.
#[derive(Component, Reflect, Debug, Default, PartialEq, Eq)]
#[relationship_target(relationship = InWorld, linked_spawn)]
#[reflect(Component, Debug, Default, PartialEq)]
pub struct WorldBodies(Vec<Entity>);

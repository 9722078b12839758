//! When the bodies are next sorted in space.

use bevy::prelude::*;

/// Fewer bodies than this lie in the order of their entities: they fit in the caches in any order.
pub(crate) const SORTED_FROM: usize = 1024;

/// Record of the last sorting of the bodies in space.
#[derive(Reflect, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct SpaceOrder {
    /// Fixed steps since the order was last checked.
    pub steps: u32,
    /// Number of bodies at that time.
    pub sorted: usize,
}

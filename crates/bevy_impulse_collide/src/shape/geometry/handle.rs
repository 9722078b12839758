//! A collider's geometry, shared by all bodies that have it.

use std::sync::Arc;

use super::surface::Geometry;

/// The geometry of a collider, shared by all bodies that have it; none for other shapes. Two are equal if they are the same one.
#[derive(Clone, Debug, Default)]
pub struct SharedGeometry(pub Option<Arc<Geometry>>);

impl SharedGeometry {
    /// Of a body that is no collider.
    pub const NONE: Self = Self(None);

    /// The geometry, if the body is a collider.
    pub fn get(&self) -> Option<&Geometry> {
        self.0.as_deref()
    }
}

impl PartialEq for SharedGeometry {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        }
    }
}

//! Colliders in files: written and read as what they were made from.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::collider::Collider;
use crate::shape::geometry::saved::{load, save};

/// Writes the vertices, triangles, lines and solids.
impl Serialize for Collider {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        save(self.geometry(), self.problems(), serializer)
    }
}

/// Data that are not those of a surface are an error.
impl<'de> Deserialize<'de> for Collider {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (geometry, problems) = load(deserializer)?;
        Ok(Self::new(geometry, problems))
    }
}

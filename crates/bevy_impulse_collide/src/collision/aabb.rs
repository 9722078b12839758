//! Axis-aligned boxes.

use glam::Vec3A;

/// An axis-aligned box, in vectors that are compared in one go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Aabb {
    pub min: Vec3A,
    pub max: Vec3A,
}

impl Aabb {
    pub const EMPTY: Self = Self {
        min: Vec3A::INFINITY,
        max: Vec3A::NEG_INFINITY,
    };

    pub fn overlaps(&self, other: &Self) -> bool {
        (self.min.cmple(other.max) & other.min.cmple(self.max)).all()
    }

    pub fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    /// Distance of the boxes along each axis; below zero where they overlap.
    pub fn gap(&self, other: &Self) -> Vec3A {
        (self.min - other.max).max(other.min - self.max)
    }

    pub fn grown(&self, by: f32) -> Self {
        Self {
            min: self.min - by,
            max: self.max + by,
        }
    }

    pub fn sides(&self) -> Vec3A {
        self.max - self.min
    }

    pub fn centre(&self) -> Vec3A {
        0.5 * (self.min + self.max)
    }
}

//! The colliders that touch each other. At a seam the edge of one collider may be no edge for a body, as the other one covers it.

use glam::Vec3A;

/// The colliders whose boxes touch. A collider goes by its number in [`Bodies::colliders`](super::Bodies::colliders).
#[derive(Clone, Debug, Default)]
pub(crate) struct Seams {
    /// The box of each collider in world coordinates.
    pub boxes: Vec<SeamBox>,
    /// Pairs of static colliders, in both orders, sorted.
    pub still: Vec<(u32, u32)>,
    /// Pairs with a kinematic collider, in both orders, sorted.
    pub moving: Vec<(u32, u32)>,
}

/// A box that holds a collider in this substep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SeamBox {
    pub min: Vec3A,
    pub max: Vec3A,
    /// Whether the collider moves.
    pub is_moving: bool,
}

impl SeamBox {
    /// Whether a point is in the box, or nearer than `reach` on each axis.
    pub fn is_near(&self, x: Vec3A, reach: f32) -> bool {
        (x + reach).cmpge(self.min).all() && (x - reach).cmple(self.max).all()
    }

    pub fn overlaps(&self, other: &Self) -> bool {
        (self.min.cmple(other.max) & other.min.cmple(self.max)).all()
    }

    pub fn contains(&self, other: &Self) -> bool {
        (self.min.cmple(other.min) & other.max.cmple(self.max)).all()
    }
}

impl Seams {
    pub fn is_empty(&self) -> bool {
        self.still.is_empty() && self.moving.is_empty()
    }

    pub fn clear(&mut self) {
        self.boxes.clear();
        self.still.clear();
        self.moving.clear();
    }

    /// The colliders that touch collider number `k`.
    pub fn of(&self, k: u32) -> impl Iterator<Item = u32> {
        let slice = |pairs: &'_ [(u32, u32)]| {
            let start = pairs.partition_point(|pair| pair.0 < k);
            let count = pairs[start..].partition_point(|pair| pair.0 == k);
            start..start + count
        };
        let still = &self.still[slice(&self.still)];
        let moving = &self.moving[slice(&self.moving)];
        still.iter().chain(moving).map(|&(_, other)| other)
    }
}

//! A straight way through the boxes of a tree.

use glam::{DVec3, Vec3, Vec3A};

/// Largest reciprocal of a direction's coordinate. Zero times it is zero, so a way in the plane of a side is in the box.
const MAX_RECIPROCAL: f32 = 1e30;

/// Growth of the end of the way in a box, as a fraction: more than three roundings, so no box is missed. Source: T. Ize, Robust BVH
/// ray traversal (2013).
const ROUNDING: f32 = 4.0 * f32::EPSILON;

/// The way of a ball or a point along a line, and where it enters boxes: between the three pairs of planes of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxEntry {
    origin: Vec3A,
    reciprocal: Vec3A,
    half: Vec3A,
}

impl BoxEntry {
    /// The way of a box with these half sides in m, from an origin in a direction.
    pub fn new(origin: DVec3, direction: DVec3, half: Vec3) -> Self {
        let origin = origin.as_vec3a();
        let reciprocal = direction.as_vec3a().recip();
        Self {
            origin,
            reciprocal: reciprocal
                .clamp(Vec3A::splat(-MAX_RECIPROCAL), Vec3A::splat(MAX_RECIPROCAL)),
            half: Vec3A::from(half) + origin.abs() * f32::EPSILON,
        }
    }

    /// The distance in m at which the way enters the box between two corners, zero if it starts there; `f32::MAX` if it does not.
    #[inline]
    pub fn entry(&self, low: Vec3A, high: Vec3A) -> f32 {
        let (low, high) = (low - self.half, high + self.half);
        let (one, other) = (
            (low - self.origin) * self.reciprocal,
            (high - self.origin) * self.reciprocal,
        );
        let start = one.min(other).max_element();
        let end = one.max(other).min_element();
        if end >= 0.0 && start <= end * (1.0 + ROUNDING) {
            start.max(0.0)
        } else {
            f32::MAX
        }
    }
}

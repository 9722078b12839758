//! The point at which a round part (a ball, or the end of a capsule) is nearest to a plane or to another round part.

use glam::Vec3;

use super::contact_set::ManifoldPoint;
use crate::{
    kernel::{overlap_pair, overlap_plane},
    shape::Placed,
};

pub(super) fn round_on_plane(x: Vec3, radius: f32, plane: &Placed) -> ManifoldPoint {
    let normal = plane.axis;
    ManifoldPoint {
        point: x - normal * radius,
        normal,
        depth: overlap_plane(x - plane.x, normal, radius),
    }
}

/// `fallback` is the normal of concentric balls, which have no normal of their own.
pub(super) fn round_on_round(
    x_a: Vec3,
    r_a: f32,
    x_b: Vec3,
    r_b: f32,
    fallback: impl FnOnce() -> Vec3,
) -> ManifoldPoint {
    let x_ab = x_a - x_b;
    let depth = overlap_pair(x_ab, r_a, r_b);
    let normal = x_ab.try_normalize().unwrap_or_else(fallback);
    ManifoldPoint {
        point: x_b + normal * (r_b - 0.5 * depth),
        normal,
        depth,
    }
}

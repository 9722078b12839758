//! The points at which two capsules are nearest: one point, or two for parallel capsules.

use glam::Vec3;
use smallvec::smallvec;

use super::{contact_set::Manifold, round::round_on_round};
use crate::kernel::{closest_on_segment, closest_segment_points};

/// Two capsules within this sine of being parallel touch at two points.
pub(crate) const PARALLEL_SINE: f32 = 0.1;

pub(super) fn capsule_on_capsule(
    (x_a, half_a, r_a): (Vec3, Vec3, f32),
    (x_b, half_b, r_b): (Vec3, Vec3, f32),
    fallback: impl FnOnce() -> Vec3,
) -> Manifold {
    let (s, t) = closest_segment_points(x_a, half_a, x_b, half_b);
    let nearest = round_on_round(x_a + half_a * s, r_a, x_b + half_b * t, r_b, fallback);
    let aa = half_a.length_squared();
    let sine_squared = half_a.cross(half_b).length_squared();
    if aa == 0.0 || sine_squared > PARALLEL_SINE * PARALLEL_SINE * aa * half_b.length_squared() {
        return smallvec![nearest];
    }
    // The part of a that lies beside b, from the ends of b projected on a's axis.
    let r = x_b - x_a;
    let (end_1, end_2) = ((r - half_b).dot(half_a) / aa, (r + half_b).dot(half_a) / aa);
    let low = end_1.min(end_2).clamp(-1.0, 1.0);
    let high = end_1.max(end_2).clamp(-1.0, 1.0);
    if (high - low) * aa.sqrt() < 0.1 * (r_a + r_b) {
        return smallvec![nearest];
    }
    [low, high]
        .into_iter()
        .map(|s| {
            let on_a = x_a + half_a * s;
            round_on_round(
                on_a,
                r_a,
                closest_on_segment(on_a, x_b, half_b),
                r_b,
                || nearest.normal,
            )
        })
        .collect()
}

/// A unit vector across the axis of a capsule. For an axis in the x–y plane it is in that plane, so that a flat scene stays flat.
pub(crate) fn across(axis: Vec3) -> Vec3 {
    Vec3::Z.cross(axis).try_normalize().unwrap_or(Vec3::X)
}

//! Directions across a normal.

use bevy::prelude::*;

/// Two unit vectors, perpendicular to `n` and to each other. For a normal in the x–y plane, the first is exactly in that plane and
/// the second along z, so that a flat scene stays flat.
pub(super) fn tangents(n: Vec3) -> (Vec3, Vec3) {
    let helper = if n.z.abs() < 0.7 { Vec3::Z } else { Vec3::X };
    let s = (helper - n * n.dot(helper)).normalize();
    (s.cross(n), s)
}

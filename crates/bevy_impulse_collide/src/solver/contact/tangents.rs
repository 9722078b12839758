//! Directions across a normal.

use bevy::prelude::*;

/// Two unit vectors across `n` and each other. For a normal in the x–y plane one is in it and one along z, exactly, so that a
/// flat scene stays flat.
pub(super) fn tangents(n: Vec3) -> (Vec3, Vec3) {
    let helper = if n.z.abs() < 0.7 { Vec3::Z } else { Vec3::X };
    let s = (helper - n * n.dot(helper)).normalize();
    (s.cross(n), s)
}

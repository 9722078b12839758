//! A capsule: a cylinder with a half-ball on each end.

use std::f32::consts::PI;

use crate::kernel::InverseInertia;

/// Distance in m from the centre to the farthest point.
pub(super) fn bounding_radius(radius: f32, half_length: f32) -> f32 {
    radius + half_length
}

/// I⁻¹ of a solid capsule of `mass` kg, or of a rod as long as the capsule is over all.
pub(super) fn inverse_inertia(
    mass: f32,
    radius: f32,
    half_length: f32,
    is_rod: bool,
) -> InverseInertia {
    if is_rod {
        InverseInertia::rod(mass, radius, 2.0 * (half_length + radius))
    } else {
        InverseInertia::capsule(mass, radius, 2.0 * half_length)
    }
}

/// π·r²·(L + 4/3·r), in m³, with L the length of the cylinder.
pub(crate) fn volume(radius: f32, length: f32) -> f32 {
    PI * radius * radius * (length + 4.0 / 3.0 * radius)
}

//! A ball.

use std::f32::consts::PI;

use crate::kernel::InverseInertia;

/// I⁻¹ of a solid sphere of `mass` kg.
pub(super) fn inverse_inertia(mass: f32, radius: f32) -> InverseInertia {
    InverseInertia::sphere(mass, radius)
}

/// 4/3·π·r³, in m³.
pub(crate) fn volume(radius: f32) -> f32 {
    4.0 / 3.0 * PI * (radius * radius * radius)
}

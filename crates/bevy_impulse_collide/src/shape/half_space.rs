//! A half-space: everything below a plane.

use crate::kernel::InverseInertia;

/// A plane has no round part.
pub(super) const RADIUS: f32 = 0.0;

/// No ball holds a half-space.
pub(super) const BOUNDING_RADIUS: f32 = f32::INFINITY;

/// No impulse turns a half-space.
pub(super) const INVERSE_INERTIA: InverseInertia = InverseInertia::ZERO;

//! Arrows of any length.

use bevy::prelude::*;

use super::ImpulseGizmos;

/// An arrow beside a body of `radius`, with a head in proportion to both. Too short a one is left out.
pub(super) fn arrow(
    gizmos: &mut Gizmos<ImpulseGizmos>,
    start: Vec3,
    vector: Vec3,
    radius: f32,
    color: Color,
) {
    let length = vector.length();
    if length > 0.05 * radius {
        gizmos
            .arrow(start, start + vector, color)
            .with_tip_length((0.3 * length).min(0.4 * radius));
    }
}

//! The walls against which the colony grows.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::options::{ColonyOptions, Walls};

/// Area in m² that a cell takes up in a colony, on average over cells of all ages.
const CELL_AREA: f32 = 3.1;

/// Half of the widths in metres between walls that face along X and along Y; infinite where there are none.
pub(super) fn half_widths(options: &ColonyOptions) -> Vec2 {
    // Of a square with the area of the whole colony.
    let half = 0.5 * (CELL_AREA * options.cells as f32).sqrt();
    // A wall should not be nearer than the first cell.
    let wide = |half: f32| half.max(4.0);
    match options.walls {
        Walls::None => Vec2::INFINITY,
        Walls::Box => Vec2::splat(wide(1.1f32.sqrt() * half)),
        Walls::Channel => Vec2::new(f32::INFINITY, wide(0.5 * half)),
    }
}

/// The half-spaces around the colony.
pub(super) fn planes(options: &ColonyOptions) -> impl Iterator<Item = (Plane, Transform)> {
    let half = half_widths(options);
    [(Vec3::X, half.x), (Vec3::Y, half.y)]
        .into_iter()
        .filter(|(_, half)| half.is_finite())
        .flat_map(|(axis, half)| [(axis, half), (-axis, half)])
        .map(|(out, half)| (Plane::new(-out), Transform::from_translation(half * out)))
}

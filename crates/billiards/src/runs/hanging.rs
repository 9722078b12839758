//! Whether balls lie on the cloth, and in nothing else.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use crate::{rules::Ball, table::bed::Table};

/// A ball that lies on the cloth is no higher or lower than it should be by more than this, in m.
const LYING: f32 = 1e-4;
/// Overlap, over the smaller radius, beyond which a ball hangs in another or in a cushion.
const HANGING: f64 = 0.01;

/// Whether a ball is above or below the cloth, or in another ball or a cushion.
pub(super) fn some_ball_hangs(world: &mut World) -> Result<bool, String> {
    let radius = world.resource::<Table>().spec.ball.radius;
    let mut balls = world.query_filtered::<&Transform, (With<Ball>, With<Particle>)>();
    let lie = balls
        .iter(world)
        .all(|ball| (ball.translation.y - radius).abs() < LYING);
    let measured = world
        .run_system_cached(|measure: Measure| measure.measure())
        .map_err(|problem| format!("cannot measure the world: {problem}"))?;
    Ok(!lie || measured.overlap_max > HANGING)
}

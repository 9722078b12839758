//! Scatters anew.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{history::History, sky};
use crate::planet::cloud::scatter;

/// Takes the balls away and scatters new ones.
pub(super) fn refill(
    mut commands: Commands,
    balls: Query<Entity, With<Particle>>,
    mut history: ResMut<History>,
) {
    *history = default();
    for ball in &balls {
        commands.entity(ball).despawn();
    }
    commands.run_system_cached(scatter);
    commands.run_system_cached(sky::frame_cloud);
}

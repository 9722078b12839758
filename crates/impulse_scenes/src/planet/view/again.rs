//! Scatters anew.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use crate::{
    gathering::view::{history::History, sky},
    planet::{cloud::scatter, options::PlanetOptions},
};

/// Takes the balls away and scatters new ones.
pub(super) fn refill(
    mut commands: Commands,
    balls: Query<Entity, With<Particle>>,
    options: Res<PlanetOptions>,
    mut history: ResMut<History>,
) {
    *history = default();
    commands.insert_resource(options.cloud_size());
    for ball in &balls {
        commands.entity(ball).despawn();
    }
    commands.run_system_cached(scatter);
    commands.run_system_cached(sky::frame_cloud);
}

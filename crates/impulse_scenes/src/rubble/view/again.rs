//! Scatters anew.

use bevy::prelude::*;

use crate::{
    gathering::view::{history::History, sky},
    rubble::{boulder::Boulder, cloud::scatter, options::RubbleOptions},
};

/// Takes the boulders away and scatters new ones.
pub(super) fn refill(
    mut commands: Commands,
    boulders: Query<Entity, With<Boulder>>,
    options: Res<RubbleOptions>,
    mut history: ResMut<History>,
) {
    *history = default();
    commands.insert_resource(options.cloud_size());
    for boulder in &boulders {
        commands.entity(boulder).despawn();
    }
    commands.run_system_cached(scatter);
    commands.run_system_cached(sky::frame_cloud);
}

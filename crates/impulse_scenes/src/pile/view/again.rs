//! Pours anew.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use crate::pile::{options::PileOptions, pour::set_up};

/// Takes all away and pours anew.
pub(super) fn empty(
    mut commands: Commands,
    bodies: Query<Entity, Or<(With<Particle>, With<Plane>, With<Capsule>)>>,
) {
    for body in &bodies {
        commands.entity(body).despawn();
    }
    commands.queue(set_up);
}

pub(super) fn next_vessel(mut commands: Commands, mut options: ResMut<PileOptions>) {
    options.drum ^= true;
    commands.run_system_cached(empty);
}

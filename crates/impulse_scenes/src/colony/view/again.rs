//! Grows another colony.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::RunOptions;

use super::stage;
use crate::colony::{
    cell::Cell,
    founding::found,
    options::{ColonyOptions, Walls},
};

/// Takes the colony away and lets another one grow.
pub(super) fn regrow(
    mut commands: Commands,
    mut run: ResMut<RunOptions>,
    mut control: ResMut<StepControl>,
    bodies: Query<Entity, Or<(With<Cell>, With<Plane>)>>,
) {
    for body in &bodies {
        commands.entity(body).despawn();
    }
    run.seed = run.seed.wrapping_add(1);
    control.paused = false;
    commands.run_system_cached(found);
    commands.run_system_cached(stage::follow_again);
}

pub(super) fn next_walls(mut commands: Commands, mut options: ResMut<ColonyOptions>) {
    options.walls = match options.walls {
        Walls::None => Walls::Box,
        Walls::Box => Walls::Channel,
        Walls::Channel => Walls::None,
    };
    commands.run_system_cached(regrow);
}

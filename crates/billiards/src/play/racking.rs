//! Sets the balls up.

use bevy::prelude::*;

use super::state::Game;
use crate::{
    rules::Ball,
    table::{
        balls,
        bed::{Table, TablePart, spawn_table},
        spec::TableKind,
    },
};

/// Spawns the balls as they stand before the break.
pub(super) fn spawn_balls(mut commands: Commands, table: Res<Table>, game: Res<Game>) {
    balls::spawn_balls(&mut commands, &table, game.rack, game.gaps());
}

/// Plays on a table of this kind from now on. It is racked next.
pub(super) fn change_table(world: &mut World, kind: TableKind) {
    if world.resource::<Table>().spec == kind.spec() {
        return;
    }
    let mut parts = world.query_filtered::<Entity, With<TablePart>>();
    for part in parts.iter(world).collect::<Vec<_>>() {
        world.despawn(part);
    }
    world.insert_resource(Table::new(kind.spec()));
    if let Err(problem) = world.run_system_cached(spawn_table) {
        error!("cannot change the table: {problem}");
    }
}

/// Sets all balls up anew.
pub(super) fn rack_balls(world: &mut World) {
    world.resource_mut::<Game>().racks += 1;
    let mut balls = world.query_filtered::<Entity, With<Ball>>();
    for ball in balls.iter(world).collect::<Vec<_>>() {
        world.despawn(ball);
    }
    if let Err(problem) = world.run_system_cached(spawn_balls) {
        error!("cannot rack the balls: {problem}");
    }
    let mut game = world.resource_mut::<Game>();
    *game = Game {
        rack: game.rack,
        template: game.template,
        racks: game.racks,
        ..default()
    };
}

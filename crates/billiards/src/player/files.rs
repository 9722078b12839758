//! Shots that a player saves and opens.

use std::path::Path;

use bevy::{input::common_conditions::input_just_pressed, prelude::*};
use scene_kit::window::keys_are_free;

use super::menu::Menu;
use crate::{
    net::link::Link,
    play::{
        sheet::Sheet,
        state::{Game, Phase},
    },
};

/// Saves shots on a key, and opens shot files that are dropped on the window.
pub(super) struct FilesPlugin;

impl Plugin for FilesPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            Update,
            (
                save.run_if(input_just_pressed(KeyCode::F5))
                    .run_if(keys_are_free),
                // Over the network, both tables must be the same.
                open_dropped.run_if(not(resource_exists::<Link>)),
            ),
        );
    }
}

fn save(world: &mut World) {
    let Some(sheet) = Sheet::of(world) else {
        return;
    };
    let free = (1..)
        .map(|number| format!("shot-{number}.json"))
        .find(|name| !Path::new(name).exists());
    let Some(name) = free else {
        return;
    };
    let note = match sheet.write(Path::new(&name)) {
        Ok(()) => format!("Saved as {name}. --shot {name} opens it, or drop it on the window."),
        Err(problem) => format!("Not saved: {problem}"),
    };
    world.resource_mut::<Game>().note = note;
}

fn open_dropped(world: &mut World) {
    let dropped: Vec<FileDragAndDrop> = world
        .resource_mut::<Messages<FileDragAndDrop>>()
        .drain()
        .collect();
    for file in dropped {
        let FileDragAndDrop::DroppedFile { path_buf, .. } = file else {
            continue;
        };
        if world.resource::<Game>().phase == Phase::Aim {
            match Sheet::read(&path_buf) {
                Ok(sheet) => open_in_window(world, &sheet),
                Err(problem) => world.resource_mut::<Game>().note = problem,
            }
        }
    }
}

/// Opens a shot for a player to look at, and to play or change.
pub(crate) fn open_in_window(world: &mut World, sheet: &Sheet) {
    sheet.open(world);
    world.resource_mut::<Menu>().open = false;
    world.resource_mut::<Game>().note =
        "A saved shot: Enter plays it as it was, or shoot another way.".to_owned();
}

//! Shots that a player saves and opens.

#[cfg(not(target_arch = "wasm32"))]
mod disk;
#[cfg(target_arch = "wasm32")]
mod page;

use bevy::{input::common_conditions::input_just_pressed, prelude::*};
use scene_kit::window::keys_are_free;

#[cfg(not(target_arch = "wasm32"))]
use self::disk as place;
#[cfg(target_arch = "wasm32")]
use self::page as place;
pub(crate) use self::place::named;
#[cfg(test)]
pub(crate) use self::place::{read_shelf, save_in};
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
        app.init_resource::<Shelf>().add_systems(
            Update,
            (
                // Other programs put files there too.
                fill.run_if(resource_changed::<Menu>),
                save.run_if(input_just_pressed(KeyCode::F5))
                    .run_if(keys_are_free),
                // Over the network, both tables must be the same.
                open_dropped.run_if(not(resource_exists::<Link>)),
            ),
        );
    }
}

/// A saved shot.
#[derive(Clone, Debug)]
pub struct SavedShot {
    /// Its name: that of its file, without the ending.
    pub name: String,
    /// The shot.
    pub sheet: Sheet,
}

/// The saved shots, the newest first.
#[derive(Resource, Default, Debug)]
pub struct Shelf {
    /// Those that can be read.
    pub shots: Vec<SavedShot>,
}

fn fill(mut shelf: ResMut<Shelf>, menu: Res<Menu>, mut was_open: Local<bool>) {
    if std::mem::replace(&mut *was_open, menu.open) != menu.open && menu.open {
        shelf.shots = place::saved();
    }
}

fn save(world: &mut World) {
    if let Some(sheet) = Sheet::of(world) {
        world.resource_mut::<Game>().note = match place::save(&sheet) {
            Ok(how) => format!("Saved: {how}"),
            Err(problem) => format!("Not saved: {problem}"),
        };
    }
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

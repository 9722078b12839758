//! Shots that a player saves and opens.

use std::{
    fs,
    path::{Path, PathBuf},
};

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

/// A shot in the folder of saved shots.
#[derive(Clone, Debug)]
pub struct SavedShot {
    /// The name of its file, without the ending.
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

/// The folder of saved shots: where the system wants a program's data. Where it has no such place, the current folder.
fn folder() -> PathBuf {
    dirs::data_dir().map_or_else(PathBuf::new, |data| {
        data.join("bevy_impulse_collide").join("shots")
    })
}

/// Reads the shots in `folder`. Files that are no shots are left alone.
pub(crate) fn read_shelf(folder: &Path) -> Vec<SavedShot> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut shots: Vec<_> = files
        .filter_map(|file| {
            let path = file.path();
            let name = path.file_stem()?.to_str()?.to_owned();
            let is_json = path.extension().is_some_and(|ending| ending == "json");
            let sheet = is_json.then(|| Sheet::read(&path))?.ok()?;
            let saved = file.metadata().and_then(|about| about.modified()).ok();
            Some((saved, SavedShot { name, sheet }))
        })
        .collect();
    shots.sort_by(|(a, one), (b, other)| b.cmp(a).then_with(|| one.name.cmp(&other.name)));
    shots.into_iter().map(|(_, shot)| shot).collect()
}

fn fill(mut shelf: ResMut<Shelf>, menu: Res<Menu>, mut was_open: Local<bool>) {
    if std::mem::replace(&mut *was_open, menu.open) != menu.open && menu.open {
        shelf.shots = read_shelf(&folder());
    }
}

fn save(world: &mut World) {
    if let Some(sheet) = Sheet::of(world) {
        world.resource_mut::<Game>().note = match save_in(&folder(), &sheet) {
            Ok(path) => format!(
                "Saved: the menu (M) opens it, and so does --shot {}",
                path.display()
            ),
            Err(problem) => format!("Not saved: {problem}"),
        };
    }
}

/// Writes a new file in `folder`.
pub(crate) fn save_in(folder: &Path, sheet: &Sheet) -> Result<PathBuf, String> {
    if !folder.as_os_str().is_empty() {
        let failed = |problem| format!("{}: {problem}", folder.display());
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let free = (1..)
        .map(|number| folder.join(format!("shot-{number}.json")))
        .find(|path| !path.exists());
    let path = free.ok_or("too many shots")?;
    sheet.write(&path).map(|()| path)
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

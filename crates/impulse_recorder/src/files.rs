//! Recordings as files: on a key, and when a value cannot be used.

use std::path::{Path, PathBuf};

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use crate::{
    recorder::{Recorder, recording_of},
    recording::Recording,
    text::RecordingError,
};

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, write_on_key);
}

/// The file that the recorder has written last.
#[derive(Resource, Clone, Debug)]
pub struct LastRecording(pub PathBuf);

impl Recording {
    /// Writes a new file into a folder: `recording-1.txt`, or the next number that is free. Returns its path.
    pub fn write_in(&self, folder: &Path) -> Result<PathBuf, RecordingError> {
        let text = self.to_text()?;
        if !folder.as_os_str().is_empty() {
            let failed = |error| RecordingError::File(folder.to_owned(), error);
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut number = 1;
        loop {
            let path = folder.join(format!("recording-{number}.txt"));
            // It never writes over a file, not even over that of another process.
            match std::fs::File::create_new(&path) {
                Ok(mut file) => {
                    let written = std::io::Write::write_all(&mut file, text.as_bytes());
                    return match written {
                        Ok(()) => Ok(path),
                        Err(error) => Err(RecordingError::File(path, error)),
                    };
                }
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(RecordingError::File(path, error)),
            }
        }
    }
}

/// Writes the last seconds of the world to a file in the recorder's folder, and logs where it lies. The resource [`LastRecording`]
/// names it too.
pub fn write_recording(world: &mut World, why: &str) {
    let Some(recording) = recording_of(world, why) else {
        warn!("there is nothing to record yet: the physics has made no step");
        return;
    };
    let folder = world.resource::<Recorder>().settings.folder.clone();
    match recording.write_in(&folder) {
        Ok(path) => {
            let path = std::path::absolute(&path).unwrap_or(path);
            info!(
                "recorded {:.1} s to {} ({why}). Play it: cargo run --example replay -- \"{}\"",
                recording.seconds(),
                path.display(),
                path.display()
            );
            world.insert_resource(LastRecording(path));
        }
        Err(error) => error!("the recording is not written: {error}"),
    }
}

/// The key asks for a file after the next step: then the transforms are the true ones. A paused world writes it at once.
fn write_on_key(world: &mut World) {
    let key = world.resource::<Recorder>().settings.key;
    let keys = world.get_resource::<ButtonInput<KeyCode>>();
    let (Some(key), Some(keys)) = (key, keys) else {
        return;
    };
    if !keys.just_pressed(key) {
        return;
    }
    let why = format!("{key:?}");
    let is_paused = world
        .get_resource::<StepControl>()
        .is_some_and(|control| control.paused);
    if is_paused {
        write_recording(world, &why);
    } else {
        world.resource_mut::<Recorder>().wanted = Some(why);
    }
}

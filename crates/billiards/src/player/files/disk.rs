//! Saved shots as files in a folder.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::SavedShot;
use crate::play::sheet::Sheet;

/// The folder of saved shots: where the system wants a program's data. Where it has no such place, the current folder.
fn folder() -> PathBuf {
    dirs::data_dir().map_or_else(PathBuf::new, |data| {
        data.join("bevy_impulse_collide").join("shots")
    })
}

/// All saved shots that can be read, the newest first.
pub(super) fn saved() -> Vec<SavedShot> {
    read_shelf(&folder())
}

/// Saves a shot. Returns how to open it again.
pub(super) fn save(sheet: &Sheet) -> Result<String, String> {
    let path = save_in(&folder(), sheet)?;
    Ok(format!(
        "the menu (M) opens it, and so does --shot {}",
        path.display()
    ))
}

/// The shot that `--shot` names.
pub(crate) fn named(file: &Path) -> Result<Sheet, String> {
    Sheet::read(file)
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

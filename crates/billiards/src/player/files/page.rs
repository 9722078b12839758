//! Saved shots on the page of a browser: each is a text in the browser's local storage, and the address of the page may carry one. The
//! text is that of a shot's file; in the address it is written as base64.

use std::path::Path;

use wasm_bindgen::JsValue;
use web_sys::{Storage, Window, window};

use super::SavedShot;
use crate::play::sheet::Sheet;

/// Saved shots are called so, with a number.
const NAME: &str = "shot-";

fn problem(of: JsValue) -> String {
    format!("the browser does not allow it: {of:?}")
}

fn this_window() -> Result<Window, String> {
    window().ok_or_else(|| "there is no page".to_owned())
}

fn storage() -> Result<Storage, String> {
    let storage = this_window()?.local_storage().map_err(problem)?;
    storage.ok_or_else(|| "the browser has no local storage".to_owned())
}

/// The numbers of the saved shots, the newest first.
fn numbers(storage: &Storage) -> Vec<u32> {
    let keys = (0..storage.length().unwrap_or(0)).filter_map(|at| storage.key(at).ok().flatten());
    let mut numbers: Vec<u32> = keys
        .filter_map(|key| key.strip_prefix(NAME)?.parse().ok())
        .collect();
    numbers.sort_by(|a, b| b.cmp(a));
    numbers
}

/// All saved shots that can be read, the newest first.
pub(super) fn saved() -> Vec<SavedShot> {
    let Ok(storage) = storage() else {
        return Vec::new();
    };
    let read = |number| {
        let name = format!("{NAME}{number}");
        let text = storage.get_item(&name).ok().flatten()?;
        let sheet = Sheet::parse(&text).ok()?;
        Some(SavedShot { name, sheet })
    };
    numbers(&storage).into_iter().filter_map(read).collect()
}

/// Saves a shot, and writes it into the address of the page. Returns how to open it again.
pub(super) fn save(sheet: &Sheet) -> Result<String, String> {
    let text = sheet.text()?;
    let storage = storage()?;
    let number = numbers(&storage).first().map_or(1, |newest| newest + 1);
    storage
        .set_item(&format!("{NAME}{number}"), &text)
        .map_err(problem)?;
    let window = this_window()?;
    let link = format!("#shot={}", window.btoa(&text).map_err(problem)?);
    // Not `set_hash`: that would tell the page of another address, and it would load that.
    let history = window.history().map_err(problem)?;
    history
        .replace_state_with_url(&JsValue::NULL, "", Some(&link))
        .map_err(problem)?;
    Ok("the menu (M) opens it, and so does this page's address".to_owned())
}

/// The shot that the address carries.
pub(crate) fn named(text: &Path) -> Result<Sheet, String> {
    let text = text.to_str().unwrap_or_default();
    let text = this_window()?.atob(text).map_err(problem)?;
    Sheet::parse(&text).map_err(|problem| format!("the shot in the address: {problem}"))
}

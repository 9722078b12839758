//! Every scene in one program for a page: the address says which one runs, and with which options.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen::prelude::*;

/// The browser calls it as soon as the program is loaded.
#[wasm_bindgen(start)]
fn start() {
    console_error_panic_hook::set_once();
    let arguments = scene_kit::console::arguments();
    let name = arguments.first().map_or("", String::as_str);
    match gallery::scenes::find(name) {
        // A scene with a window goes on after this: the browser asks for its frames.
        Some(scene) => scene.run(),
        None => wasm_bindgen::throw_str(&format!("there is no scene {name:?}")),
    };
}

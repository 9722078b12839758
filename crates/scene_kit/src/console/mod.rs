//! Where a scene is started and where it answers: a terminal, or the page of a browser.

#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(not(target_arch = "wasm32"))]
mod terminal;

use std::sync::OnceLock;

#[cfg(target_arch = "wasm32")]
pub use self::page::{arguments, exit_with, output, tell_error};
#[cfg(not(target_arch = "wasm32"))]
pub use self::terminal::{arguments, exit_with, output, tell_error};

static SCENE: OnceLock<&str> = OnceLock::new();

/// Says which scene runs, in a program that holds many: its name is a word of the command line, and its options follow.
pub fn choose_scene(name: &'static str) {
    // A process runs one scene.
    let _ = SCENE.set(name);
}

/// The scene that runs, in a program that holds many.
pub fn scene() -> Option<&'static str> {
    SCENE.get().copied()
}

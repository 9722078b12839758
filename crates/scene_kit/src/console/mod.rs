//! Where a scene is started and where it answers: a terminal, or the page of a browser.

#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(not(target_arch = "wasm32"))]
mod terminal;

#[cfg(target_arch = "wasm32")]
pub use self::page::{arguments, exit_with, output, tell_error};
#[cfg(not(target_arch = "wasm32"))]
pub use self::terminal::{arguments, exit_with, output, tell_error};

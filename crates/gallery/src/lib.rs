//! All scenes in one program: their list, and the gallery, from whose window a click opens each.
//!
//! - [`scenes`]: the list, for the gallery and for the pages of `web/`.
//! - `line`: the command line of the gallery.
//! - `window`: the gallery's window.
//! - `visit`: a scene that is open, in a process of its own.
//! - `shooting`: takes the scenes' pictures and the README's films anew.

pub mod scenes;

#[cfg(not(target_arch = "wasm32"))]
mod line;
#[cfg(not(target_arch = "wasm32"))]
mod shooting;
#[cfg(not(target_arch = "wasm32"))]
mod visit;
#[cfg(not(target_arch = "wasm32"))]
mod window;

#[cfg(not(target_arch = "wasm32"))]
pub use line::main;

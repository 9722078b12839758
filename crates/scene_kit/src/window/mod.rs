//! The window of a scene: a camera to fly, light, coloured meshes for its bodies, shared keys and on-screen help.
//!
//! - [`camera`]: [`OrbitCamera`], which circles a point
//! - [`fit`]: the view fits into the part of the window that no text and no panel covers
//! - [`light`]: the [`sun`]
//! - [`bodies`]: [`BodyMesh`] and [`BodyColor`], which dress a body
//! - [`keys`]: the keys of every scene, and when a scene may read its own
//! - `page`: the page of a browser has buttons for the keys
//! - [`texts`]: [`KeyHelp`], [`StatusLine`] and the sign that the world is paused

pub mod bodies;
pub mod camera;
pub mod fit;
pub mod keys;
pub mod light;
pub mod pad;
#[cfg(target_arch = "wasm32")]
mod page;
pub mod scale;
pub mod texts;

use bevy::prelude::*;
pub use bevy_impulse_overlay::DragSettings;

pub use self::{
    bodies::{BodyColor, BodyMesh},
    camera::OrbitCamera,
    fit::BesideInspector,
    keys::{keys_are_free, pointer_is_free},
    light::sun,
    pad::PadKeys,
    texts::{KeyHelp, StatusLine},
};

/// Everything in this module. [`scene_app`](crate::scene_app) adds it to an app that has a window.
pub struct WindowedScenePlugin;

impl Plugin for WindowedScenePlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((
            texts::plugin,
            keys::plugin,
            camera::plugin,
            fit::plugin,
            bodies::plugin,
            pad::plugin,
            scale::plugin,
            crate::pace::keep_up,
        ));
        #[cfg(target_arch = "wasm32")]
        app.add_plugins(page::plugin);
    }
}

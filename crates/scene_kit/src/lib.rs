//! What the example scenes share, so that each example reads as a short document of its own.
//!
//! A scene is a Bevy [`Plugin`](bevy::app::Plugin); its `main` is four lines:
//!
//! ```no_run
//! use bevy::prelude::*;
//! use clap::Parser;
//! use impulse_demo::{RunOptions, run_scene, scene_app};
//!
//! #[derive(Parser)]
//! struct Options {
//!     #[command(flatten)]
//!     run: RunOptions,
//! }
//!
//! fn main() -> AppExit {
//!     let options = Options::parse().run.or_hz(100.0);
//!     let mut app = scene_app("A ball", &options);
//!     app.add_systems(Startup, |mut commands: Commands| {
//!         commands.spawn(bevy_impulse_collide::prelude::Particle::new(0.5));
//!     });
//!     run_scene(app, "ball", &options, |_world| ())
//! }
//! ```
//!
//! - [`options`]: the command line every scene understands: `--headless`, `--seconds`, `--hz`, `--seed`, `--report`.
//! - [`headless`]: the [`App`](bevy::app::App) of a scene, with a window or without one, and how it runs.
//! - [`report`]: what a headless run measures, as JSON.
//! - [`window`]: camera, light, colours, keys and on-screen help, for scenes that are watched.
//! - [`billiards`], [`bounce`], [`colony`], [`cradle`], [`gas`], [`pi`], [`pile`] and [`planet`]: the scenes themselves.

pub mod billiards;
pub mod bounce;
pub mod colony;
mod color;
pub mod cradle;
pub mod gas;
pub mod headless;
mod number;
pub mod options;
mod pace;
mod panel;
pub mod pi;
pub mod pile;
pub mod planet;
mod press;
pub mod report;
pub mod window;

pub use headless::{Windowed, has_window, run_scene, scene_app};
pub use options::RunOptions;
pub use window::{BodyColor, BodyMesh, KeyHelp, OrbitCamera, StatusLine, sun};

//! The kit of the example scenes: each scene adds its own world, so that it reads as a short document of its own.
//!
//! A scene is a Bevy [`Plugin`](bevy::app::Plugin); its `main` is four lines:
//!
//! ```no_run
//! use bevy::prelude::*;
//! use clap::Parser;
//! use scene_kit::{RunOptions, run_scene, scene_app};
//!
//! #[derive(Parser)]
//! struct Options {
//!     #[command(flatten)]
//!     run: RunOptions,
//! }
//!
//! fn main() -> AppExit {
//!     let Options { run } = scene_kit::parse();
//!     let options = run.or_hz(100.0);
//!     let mut app = scene_app("A ball", &options);
//!     app.add_systems(Startup, |mut commands: Commands| {
//!         commands.spawn(bevy_impulse_collide::prelude::Particle::new(0.5));
//!     });
//!     run_scene(app, "ball", &options, |_world| ())
//! }
//! ```
//!
//! For every scene:
//!
//! - [`options`]: the command line that every scene understands: `--headless`, `--seconds`, `--hz`, `--seed`, `--report`,
//!   `--threads`.
//! - [`child`]: the same program once more.
//! - [`console`]: where a scene is started and where it answers: a terminal, or the page of a browser.
//! - [`number`]: checked numbers for a scene's own options.
//! - [`app`]: the [`App`](bevy::app::App) of a scene, with a window or without one.
//! - [`headless`]: how a scene runs, and a progress bar.
//! - [`report`]: the measurements of a headless run, as JSON.
//! - [`sweep`]: thousands of headless runs, and their table.
//!
//! For a scene in a window:
//!
//! - [`window`]: camera, light, coloured bodies, keys and on-screen help.
//! - [`film`]: films of the window, and pictures.
//! - [`way_back`]: the way back to the gallery, if the scene was opened there.
//! - [`panel`]: panels with controls and figures.
//! - [`frames`]: long work beside the frames of a window.
//! - [`color`]: colours that stand for amounts.
//! - [`picture`](mod@picture): textures, and cube maps of its surroundings.
//! - [`pace`]: how fast the physics is, and how well it keeps bodies apart.
//! - [`press`](mod@press): how hard its neighbours press a ball.
//! - `sound`: sounds made of tones; with the feature `sound`.

pub mod app;
pub mod child;
pub mod color;
pub mod console;
pub mod film;
pub mod frames;
pub mod headless;
pub mod number;
pub mod options;
pub mod pace;
pub mod panel;
pub mod picture;
pub mod press;
pub mod report;
#[cfg(feature = "sound")]
pub mod sound;
pub mod sweep;
pub mod way_back;
pub mod window;

pub use app::{Windowed, has_window, scene_app};
pub use headless::{PotentialEnergy, run_scene};
pub use options::RunOptions;
pub use sweep::parse;

/// The program of the documentation's start page compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/index.md")]
struct StartPage;

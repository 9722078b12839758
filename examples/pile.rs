//! Ten thousand balls, poured into a box; with `--drum` into a drum that turns, where the heap avalanches.
//!
//! `cargo run --example pile` shows it; `cargo run --example pile -- --headless --settled --balls 100000 --seconds 5` measures
//! it. With `--polydisperse` the largest ball is a hundred times as large as the smallest.

use bevy::prelude::*;
use clap::Parser;
use impulse_scenes::pile::{PileOptions, PilePlugin, pile_report};
use scene_kit::{RunOptions, run_scene, scene_app};

/// Balls poured into a box, or into a drum that turns.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    pile: PileOptions,
}

pub(crate) fn main() -> AppExit {
    let Options { run, pile } = scene_kit::parse();
    let mut app = scene_app("Pile", &run);
    app.add_plugins(PilePlugin(pile));
    run_scene(app, "pile", &run, pile_report)
}

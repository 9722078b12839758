//! A pile of rubble: boulders, each of many balls, fall together under their own gravity and stay together by it, and by friction.
//!
//! `cargo run --example rubble` shows it; `cargo run --example rubble -- --headless --seconds 60` measures it. With `--comet` a
//! boulder from outside hits the pile.

use bevy::prelude::*;
use clap::Parser;
use impulse_scenes::rubble::{RATE, RubbleOptions, RubblePlugin, rubble_report};
use scene_kit::{RunOptions, run_scene, scene_app};

/// Boulders that fall together into a pile of rubble.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    rubble: RubbleOptions,
}

pub(crate) fn main() -> AppExit {
    let Options { run, rubble } = scene_kit::parse();
    let run = run.or_hz(RATE);
    let mut app = scene_app("Rubble", &run);
    app.add_plugins(RubblePlugin(rubble));
    run_scene(app, "rubble", &run, rubble_report)
}

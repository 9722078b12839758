//! Digits of π by counting: the impacts of two balls and a wall.
//!
//! `cargo run --example pi -- --digits 4` shows it; `cargo run --example pi -- --headless --digits 4` counts 3141.

use bevy::prelude::*;
use clap::Parser;
use impulse_scenes::pi::{PiOptions, PiPlugin, pi_report};
use scene_kit::{RunOptions, run_scene, scene_app};

/// Two balls and a wall that count the digits of π.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    pi: PiOptions,
}

pub(crate) fn main() -> AppExit {
    let Options { run, pi } = scene_kit::parse();
    let mut app = scene_app("Digits of π", &run);
    app.add_plugins(PiPlugin(pi));
    run_scene(app, "pi", &run, pi_report)
}

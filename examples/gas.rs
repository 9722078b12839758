//! A gas: thousands of elastic balls in a box find Maxwell–Boltzmann's speeds and press on the walls as hard spheres should.
//!
//! `cargo run --example gas` shows it; `cargo run --example gas -- --headless --seconds 60` measures it.

use bevy::prelude::*;
use clap::Parser;
use impulse_scenes::gas::{GasOptions, GasPlugin, gas_report};
use scene_kit::{RunOptions, run_scene, scene_app};

/// Elastic balls in a box.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    gas: GasOptions,
}

pub(crate) fn main() -> AppExit {
    let Options { run, gas } = scene_kit::parse();
    let mut app = scene_app("Gas", &run);
    app.add_plugins(GasPlugin(gas));
    run_scene(app, "gas", &run, gas_report)
}

//! A planet: a turning cloud of balls falls together under its own gravity, heats up, and settles into a turning world.
//!
//! `cargo run --example planet` shows it; `cargo run --example planet -- --headless --seconds 30` measures it. With `--comet`
//! something hits it, and with `--projection naive` it spins itself apart.

use bevy::prelude::*;
use clap::Parser;
use impulse_scenes::planet::{PlanetOptions, PlanetPlugin, planet_report};
use scene_kit::{RunOptions, run_scene, scene_app};

/// Balls that fall together into a planet.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    planet: PlanetOptions,
}

pub(crate) fn main() -> AppExit {
    let Options { run, planet } = scene_kit::parse();
    let run = run.or_hz(100.0);
    let mut app = scene_app("Planet", &run);
    app.add_plugins(PlanetPlugin(planet));
    run_scene(app, "planet", &run, planet_report)
}

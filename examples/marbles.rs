//! A marble run: a spiral, a loop, a jump, a funnel, a mixer, stairs, a Galton board, and a lift that never stops.
//!
//! ```sh
//! cargo run --example marbles                                                  # a click drops a marble, or follows one
//! cargo run --example marbles -- --headless --marbles 200 --seconds 60         # how many marbles pass all stations?
//! ```

use bevy::prelude::*;
use clap::Parser;
use impulse_scenes::marbles::{MarblesOptions, MarblesPlugin, marbles_report};
use scene_kit::{RunOptions, run_scene, scene_app};

/// Glass marbles on a long track, brought up again by a lift.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    marbles: MarblesOptions,
}

pub(crate) fn main() -> AppExit {
    let Options { run, marbles } = scene_kit::parse();
    let run = run.or_hz(120.0).or_headless_seconds(30.0);
    let mut app = scene_app("Marbles", &run);
    app.add_plugins(MarblesPlugin(marbles));
    run_scene(app, "marbles", &run, marbles_report)
}

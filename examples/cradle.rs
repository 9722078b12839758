//! Newton's cradle: as many balls swing out on one side as came in on the other, at the same speed.
//!
//! ```sh
//! cargo run --example cradle                                    # watch; keys 1 to 4 let go 1 to 4 balls
//! cargo run --example cradle -- --headless --balls 2            # measure the speeds after a collision
//! ```

use bevy::prelude::*;
use clap::Parser;
use impulse_scenes::cradle::{CradleOptions, CradlePlugin, cradle_report};
use scene_kit::{RunOptions, run_scene, scene_app};

/// Five elastic balls that touch, hanging in a row.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    cradle: CradleOptions,
}

pub(crate) fn main() -> AppExit {
    let Options { run, cradle } = scene_kit::parse();
    let run = run.or_hz(240.0);
    let mut app = scene_app("Newton's cradle", &run);
    app.add_plugins(CradlePlugin(cradle));
    run_scene(app, "cradle", &run, cradle_report)
}

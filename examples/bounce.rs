//! Balls with different restitutions, dropped from the same height. Rings show the exact height of each.
//!
//! ```sh
//! cargo run --example bounce                                    # watch; R drops them again
//! cargo run --example bounce -- --headless --seconds 1300       # 1,000 elastic bounces: how high is the last?
//! ```
//!
//! Simple steppers beside the physics: `cargo run --example lab -- --scene ball`.

use bevy::prelude::*;
use clap::Parser;
use impulse_scenes::bounce::{BounceOptions, BouncePlugin, bounce_report};
use scene_kit::{RunOptions, run_scene, scene_app};

/// Balls with different restitutions, dropped from the same height.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    bounce: BounceOptions,
}

pub(crate) fn main() -> AppExit {
    let Options { run, bounce } = scene_kit::parse();
    let run = run.or_hz(60.0);
    let mut app = scene_app("Bounce", &run);
    app.add_plugins(BouncePlugin(bounce));
    run_scene(app, "bounce", &run, bounce_report)
}

//! One ball, dropped four times at once: three simple steppers on a plane, the physics of this crate, and the exact solution.
//!
//! ```sh
//! cargo run --example bounce                                    # watch; 1, 2 and 3 change the restitution
//! cargo run --example bounce -- --headless --seconds 1300       # 1,000 elastic bounces: how high is the last?
//! ```

use bevy::prelude::*;
use clap::Parser;
use impulse_scenes::bounce::{BounceOptions, BouncePlugin, bounce_report};
use scene_kit::{RunOptions, run_scene, scene_app};

/// Four balls dropped from the same height, each stepped in its own way.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    bounce: BounceOptions,
}

fn main() -> AppExit {
    let Options { run, bounce } = scene_kit::parse();
    let run = run.or_hz(60.0);
    let mut app = scene_app("Bounce", &run);
    app.add_plugins(BouncePlugin(bounce));
    run_scene(app, "bounce", &run, bounce_report)
}

//! A billiards table: fifteen balls racked for 8-ball, six pockets, and a cue for the mouse.
//!
//! ```sh
//! cargo run --example billiards                                 # play
//! cargo run --example billiards -- --headless --report -        # break the rack and measure
//! ```
//!
//! Everything that moves is a `Particle`; the cloth is a `Plane`; the cushions are `Capsule`s that are `Fixed`.

use bevy::prelude::*;
use clap::Parser;
use impulse_demo::{
    RunOptions,
    billiards::{self, BilliardsPlugin},
    run_scene, scene_app,
};

/// A billiards table. With a window, the break is yours; headless, the rack is broken at once.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    run: RunOptions,
    /// Speed of the cue ball in the headless break, in m/s; the seed picks its exact aim
    #[arg(long, value_name = "V", default_value_t = 9.0)]
    speed: f32,
}

fn main() -> AppExit {
    let options = Options::parse();
    let run = options.run.or_hz(billiards::RATE);
    let mut app = scene_app("Billiards", &run);
    app.add_plugins(BilliardsPlugin {
        break_speed: options.speed,
    });
    run_scene(app, "billiards", &run, billiards::report)
}

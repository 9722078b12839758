//! Machines of joints: a crane with a wrecking ball, a hanging bridge, ragdolls on stairs, a car to drive.
//!
//! ```sh
//! cargo run --example machines                       # 1 to 4 choose; the arrows drive the car; Ctrl and the mouse drag anything
//! cargo run --example machines -- --machine bridge
//! cargo run --example machines -- --machine dolls --headless --seconds 10 --report -
//! ```

use bevy::prelude::*;
use clap::Parser;
use impulse_scenes::machines::{MachinesOptions, MachinesPlugin, RATE, machines_report};
use scene_kit::{RunOptions, run_scene, scene_app};

/// Machines of joints.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    machines: MachinesOptions,
}

pub(crate) fn main() -> AppExit {
    let Options { run, machines } = scene_kit::parse();
    let run = run.or_hz(RATE);
    let mut app = scene_app("Machines", &run);
    app.add_plugins(MachinesPlugin(machines));
    run_scene(app, "machines", &run, machines_report)
}

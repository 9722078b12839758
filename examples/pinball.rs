//! A pinball table of a real machine's measures: two flippers, three bumpers, a ramp, three balls.
//!
//! ```sh
//! cargo run --example pinball                                   # play: the screen says how
//! cargo run --example pinball -- --demo                         # the computer plays
//! cargo run --example pinball -- --headless --games 1000        # a thousand games; no ball escapes, none sticks
//! ```
//!
//! The ball is a `Particle`. Walls, guides and the ramp are smooth `Collider`s, made from the meshes that one sees; the flippers
//! are kinematic ones, which turn by their `AngularVelocity`.

use bevy::prelude::*;
use clap::Parser;
use impulse_scenes::pinball::{self, PinballOptions};
use scene_kit::RunOptions;

/// A pinball table.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    pinball: PinballOptions,
}

pub(crate) fn main() -> AppExit {
    let Options { run, pinball } = scene_kit::parse();
    pinball::run(&run.or_hz(pinball::RATE), pinball)
}

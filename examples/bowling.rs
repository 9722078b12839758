//! Ten-pin bowling: a lane of the true measures with oil on it, and pins that are bodies of nineteen balls and capsules.
//!
//! ```sh
//! cargo run --example bowling                               # play: the screen says how
//! cargo run --example bowling -- --demo                     # the computer plays
//! cargo run --example bowling -- --headless --odds 100      # how often a ball strikes, by its entry angle and its board
//! ```
//!
//! A pin is a `Compound`. Its `CenterOfMass` and its `Inertia` are those of the solid that the pin's drawing bounds. The ball has
//! `CollisionHooks`: a system in `PairHooks` gives it the friction of the place where it touches the lane.

use bevy::prelude::*;
use clap::Parser;
use impulse_scenes::bowling::{self, BowlingOptions};
use scene_kit::RunOptions;

/// A bowling lane.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    bowling: BowlingOptions,
}

pub(crate) fn main() -> AppExit {
    let Options { run, bowling } = scene_kit::parse();
    bowling::run(&run.or_hz(bowling::RATE), bowling)
}

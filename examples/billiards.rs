//! Billiards: eight-ball, nine-ball, ten-ball, straight pool, snooker, three-cushion or a free table, for two players or
//! against the computer.
//!
//! ```sh
//! cargo run --example billiards                                       # play: the screen says how
//! cargo run --example billiards -- --shot shot-1.json                 # a shot that was saved with F5
//! cargo run --example billiards -- --headless --report -              # break the rack and measure
//! cargo run --example billiards -- --headless --breaks 100            # break a hundred, with random cues
//! cargo run --example billiards -- --headless --shots shots.json --report played.json
//! ```
//!
//! Everything that moves is a `Particle`; the cloth is a `Plane`; the cushions are static `Capsule`s.

use bevy::prelude::*;
use clap::Parser;
use scene_kit::RunOptions;

/// A billiards table. With a window, the break is yours; headless, the rack is broken at once.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    billiards: billiards::Options,
}

pub(crate) fn main() -> AppExit {
    let Options { run, billiards } = scene_kit::parse();
    billiards::run(&run.or_hz(billiards::RATE), billiards)
}

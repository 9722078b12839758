//! A colony: one rod-shaped cell grows and divides until thousands of cells push each other apart.
//!
//! ```sh
//! cargo run --example colony                                      # watch it; the screen says how
//! cargo run --example colony -- --walls channel                   # between two walls
//! cargo run --example colony -- --headless --cells 32768          # measure it
//! cargo run --example colony -- --headless --cells-out cells.csv  # and have every cell, with its parent
//! ```
//!
//! A cell is a `Capsule` with `Growth` and `Division`; a system reads `Divided` and draws the daughters' random lengths and bends.

use bevy::prelude::*;
use clap::Parser;
use impulse_scenes::colony::{self, ColonyOptions};
use scene_kit::RunOptions;

/// Cells that grow and divide.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    colony: ColonyOptions,
}

pub(crate) fn main() -> AppExit {
    let Options { run, colony } = scene_kit::parse();
    colony::run(run, colony)
}

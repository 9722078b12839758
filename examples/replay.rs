//! Plays a recording, as F12 writes it: the last seconds of a world, step by step, to the same bits.
//!
//! ```sh
//! cargo run --example replay -- recording-1.txt               # in a window; P pauses, N makes one step
//! cargo run --example replay -- recording-1.txt --headless    # are the bits the same?
//! ```

use bevy::prelude::*;
use clap::Parser;
use impulse_scenes::replay::{ReplayOptions, show};

pub(crate) fn main() -> AppExit {
    show(ReplayOptions::parse())
}

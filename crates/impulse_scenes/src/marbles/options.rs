//! The command line of the marble run.

use bevy::prelude::*;
use clap::Args;
use scene_kit::number::not_negative;

/// Command line options of the marble run.
#[derive(Args, Resource, Clone, Debug, PartialEq)]
pub struct MarblesOptions {
    /// Marbles in the tray at the start
    #[arg(long, value_name = "N", default_value_t = 150, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub marbles: u32,
    /// Marbles that the lift brings up in a second
    #[arg(long, value_name = "N", default_value_t = 6.0, value_parser = not_negative, allow_negative_numbers = true)]
    pub lift: f32,
}

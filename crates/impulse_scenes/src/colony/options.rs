//! The command line of the colony.

use std::path::PathBuf;

use bevy::prelude::*;
use clap::{Args, ValueEnum};
use scene_kit::number::positive;

use super::cell;

/// The walls around the colony.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Walls {
    /// Nothing
    #[default]
    None,
    /// Four walls, with room for a tenth more than all cells
    Box,
    /// Two walls along X, open at both ends
    Channel,
}

/// Command line options of the colony.
#[derive(Args, Resource, Clone, Debug, PartialEq)]
pub struct ColonyOptions {
    /// Cells at which it ends: headless the run, in a window the growth until it is told to go on
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub cells: u32,
    /// The walls around the colony
    #[arg(long, value_name = "WALLS", value_enum, default_value_t)]
    pub walls: Walls,
    /// Inertia of a cell's growth in kg: the larger, the less pressure slows it. A cell weighs 2 to 5 kg
    #[arg(long, value_name = "G", default_value_t = 1e4, value_parser = positive, allow_negative_numbers = true)]
    pub inertia: f32,
    /// Write all cells of a headless run to FILE as CSV; '-' is standard output
    #[arg(help_heading = scene_kit::options::RESEARCH, long, value_name = "FILE", requires = "headless")]
    pub cells_out: Option<PathBuf>,
    /// Compare the two contact solvers on the grown colony: the remaining approach over the work; in a window as a plot, headless
    /// as CSV to FILE [default: standard output]
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub compare: Option<PathBuf>,
}

impl ColonyOptions {
    /// Simulated seconds in which a colony that nothing holds back has long reached its size.
    pub(super) fn longest_run(&self) -> f32 {
        3.0 * cell::GENERATION * (1.0 + (self.cells as f32).log2())
    }
}

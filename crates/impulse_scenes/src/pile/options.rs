//! The command line of the pile, and the constants of its balls.

use bevy::prelude::*;
use clap::Args;
use scene_kit::number::{finite, not_negative};

/// Command line options of the balls and their vessel.
#[derive(Args, Resource, Clone, Debug, PartialEq)]
pub struct PileOptions {
    /// Balls to pour
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub balls: u32,
    /// Pour them into a drum that turns, not into a box
    #[arg(long)]
    pub drum: bool,
    /// Angular velocity of the drum in rad/s, counter-clockwise as the window shows it [default: at which the centrifugal
    /// acceleration is 1/20 of gravity's; the heap then avalanches]
    #[arg(long, value_name = "W", requires = "drum", value_parser = finite, allow_negative_numbers = true)]
    pub drum_speed: Option<f32>,
    /// Radii from 1 to 100 times the smallest, as many in each octave; the mean volume stays
    #[arg(long)]
    pub polydisperse: bool,
    /// Have the balls in the vessel from the start, loosely stacked; balls that find no room in a drum are poured
    #[arg(long)]
    pub settled: bool,
    /// Coefficient of friction
    #[arg(long, value_name = "MU", default_value_t = 0.3, value_parser = not_negative, allow_negative_numbers = true)]
    pub friction: f32,
}

/// Of a ball if all are of one size, in metres; else of the ball of mean volume.
pub(super) const RADIUS: f32 = 0.1;

/// Of the balls, in kg/m³: glass.
pub(super) const DENSITY: f32 = 2500.0;

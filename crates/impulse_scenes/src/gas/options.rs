//! The command line of the gas, and its balls.

use std::f32::consts::PI;

use bevy::prelude::*;
use clap::Args;

/// Command line options of the gas.
#[derive(Args, Resource, Clone, Debug)]
pub struct GasOptions {
    /// Balls in the box
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    pub balls: u32,
    /// Packing fraction: the balls' part of the box's volume
    #[arg(long, value_name = "PHI", default_value_t = 0.1, value_parser = fraction, allow_negative_numbers = true)]
    pub fraction: f32,
}

impl GasOptions {
    /// Edge of the box in metres.
    pub(super) fn side(&self) -> f32 {
        (self.balls as f32 * BALL_VOLUME / self.fraction).cbrt()
    }

    /// Greatest coordinate that the centre of a ball inside the box can have, in metres.
    pub(super) fn reach(&self) -> f32 {
        0.5 * self.side() - RADIUS
    }
}

fn fraction(text: &str) -> Result<f32, String> {
    let value: f32 = text
        .parse()
        .map_err(|_| format!("`{text}` is not a number"))?;
    (0.01..=0.4)
        .contains(&value)
        .then_some(value)
        .ok_or_else(|| "give at least 0.01 and at most 0.4".to_owned())
}

/// Of a ball, in metres.
pub(super) const RADIUS: f32 = 0.1;

pub(super) const BALL_VOLUME: f32 = 4.0 / 3.0 * PI * RADIUS * RADIUS * RADIUS;

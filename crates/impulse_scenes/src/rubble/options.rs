//! The command line of the rubble.

use bevy::prelude::*;
use clap::Args;
use scene_kit::number::{coefficient, finite, not_negative, positive};

use crate::gathering::view::sky::CloudSize;

/// Boulders of a cloud, if the command line does not say.
const BOULDERS: u32 = 150;

/// Radius in metres of a cloud of so many boulders.
const RADIUS: f32 = 75.0;

/// Command line options of the cloud and its world.
#[derive(Args, Resource, Clone, Debug, PartialEq)]
pub struct RubbleOptions {
    /// Boulders in the cloud
    #[arg(long, value_name = "N", default_value_t = BOULDERS, value_parser = clap::value_parser!(u32).range(1..=20_000))]
    pub boulders: u32,
    /// Angular velocity of the cloud in rad/s, about Y
    #[arg(long, value_name = "W", default_value_t = 0.02, value_parser = finite, allow_negative_numbers = true)]
    pub spin: f32,
    /// Radius of the cloud in metres; it grows if the boulders do not fit [default: 75 for 150 boulders, and as dense for others]
    #[arg(long, value_name = "R", value_parser = positive, allow_negative_numbers = true)]
    pub radius: Option<f32>,
    /// Gravitational constant in m³/(kg·s²); nature's is a millionth of the default, and then all goes a thousand times slower
    #[arg(long, value_name = "G", default_value_t = 6.674e-5, value_parser = not_negative, allow_negative_numbers = true)]
    pub g: f32,
    /// Friction of stone on stone, 0 or more
    #[arg(long, value_name = "MU", default_value_t = 0.6, value_parser = not_negative, allow_negative_numbers = true)]
    pub friction: f32,
    /// Coefficient of restitution of all impacts, 0 to 1
    #[arg(long, value_name = "E", default_value_t = 0.15, value_parser = coefficient, allow_negative_numbers = true)]
    pub restitution: f32,
    /// Throw a boulder at the pile at six times the escape speed, at second S or halfway through the run; a headless run then
    /// reports energy and momenta from just after the throw on
    #[arg(long, value_name = "S", num_args = 0..=1, value_parser = positive, allow_negative_numbers = true)]
    pub comet: Option<Option<f32>>,
}

impl RubbleOptions {
    /// Radius of the cloud in m. Clouds of one density fall together in the same time.
    pub(super) fn cloud_radius(&self) -> f32 {
        let as_dense = || RADIUS * (self.boulders as f32 / BOULDERS as f32).cbrt();
        self.radius.unwrap_or_else(as_dense)
    }

    pub(super) fn cloud_size(&self) -> CloudSize {
        CloudSize {
            radius: self.cloud_radius(),
            is_flat: false,
            // The pile turns by itself, and its far side is dark.
            turn_rate: 0.0,
        }
    }
}

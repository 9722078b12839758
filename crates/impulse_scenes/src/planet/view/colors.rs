//! Colours, and the quantities that they stand for.

use bevy::prelude::*;
use scene_kit::color::{self, BLUE_TO_RED};

/// The quantity that the colours show.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ColorBy {
    /// Heat of impacts.
    #[default]
    Heat,
    /// Speed relative to the planet.
    Speed,
    /// Pressure that the neighbours put on a ball: in 2D, on its circumference.
    Pressure,
}

pub(super) fn next_colors(mut color_by: ResMut<ColorBy>) {
    *color_by = match *color_by {
        ColorBy::Heat => ColorBy::Speed,
        ColorBy::Speed => ColorBy::Pressure,
        ColorBy::Pressure => ColorBy::Heat,
    };
}

/// The colour of the part `x` of the quantity `color_by`.
pub(super) fn ramp(color_by: ColorBy, x: f32) -> Srgba {
    /// Basalt, dull red, orange, yellow, nearly white.
    const HEAT: [Srgba; 5] = [
        Srgba::rgb(0.20, 0.19, 0.19),
        Srgba::rgb(0.55, 0.12, 0.04),
        Srgba::rgb(0.95, 0.40, 0.06),
        Srgba::rgb(1.00, 0.78, 0.25),
        Srgba::rgb(1.00, 0.96, 0.85),
    ];
    let stops = match color_by {
        ColorBy::Heat => HEAT,
        ColorBy::Speed | ColorBy::Pressure => BLUE_TO_RED,
    };
    color::ramp(&stops, x)
}

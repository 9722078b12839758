//! Colours, and the quantities that they stand for.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use crate::pile::{options::DENSITY, vessel::Vessel};

/// The quantity that the colours show.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ColorBy {
    /// Nothing but which ball is which.
    #[default]
    Hue,
    /// Speed; in a drum, as this sees it.
    Speed,
    /// Pressure that the neighbours put on a ball.
    Pressure,
}

pub(super) fn next_colors(mut color_by: ResMut<ColorBy>) {
    *color_by = match *color_by {
        ColorBy::Hue => ColorBy::Speed,
        ColorBy::Speed => ColorBy::Pressure,
        ColorBy::Pressure => ColorBy::Hue,
    };
}

/// Speed of the last colour in m/s: of a fall from a tenth of the vessel's width, so that the flow is seen.
pub(super) fn fastest(vessel: &Vessel) -> f32 {
    (0.2 * Gravity::default().length() * vessel.width()).sqrt()
}

/// Stress of the last colour in N/m²: the mean stress of balls under a heap as high as half of the vessel.
pub(super) fn highest_pressure(vessel: &Vessel) -> f32 {
    0.5 * DENSITY * Gravity::default().length() * vessel.width()
}

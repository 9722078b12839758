//! Colours, and the quantities that they stand for.

use bevy::prelude::*;

/// The quantity that the colours show.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ColorBy {
    /// Which of the first sixteen cells a cell comes from.
    #[default]
    Lineage,
    /// Pressure that the neighbours put on a cell.
    Pressure,
    /// Direction of the axis.
    Direction,
}

pub(super) fn next_colors(mut color_by: ResMut<ColorBy>) {
    *color_by = match *color_by {
        ColorBy::Lineage => ColorBy::Pressure,
        ColorBy::Pressure => ColorBy::Direction,
        ColorBy::Direction => ColorBy::Lineage,
    };
}

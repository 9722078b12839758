//! How it looks.
//!
//! - `room`: camera and lights
//! - `floor`: lane, gutters, walls and pit
//! - `solids`: pins and balls
//! - `aim`: the ball in the hand, and the line along which it will go
//! - `sheet`: the score sheet, and the next action in words

mod aim;
mod floor;
mod room;
mod sheet;
mod solids;

use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        room::plugin,
        floor::plugin,
        solids::plugin,
        aim::plugin,
        sheet::plugin,
    ));
}

/// A plain material.
fn paint(color: Color, roughness: f32) -> StandardMaterial {
    StandardMaterial {
        base_color: color,
        perceptual_roughness: roughness,
        ..default()
    }
}

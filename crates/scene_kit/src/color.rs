//! Colours that stand for amounts.

use bevy::prelude::*;

/// From little to much: deep blue, light blue, pale, orange, red.
pub const BLUE_TO_RED: [Srgba; 5] = [
    Srgba::rgb(0.10, 0.16, 0.50),
    Srgba::rgb(0.14, 0.55, 0.90),
    Srgba::rgb(0.93, 0.92, 0.80),
    Srgba::rgb(1.00, 0.60, 0.15),
    Srgba::rgb(0.90, 0.12, 0.10),
];

/// The colour at the part `x` of the way through `stops`, two or more.
pub fn ramp(stops: &[Srgba], x: f32) -> Srgba {
    let place = x.clamp(0.0, 1.0) * (stops.len() - 1) as f32;
    let stop = (place as usize).min(stops.len() - 2);
    stops[stop].mix(&stops[stop + 1], place - stop as f32)
}

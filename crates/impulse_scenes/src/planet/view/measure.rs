//! Measurements of the planet, and the scales of the colours.

use bevy::prelude::*;

use crate::{
    gathering::{heap::Rock, view::measured::Measured},
    planet::{
        options::{Dimensions, PlanetOptions},
        rock::Ball,
    },
};

/// The present values at the ends of the colours.
#[derive(Resource, Default)]
pub(super) struct Legend {
    /// Energy of a fall from far away onto the settled planet, in J/kg.
    pub fall_energy: f64,
    /// About that in the middle of the planet, in the unit beside it.
    pub pressure: f64,
    pub pressure_unit: &'static str,
}

pub(super) fn measure_shape(
    mut heap: ResMut<Measured>,
    mut legend: ResMut<Legend>,
    options: Res<PlanetOptions>,
    balls: Query<Ball>,
) {
    heap.set(balls.iter().map(Rock::from), options.g);
    let shape = &heap.core;
    if shape.radius90 <= 0.0 {
        return;
    }
    // A ball's mass is its radius squared or cubed. A random heap fills about 0.8 of a disc and 0.6 of a ball.
    let settled_radius = match options.dim {
        Dimensions::Two => (shape.mass / 0.8).sqrt(),
        Dimensions::Three => (shape.mass / 0.6).cbrt(),
    };
    legend.fall_energy = f64::from(options.g) * shape.mass / settled_radius;
    let weight = f64::from(options.g) * shape.mass * shape.mass;
    // In the middle of a homogeneous ball: 3GM²/(8πR⁴); twice that, as single balls bear more than their share.
    let ball = 3.0 * weight / (4.0 * std::f64::consts::PI * shape.radius90.powi(4));
    let disc = weight / (std::f64::consts::PI * shape.radius90.powi(3));
    (legend.pressure, legend.pressure_unit) = match options.dim {
        Dimensions::Two => (disc, "N/m"),
        Dimensions::Three => (ball, "N/m²"),
    };
}

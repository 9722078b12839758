//! The cloud that falls together.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use rand::Rng;
use scene_kit::RunOptions;

use super::{
    options::{Dimensions, PlanetOptions},
    rock::rock,
};
use crate::gathering::cloud::place_apart;

/// Clouds scattered so far; each has random numbers of its own.
#[derive(Resource, Default)]
pub(super) struct Clouds(u64);

/// Radii of the balls in metres.
const RADII: std::ops::RangeInclusive<f32> = 0.5..=2.0;

/// A new cloud, at rest but for its rotation about its centre of mass, the origin.
pub(super) fn scatter(
    mut commands: Commands,
    mut clouds: ResMut<Clouds>,
    options: Res<PlanetOptions>,
    run: Res<RunOptions>,
) {
    let mut rng = run.rng(clouds.0);
    clouds.0 += 1;
    let radii: Vec<f32> = (0..options.ball_count())
        .map(|_| rng.random_range(RADII))
        .collect();
    let centers = place_apart(&mut rng, &radii, options.is_flat(), options.radius);

    let mass = |radius: f32| match options.dim {
        Dimensions::Two => radius.powi(2),
        Dimensions::Three => radius.powi(3),
    };
    let weighted: Vec3 = centers
        .iter()
        .zip(&radii)
        .map(|(&center, &radius)| mass(radius) * center)
        .sum();
    let center_of_mass = weighted / radii.iter().copied().map(mass).sum::<f32>();
    let spin = options.spin * options.spin_axis();
    for (radius, center) in radii.into_iter().zip(centers) {
        let position = center - center_of_mass;
        commands.spawn((
            rock(radius, mass(radius), position),
            LinearVelocity(spin.cross(position)),
            AngularVelocity(spin),
        ));
    }
}

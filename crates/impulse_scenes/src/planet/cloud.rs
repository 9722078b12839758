//! The cloud that falls together.

use bevy::{platform::collections::HashMap, prelude::*};
use bevy_impulse_collide::prelude::*;
use rand::Rng;
use scene_kit::RunOptions;

use super::{
    options::{Dimensions, PlanetOptions},
    rock::rock,
};

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
    let centers = place_apart(&mut rng, &radii, options.dim, options.radius);

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

/// Centres for balls of `radii`, uniform in a ball or disc of `cloud_radius`, none touching another. If they do not fit, the
/// cloud grows until they do.
fn place_apart(
    rng: &mut impl Rng,
    radii: &[f32],
    dim: Dimensions,
    mut cloud_radius: f32,
) -> Vec<Vec3> {
    const TRIES: u32 = 200;
    // All balls that can touch a ball of a cell are in the 27 cells around it.
    let cell = 2.0 * RADII.end();
    let mut placed: HashMap<IVec3, Vec<(Vec3, f32)>> = HashMap::default();
    let mut place = |radius: f32| {
        let mut tries = 0;
        loop {
            let center = cloud_radius * random_in_unit(rng, dim);
            let key = (center / cell).floor().as_ivec3();
            let neighbours =
                (0..27).map(|i| key + IVec3::new(i % 3, i / 3 % 3, i / 9) - IVec3::ONE);
            let clear = neighbours.filter_map(|key| placed.get(&key)).flatten().all(
                |&(other, other_radius)| {
                    center.distance_squared(other) > (radius + other_radius).powi(2)
                },
            );
            if clear {
                placed.entry(key).or_default().push((center, radius));
                return center;
            }
            tries += 1;
            if tries % TRIES == 0 {
                cloud_radius *= 1.02;
            }
        }
    };
    radii.iter().map(|&radius| place(radius)).collect()
}

/// Uniform in the unit ball, or in the unit disc of the plane z = 0.
pub(super) fn random_in_unit(rng: &mut impl Rng, dim: Dimensions) -> Vec3 {
    loop {
        let mut point = Vec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..=1.0)));
        if dim == Dimensions::Two {
            point.z = 0.0;
        }
        if point.length_squared() <= 1.0 {
            return point;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scattered_balls_do_not_touch_even_if_the_cloud_must_grow() {
        for dim in [Dimensions::Two, Dimensions::Three] {
            let mut rng = RunOptions::default().rng(0);
            let radii: Vec<f32> = (0..200).map(|_| rng.random_range(RADII)).collect();
            let centers = place_apart(&mut rng, &radii, dim, 3.0);
            for i in 0..radii.len() {
                assert!(dim == Dimensions::Three || centers[i].z == 0.0);
                for j in 0..i {
                    assert!(centers[i].distance(centers[j]) > radii[i] + radii[j]);
                }
            }
        }
    }
}

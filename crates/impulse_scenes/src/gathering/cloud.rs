//! Places in a cloud.

use bevy::{platform::collections::HashMap, prelude::*};
use rand::Rng;

/// Centres for balls of `radii`, uniform in a ball of `cloud_radius` or, if it is flat, in a disc, none touching another. If they
/// do not fit, the cloud grows until they do.
pub(crate) fn place_apart(
    rng: &mut impl Rng,
    radii: &[f32],
    is_flat: bool,
    mut cloud_radius: f32,
) -> Vec<Vec3> {
    const TRIES: u32 = 200;
    // All balls that can touch a ball of a cell are in the 27 cells around it.
    let cell = 2.0 * radii.iter().copied().fold(0.0, f32::max);
    let mut placed: HashMap<IVec3, Vec<(Vec3, f32)>> = HashMap::default();
    let mut place = |radius: f32| {
        let mut tries = 0;
        loop {
            let center = cloud_radius * random_in_unit(rng, is_flat);
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
pub(crate) fn random_in_unit(rng: &mut impl Rng, is_flat: bool) -> Vec3 {
    loop {
        let mut point = Vec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..=1.0)));
        if is_flat {
            point.z = 0.0;
        }
        if point.length_squared() <= 1.0 {
            return point;
        }
    }
}

#[cfg(test)]
mod tests {
    use scene_kit::RunOptions;

    use super::*;

    #[test]
    fn scattered_balls_do_not_touch_even_if_the_cloud_must_grow() {
        for is_flat in [true, false] {
            let mut rng = RunOptions::default().rng(0);
            let radii: Vec<f32> = (0..200).map(|_| rng.random_range(0.5..=2.0)).collect();
            let centers = place_apart(&mut rng, &radii, is_flat, 3.0);
            for i in 0..radii.len() {
                assert!(!is_flat || centers[i].z == 0.0);
                for j in 0..i {
                    assert!(centers[i].distance(centers[j]) > radii[i] + radii[j]);
                }
            }
        }
    }
}

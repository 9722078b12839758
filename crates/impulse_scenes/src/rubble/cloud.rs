//! The cloud that falls together.

use bevy::{math::DVec3, prelude::*};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use scene_kit::RunOptions;

use super::{
    boulder::{Motion, spawn_boulder},
    options::RubbleOptions,
    sphere::Sphere,
    stone::{BALLS, Stone},
};
use crate::gathering::cloud::{place_apart, random_in_unit};

/// Clouds scattered and comets thrown so far; each has random numbers of its own.
#[derive(Resource, Default)]
pub(super) struct Clouds(u64);

impl Clouds {
    /// Random numbers for the next cloud or comet.
    pub fn rng(&mut self, run: &RunOptions) -> ChaCha8Rng {
        self.0 += 1;
        run.rng(self.0)
    }
}

/// Half lengths of the boulders in metres.
const SIZES: std::ops::Range<f32> = 3.0..9.0;

/// Greatest angular velocity of a boulder in the cloud, in rad/s.
const TUMBLE: f32 = 0.4;

/// A random half length: the number of boulders above a size goes with 1/size².
fn random_size(rng: &mut impl Rng) -> f32 {
    let (least, most) = (SIZES.start.powi(-2), SIZES.end.powi(-2));
    (least + rng.random::<f32>() * (most - least))
        .sqrt()
        .recip()
}

/// A random stone. A large one has more balls.
fn random_stone(rng: &mut impl Rng, size: f32, sphere: &Sphere) -> Stone {
    let part = (size - SIZES.start) / (SIZES.end - SIZES.start);
    let (least, most) = (*BALLS.start() as f32, *BALLS.end() as f32);
    let count = (least + 5.0 + (most - least) * part * part) * rng.random_range(0.6..1.2);
    let count = (count as usize).clamp(*BALLS.start(), *BALLS.end());
    Stone::random(rng, size, count, sphere)
}

/// A random rotation: a point of the unit ball in four dimensions, as a quaternion.
fn random_rotation(rng: &mut impl Rng) -> Quat {
    loop {
        let at = Vec4::from_array(std::array::from_fn(|_| rng.random_range(-1.0..=1.0)));
        if (0.01..=1.0).contains(&at.length_squared()) {
            return Quat::from_vec4(at.normalize());
        }
    }
}

/// A new cloud. As a whole it turns about its centre of mass, the origin, and each boulder tumbles.
pub(super) fn scatter(
    mut commands: Commands,
    mut clouds: ResMut<Clouds>,
    options: Res<RubbleOptions>,
    run: Res<RunOptions>,
) {
    let mut rng = clouds.rng(&run);
    let sphere = Sphere::new(3);
    let stones: Vec<Stone> = (0..options.boulders)
        .map(|_| {
            let size = random_size(&mut rng);
            random_stone(&mut rng, size, &sphere)
        })
        .collect();
    let radii: Vec<f32> = stones.iter().map(Stone::reach).collect();
    let centers = place_apart(&mut rng, &radii, false, options.cloud_radius());

    let mass: f64 = stones.iter().map(|stone| stone.volume).sum();
    let weighted = centers.iter().zip(&stones);
    let weighted = weighted.map(|(center, stone)| stone.volume * center.as_dvec3());
    let center_of_mass = (weighted.sum::<DVec3>() / mass).as_vec3();
    let spin = options.spin * Vec3::Y;
    for (stone, center) in stones.iter().zip(centers) {
        let position = center - center_of_mass;
        let motion = Motion {
            place: Transform::from_translation(position).with_rotation(random_rotation(&mut rng)),
            velocity: spin.cross(position),
            spin: spin + TUMBLE * random_in_unit(&mut rng, false),
        };
        spawn_boulder(&mut commands, stone, motion);
    }
}

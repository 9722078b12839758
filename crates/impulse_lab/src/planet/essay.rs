//! The planet of the essay after which the methods of this folder were made.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Number of balls.
pub const BALLS: usize = 500;
/// Radius in m of the circle within which they start.
pub const CIRCLE: f32 = 100.0;
/// G in m³/(kg·s²).
pub const G: f32 = 500.0;

/// Spawns the essay's balls about `origin`, of radii 0.5 to 2 m, always in the same places. They turn about it with the angular
/// velocity `spin` in rad/s.
pub fn spawn_planet(world: &mut World, origin: Vec3, spin: f32) {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut placed: Vec<(Vec3, f32)> = Vec::new();
    while placed.len() < BALLS {
        let radius = rng.random_range(0.5..2.0f32);
        let (r, angle) = (
            rng.random::<f32>().sqrt() * CIRCLE,
            rng.random_range(0.0..TAU),
        );
        let x = r * Vec3::new(angle.cos(), angle.sin(), 0.0);
        if placed.iter().all(|&(y, r)| x.distance(y) > radius + r) {
            placed.push((x, radius));
        }
    }
    for (x, radius) in placed {
        world.spawn((
            Particle::new(radius),
            Mass(radius),
            Restitution(0.25),
            Friction(0.0),
            LinearVelocity(spin * Vec3::Z.cross(x)),
            Transform::from_translation(origin + x),
        ));
    }
}

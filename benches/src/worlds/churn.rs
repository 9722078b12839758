//! A heap of balls in which some are despawned, and as many spawned, in each step.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{
    engine::{all_threads, impulse},
    scene::{Scene, SceneKind},
};

/// A heap, and who takes balls out of it and puts others in.
pub struct Churn {
    /// Its app.
    pub app: App,
    balls: Vec<Entity>,
    /// A height in m above all balls.
    top: f32,
    random: ChaCha8Rng,
}

impl Churn {
    /// A heap of so many balls, all awake, after some steps.
    pub fn new(balls: usize, settling: usize) -> Self {
        let mut app = impulse::spawn(&Scene::new(balls, SceneKind::default()), all_threads()).app;
        for _ in 0..settling {
            app.update();
        }
        let world = app.world_mut();
        let mut all = world.query_filtered::<(Entity, &Transform), With<Particle>>();
        let balls: Vec<_> = all
            .iter(world)
            .map(|(ball, place)| (ball, place.translation.y))
            .collect();
        Self {
            top: balls.iter().fold(0.0_f32, |top, (_, y)| top.max(*y)) + 1.0,
            balls: balls.into_iter().map(|(ball, _)| ball).collect(),
            random: ChaCha8Rng::seed_from_u64(1),
            app,
        }
    }

    /// Takes a `number` of balls out, and puts as many in their places, or lets them fall from above; then updates the app.
    pub fn step(&mut self, number: usize, falls: bool) {
        let world = self.app.world_mut();
        for _ in 0..number {
            let k = self.random.random_range(0..self.balls.len());
            let ball = world.entity(self.balls[k]);
            let (Some(&particle), Some(&density), Some(&place)) = (
                ball.get::<Particle>(),
                ball.get::<Density>(),
                ball.get::<Transform>(),
            ) else {
                continue;
            };
            world.despawn(self.balls[k]);
            let y = if falls { self.top } else { place.translation.y };
            let place = Transform::from_translation(place.translation.with_y(y));
            self.balls[k] = world.spawn((particle, density, place)).id();
        }
        self.app.update();
    }
}

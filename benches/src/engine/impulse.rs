//! This plugin.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{BevyEngine, bevy_app::minimal_app};
use crate::scene::{DENSITY, FRICTION, GRAVITY, RESTITUTION, Scene};

/// The scene in an app with this plugin, on `threads` threads.
pub fn spawn(scene: &Scene, threads: usize) -> BevyEngine {
    let physics = ImpulseCollidePlugin { interpolate: false };
    let mut app = minimal_app(threads, physics);
    app.insert_resource(Gravity(Vec3::NEG_Y * GRAVITY))
        .insert_resource(CollisionConfig {
            sleep_speed: 0.0,
            ..default()
        });
    let material = (Friction(FRICTION), Restitution(RESTITUTION));
    let world = app.world_mut();
    world.spawn_batch(scene.half_spaces.map(|solid| {
        let place = Transform::from_translation(solid.point);
        (Plane::new(solid.normal), material, place)
    }));
    let balls = scene.balls.clone().into_iter().map(move |ball| {
        (
            Particle::new(ball.radius),
            Density(DENSITY),
            material,
            Transform::from_translation(ball.position),
        )
    });
    let balls: Vec<Entity> = world.spawn_batch(balls).collect();
    BevyEngine::new(app, scene, &balls, |ball| {
        ball.get::<LinearVelocity>().map(|v| v.0)
    })
}

//! Ten balls stand on each other. Each contact bears the weight of the balls above it: N = n·m·g.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example stack
//! ```

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

const BALLS: usize = 10;
const RADIUS: f32 = 0.1;
const MASS: f32 = 2.0;
const G: f32 = 9.81;

fn main() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(CollisionConfig {
            // Nothing falls asleep, so every step finds the forces anew.
            sleep_speed: 0.0,
            ..default()
        });
    app.update();

    app.world_mut().spawn(Plane::new(Vec3::Y));
    for i in 0..BALLS {
        app.world_mut().spawn((
            Particle::new(RADIUS),
            Mass(MASS),
            Transform::from_xyz(0.0, RADIUS * (2 * i + 1) as f32, 0.0),
        ));
    }
    for _ in 0..600 {
        app.update();
    }

    // An impulse is a force times the length of a step.
    let contacts = app.world().resource::<Contacts>();
    let mut forces: Vec<(f32, f32)> = contacts
        .iter()
        .map(|contact| (contact.point.y, contact.impulse.length() * 60.0))
        .collect();
    forces.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    println!("height, m     N, N   n·m·g, N");
    for (k, (height, force)) in forces.into_iter().enumerate() {
        let weight = (BALLS - k) as f32 * MASS * G;
        println!("{height:9.4} {force:8.3} {weight:10.3}");
    }
}

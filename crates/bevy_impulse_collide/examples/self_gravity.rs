//! Two stars orbit their common centre of mass. On a circle of diameter d, ω² = G·(m_a + m_b)/d³.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example self_gravity
//! ```

use std::f32::consts::TAU;

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

const CONSTANT: f32 = 1.0;
const MASS: f32 = 1.0;
const DISTANCE: f32 = 2.0;
const HZ: f64 = 240.0;

fn main() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(HZ))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Gravity::ZERO)
        .insert_resource(SelfGravity {
            constant: CONSTANT,
            ..default()
        });
    app.update();

    let omega = (CONSTANT * 2.0 * MASS / DISTANCE.powi(3)).sqrt();
    let stars = [0.5, -0.5].map(|side| {
        let x = side * DISTANCE;
        let star = app.world_mut().spawn((
            Particle::new(0.1),
            Mass(MASS),
            LinearVelocity(Vec3::Y * omega * x),
            Transform::from_xyz(x, 0.0, 0.0),
        ));
        star.id()
    });

    println!(" t, s   angle, rad   ω·t, rad   distance, m   d, m");
    for step in 1..=3600 {
        app.update();
        if step % 360 == 0 {
            let t = step as f32 / HZ as f32;
            let [a, b] = stars.map(|star| app.world().get::<Transform>(star));
            let x = a.expect("alive").translation - b.expect("alive").translation;
            let angle = x.y.atan2(x.x).rem_euclid(TAU);
            let (expected, d) = ((omega * t).rem_euclid(TAU), x.length());
            println!("{t:5.1} {angle:12.5} {expected:10.5} {d:13.5} {DISTANCE:6.1}");
        }
    }
}

//! A ball is laid on a belt that runs at V, and a capsule across it. Friction lets the ball slide until it rolls, at 2/7·V. The
//! capsule cannot roll along the belt: it ends at V.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example belt
//! ```

use std::f32::consts::FRAC_PI_2;

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

const SPEED: f32 = 1.4;
const RADIUS: f32 = 0.1;

fn main() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();

    let world = app.world_mut();
    world.spawn((
        Collider::cuboid(20.0, 0.2, 2.0),
        Friction(0.3),
        SurfaceVelocity(Vec3::X * SPEED),
        Transform::from_xyz(0.0, -0.1, 0.0),
    ));
    let place = Transform::from_xyz(0.0, RADIUS, 0.5);
    let ball = world.spawn((Particle::new(RADIUS), Friction(0.3), place));
    let ball = ball.id();
    let place = Transform::from_xyz(0.0, RADIUS, -0.5);
    let lying = place.with_rotation(Quat::from_rotation_z(FRAC_PI_2));
    let capsule = world.spawn((Capsule::new(RADIUS, 0.4), Friction(0.3), lying));
    let capsule = capsule.id();

    println!("t, s   ball, m/s   capsule, m/s");
    for step in 1..=60 {
        app.update();
        if step % 10 == 0 {
            let speed = |body: Entity| {
                let v = app.world().get::<LinearVelocity>(body);
                v.expect("a body has one").x
            };
            let t = step as f32 / 60.0;
            println!("{t:4.2} {:11.4} {:14.4}", speed(ball), speed(capsule));
        }
    }
    println!("2/7·V is {:.4} m/s, V is {SPEED:.4} m/s", SPEED * 2.0 / 7.0);
}

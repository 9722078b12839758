//! A floor rises with a steady speed u and hits three balls that float at rest. The floor is kinematic: it has a velocity,
//! and nothing changes it. A ball with restitution e leaves with (1 + e)·u.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example kinematic
//! ```

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

const RADIUS: f32 = 0.1;
const SPEED: f32 = 1.0;

fn main() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Gravity::ZERO);
    app.update();

    let floor = app.world_mut().spawn((
        Plane::new(Vec3::Y),
        RigidBody::Kinematic,
        LinearVelocity(Vec3::Y * SPEED),
    ));
    let floor = floor.id();
    let balls = [0.0, 0.5, 1.0].map(|restitution: f32| {
        let ball = app.world_mut().spawn((
            Particle::new(RADIUS),
            Restitution(restitution),
            Transform::from_xyz(2.0 * restitution, RADIUS + 0.5, 0.0),
        ));
        (restitution, ball.id())
    });

    for _ in 0..60 {
        app.update();
    }
    println!("  e    v, m/s   (1 + e)·u, m/s");
    for (restitution, ball) in balls {
        let v = app.world().get::<LinearVelocity>(ball);
        let v = v.expect("a Particle has one").y;
        let expected = (1.0 + restitution) * SPEED;
        println!("{restitution:3.1} {v:9.5} {expected:16.5}");
    }
    let floor = app.world().get::<Transform>(floor);
    let height = floor.expect("a Plane has one").translation.y;
    println!("the floor is at {height:.5} m; u·t is {SPEED:.5} m");
}

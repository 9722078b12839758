//! A ball swings in a half-pipe that is a mesh of 32 strips with normals. It rolls as in a round pipe: it comes as high after a
//! minute as at the start.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example half_pipe
//! ```

use std::f32::consts::{FRAC_PI_4, PI};

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

const PIPE_RADIUS: f32 = 2.0;
const BALL_RADIUS: f32 = 0.1;
const STRIPS: u32 = 32;

fn main() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();

    // Vertices with normals, in pairs along the pipe.
    let vertices = (0..=STRIPS).flat_map(|k| {
        let angle = PI * k as f32 / STRIPS as f32;
        let out = Vec3::new(-angle.cos(), -angle.sin(), 0.0);
        [-1.0, 1.0].map(|z| (out * PIPE_RADIUS + Vec3::Z * z, -out))
    });
    let triangles = (0..STRIPS).flat_map(|k| {
        let a = 2 * k;
        [[a, a + 1, a + 2], [a + 1, a + 3, a + 2]]
    });
    let pipe = Collider::smooth_trimesh(vertices, triangles, MeshSides::One);
    app.world_mut().spawn((pipe, Friction(0.8)));

    let way = PIPE_RADIUS - BALL_RADIUS;
    let start = Vec3::new(-FRAC_PI_4.sin(), -FRAC_PI_4.cos(), 0.0) * way;
    let ball = app.world_mut().spawn((
        Particle::new(BALL_RADIUS),
        Restitution(0.0),
        Transform::from_translation(start),
    ));
    let ball = ball.id();

    println!("the ball starts {:.5} m over the bottom", start.y + way);
    for tens in 1..=6 {
        let mut highest = f32::NEG_INFINITY;
        for _ in 0..600 {
            app.update();
            let x = app
                .world()
                .get::<Transform>(ball)
                .expect("a Particle has one");
            highest = highest.max(x.translation.y + way);
        }
        println!("up to second {tens}0: {highest:.5} m");
    }
}

//! A prismatic joint is a slider. This one is on a slope, and a spring of 1.5 Hz holds it: let go, it is by x = g·sin(α)/ω²·(1 − cos(ω·t))
//! further down.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example joint_prismatic
//! ```

use std::f32::consts::TAU;

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

const HZ: f64 = 60.0;
const G: f32 = 9.81;
const SLOPE: f32 = 0.5;
const FREQUENCY: f32 = 1.5;

fn main() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(HZ))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();

    let down = Vec3::new(SLOPE.cos(), -SLOPE.sin(), 0.0);
    let bead = (
        Particle::new(0.1),
        Mass(2.0),
        Transform::from_xyz(0.0, 1.0, 0.0),
    );
    let bead = app.world_mut().spawn(bead).id();
    app.world_mut().spawn((
        Joint::prismatic(None, bead, down),
        JointSpring::frequency(FREQUENCY, 0.0),
    ));

    let w = TAU * FREQUENCY;
    println!("  t, s     x, m   expected   beside the line, m");
    for step in 1..=120 {
        app.update();
        if step % 10 != 0 {
            continue;
        }
        let t = step as f32 / HZ as f32;
        let expected = G * SLOPE.sin() / (w * w) * (1.0 - (w * t).cos());
        let place = app.world().get::<Transform>(bead).expect("it has one");
        let way = place.translation - Vec3::Y;
        let (along, beside) = (way.dot(down), way.reject_from(down).length());
        println!("{t:6.3} {along:8.5} {expected:10.5} {beside:12.1e}");
    }
}

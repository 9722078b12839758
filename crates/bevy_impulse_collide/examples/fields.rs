//! A field of your own is a system that adds to the accelerations. This one is a spring, a = −ω²·x. A ball in it
//! oscillates: x = x₀·cos(ω·t).
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example fields
//! ```

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

/// ω in rad/s.
const OMEGA: f64 = 3.0;
const START: f64 = 1.0;
const HZ: f64 = 240.0;

/// The field. `Bodies` holds all bodies of the step.
fn spring(mut bodies: ResMut<Bodies>) {
    bodies.for_each(|mut body| body.accelerate(-OMEGA * OMEGA * body.position().as_dvec3()));
}

fn main() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(HZ))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Gravity::ZERO)
        .add_systems(ImpulseStep, spring.in_set(StepSystems::Fields));
    app.update();

    let start = Transform::from_xyz(START as f32, 0.0, 0.0);
    let ball = app.world_mut().spawn((Particle::new(0.1), start)).id();

    println!("  t, s      x, m   x₀·cos(ω·t), m");
    for step in 1..=480 {
        app.update();
        if step % 48 == 0 {
            let t = f64::from(step) / HZ;
            let x = app.world().get::<Transform>(ball);
            let x = x.expect("a Particle has one").translation.x;
            let expected = START * (OMEGA * t).cos();
            println!("{t:6.2} {x:9.5} {expected:16.5}");
        }
    }
}

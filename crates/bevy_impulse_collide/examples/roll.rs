//! A billiard ball slides on a table and comes to roll. Friction changes v by −μ·g·t and ω·r by 5/2·μ·g·t. The ball rolls
//! when both are equal: at the time 2·v₀/(7·μ·g), with 5/7 of its first speed.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example roll
//! ```

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

const RADIUS: f32 = 0.028575;
const FRICTION: f32 = 0.2;
const SPEED: f32 = 2.0;
const G: f32 = 9.81;

fn main() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(240.0))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    // The clock starts with the first update: no time passes in it.
    app.update();

    app.world_mut()
        .spawn((Plane::new(Vec3::Y), Friction(FRICTION)));
    let ball = app.world_mut().spawn((
        Particle::new(RADIUS),
        Friction(FRICTION),
        LinearVelocity(Vec3::X * SPEED),
        Transform::from_xyz(0.0, RADIUS, 0.0),
    ));
    let ball = ball.id();

    let rolls_at = 2.0 * SPEED / (7.0 * FRICTION * G);
    println!("it rolls from t = {rolls_at:.4} s on");
    println!("  t, s   v, m/s   expected   ω·r, m/s   expected");
    for step in 1..=120 {
        app.update();
        if step % 12 != 0 {
            continue;
        }
        let t = step as f32 / 240.0;
        let slid = t.min(rolls_at);
        let (v_expected, w_expected) = (SPEED - FRICTION * G * slid, 2.5 * FRICTION * G * slid);
        let ball = app.world().entity(ball);
        let v = ball.get::<LinearVelocity>().expect("a Particle has one").x;
        // Forward rolling along X is a rotation about −Z.
        let w = -ball.get::<AngularVelocity>().expect("a Particle has one").z * RADIUS;
        println!("{t:6.3} {v:8.4} {v_expected:10.4} {w:10.4} {w_expected:10.4}");
    }
}

//! A wheel joint has a suspension and an axle. Its spring of 2 Hz sags by g/ω² under the wheel, its motor turns the wheel by τ·t/I up to
//! its speed, and the steering turns the axle.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example joint_wheel
//! ```

use std::f32::consts::TAU;

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

const HZ: f64 = 60.0;
const G: f32 = 9.81;
const RADIUS: f32 = 0.3;
const MASS: f32 = 10.0;
const TORQUE: f32 = 2.0;
const FASTEST: f32 = 10.0;

fn main() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(HZ))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();

    let wheel = (Particle::new(RADIUS), Mass(MASS), Transform::default());
    let wheel = app.world_mut().spawn(wheel).id();
    let hub = (
        Joint::wheel(None, wheel, Vec3::Y, Vec3::X),
        JointSpring::frequency(2.0, 0.7),
        JointMotor::velocity(FASTEST).with_max_force(TORQUE),
    );
    let hub = app.world_mut().spawn(hub).id();

    let inertia = 0.4 * MASS * RADIUS * RADIUS;
    let spin = |app: &App| {
        app.world()
            .get::<AngularVelocity>(wheel)
            .map_or(Vec3::NAN, |w| w.0)
    };
    println!("                       found   expected");
    for step in 1..=180 {
        app.update();
        if step % 45 == 0 {
            let t = step as f32 / HZ as f32;
            let expected = (TORQUE * t / inertia).min(FASTEST);
            println!(
                "{t:5.2} s: turn, rad/s {:9.5} {expected:10.5}",
                spin(&app).x
            );
        }
    }
    let place = app.world().get::<Transform>(wheel).expect("it has one");
    let sag = G / (TAU * 2.0).powi(2);
    println!(
        "sag, m              {:10.5} {sag:10.5}",
        -place.translation.y
    );

    let steering = 0.5;
    if let Some(mut joint) = app.world_mut().get_mut::<Joint>(hub) {
        joint.kind = JointKind::Wheel { steering };
    }
    for _ in 0..60 {
        app.update();
    }
    let axle = spin(&app).normalize();
    let angle = (-axle.z).atan2(axle.x);
    println!("axle, steered, rad  {angle:10.5} {steering:10.5}");
}

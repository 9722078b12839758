//! Two bodies of several parts: a dumbbell that bounces off one of its balls, P = (1 + e)·m·v/(1 + m·x²/I), and a toy that stands up
//! again, with the period 2π·√((I + m·(r − d)²)/(m·g·d)).
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example compounds
//! ```

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

const HZ: f64 = 240.0;
const G: f32 = 9.81;

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(HZ))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    app
}

/// The change of the momentum of a slanted dumbbell that falls on one ball, and the one that the law gives, in kg·m/s.
fn bounce() -> (f32, f32) {
    let (radius, half, speed, angle) = (0.3f32, 0.5f32, 2.0f32, 0.6f32);
    let mut app = app();
    app.insert_resource(Gravity::ZERO);
    app.world_mut()
        .spawn((Plane::new(Vec3::Y), Restitution(0.5), Friction(0.0)));
    let ball = |x: f32| {
        (
            Particle::new(radius),
            Restitution(0.5),
            Friction(0.0),
            Transform::from_xyz(x, 0.0, 0.0),
        )
    };
    let dumbbell = app
        .world_mut()
        .spawn((
            Compound,
            LinearVelocity(Vec3::NEG_Y * speed),
            Transform::from_xyz(0.0, 2.0, 0.0).with_rotation(Quat::from_rotation_z(angle)),
            children![ball(-half), ball(half)],
        ))
        .id();
    let (mass, mut v) = (2.0, -speed);
    while v == -speed {
        app.update();
        v = app
            .world()
            .get::<LinearVelocity>(dumbbell)
            .map_or(0.0, |v| v.y);
    }
    let inertia = mass * (0.4 * radius * radius + half * half);
    let arm = half * angle.cos();
    let law = 1.5 * mass * speed / (1.0 + mass * arm * arm / inertia);
    (mass * (v + speed), law)
}

/// The period of a ball with its mass below its middle, and the one that the law gives, in s.
fn toy() -> (f32, f32) {
    let (radius, below, mass) = (0.5f32, 0.2f32, 2.0f32);
    let mut app = app();
    app.world_mut().spawn((Plane::new(Vec3::Y), Friction(1.0)));
    let toy = app
        .world_mut()
        .spawn((
            Compound,
            CenterOfMass(Vec3::NEG_Y * below),
            Transform::from_xyz(0.0, radius, 0.0).with_rotation(Quat::from_rotation_z(0.1)),
            children![(Particle::new(radius), Mass(mass), Friction(1.0))],
        ))
        .id();
    let (mut crossings, mut before) = (Vec::new(), 0.1);
    for step in 1.. {
        app.update();
        let turn = app
            .world()
            .get::<Transform>(toy)
            .map_or(0.0, |at| at.rotation.z);
        if turn < 0.0 && before >= 0.0 {
            crossings.push((step as f32 - turn / (turn - before)) / HZ as f32);
        }
        before = turn;
        if crossings.len() == 2 {
            break;
        }
    }
    let inertia = 0.4 * mass * radius * radius;
    let lever = radius - below;
    let law = ((inertia + mass * lever * lever) / (mass * G * below)).sqrt();
    (crossings[1] - crossings[0], law * std::f32::consts::TAU)
}

fn main() {
    println!("                                  found      law");
    for (name, (found, law)) in [
        ("dumbbell: momentum in kg·m/s", bounce()),
        ("toy: period in s", toy()),
    ] {
        println!("{name:30} {found:8.4} {law:8.4}");
    }
}

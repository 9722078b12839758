//! Joints beside their closed forms: the period of a pendulum, the stretch of a chain under 50,000 times the mass of a link, and a
//! ball on a spring.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example joints
//! ```

use std::f32::consts::TAU;

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

const HZ: f64 = 60.0;
const G: f32 = 9.81;

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(HZ))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Gravity(Vec3::NEG_Y * G));
    app.update();
    app
}

fn place(app: &App, entity: Entity) -> Vec3 {
    let place = app.world().get::<Transform>(entity);
    place.map_or(Vec3::NAN, |place| place.translation)
}

/// The period in s of a small ball on a rod of 1 m that swings by 0.1 rad to each side.
fn pendulum() -> f32 {
    let mut app = app();
    let at = Vec3::new(0.1f32.sin(), -0.1f32.cos(), 0.0);
    let ball = (Particle::new(0.01), Transform::from_translation(at));
    let ball = app.world_mut().spawn(ball).id();
    app.world_mut()
        .spawn(Joint::distance(None, ball).at(Vec3::ZERO));
    let (mut crossings, mut before, mut step) = (Vec::new(), at.x, 0);
    while crossings.len() < 21 {
        app.update();
        step += 1;
        let x = place(&app, ball).x;
        if before > 0.0 && x <= 0.0 {
            crossings.push((step as f32 - 1.0 + before / (before - x)) / HZ as f32);
        }
        before = x;
    }
    (crossings[20] - crossings[0]) / 20.0
}

/// By how much of its length a chain of 50 balls stretches, with a ball of 50,000 times the mass at its end.
fn chain() -> f32 {
    let mut app = app();
    let mut last = None;
    for k in 1..=50 {
        let place = Transform::from_xyz(0.0, -0.1 * k as f32, 0.0);
        let mass = Mass(if k == 50 { 50_000.0 } else { 1.0 });
        let link = app.world_mut().spawn((Particle::new(0.03), mass, place));
        let link = link.id();
        let joint = match last {
            None => Joint::distance(None, link).at(Vec3::ZERO),
            Some(last) => Joint::distance(last, link),
        };
        app.world_mut().spawn(joint);
        last = Some(link);
    }
    for _ in 0..120 {
        app.update();
    }
    last.map_or(f32::NAN, |last| -place(&app, last).y / 5.0 - 1.0)
}

/// Where a ball on a spring of 3.3 Hz hangs after 1 s, in m below the place where it was let go, and the closed form.
fn spring() -> (f32, f32) {
    let mut app = app();
    let ball = (Particle::new(0.1), Transform::from_xyz(0.0, -1.0, 0.0));
    let ball = app.world_mut().spawn(ball).id();
    let joint = Joint::distance(None, ball).at(Vec3::ZERO);
    app.world_mut()
        .spawn((joint, JointSpring::frequency(3.3, 0.0)));
    for _ in 0..60 {
        app.update();
    }
    let w = TAU * 3.3;
    let law = G / (w * w) * (1.0 - w.cos());
    (-1.0 - place(&app, ball).y, law)
}

fn main() {
    // T = 2π·√(L/g)·(1 + θ²/16 + …), with the ball's own spin: L + I/(m·L).
    let length = 1.0 + 0.4 * 0.01f32.powi(2);
    let law = TAU * (length / G).sqrt() * (1.0 + 0.01 / 16.0);
    println!(
        "pendulum: a period of {:.4} s, and the law says {law:.4} s",
        pendulum()
    );
    println!(
        "chain: {:.1e} of its length longer than it was made",
        chain()
    );
    let (way, law) = spring();
    println!("spring: {way:.5} m below after 1 s, and the law says {law:.5} m");
}

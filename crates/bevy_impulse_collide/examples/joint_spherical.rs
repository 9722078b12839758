//! A spherical joint holds a ball at a point of the world: a pendulum that swings far out. Its period is
//! T = 2π·√(I/(m·g·L)) / M(1, cos(θ/2)), with the arithmetic-geometric mean M, which gives the elliptic integral.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example joint_spherical
//! ```

use std::f32::consts::TAU;

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

const HZ: f64 = 60.0;
const G: f32 = 9.81;
const LENGTH: f32 = 1.0;
const RADIUS: f32 = 0.1;

/// The mean time in s from one passage of the lowest point to the next but one, over ten of them.
fn period(angle: f32) -> f32 {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(HZ))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();

    let start = LENGTH * Vec3::new(angle.sin(), -angle.cos(), 0.0);
    let ball = (
        Particle::new(RADIUS),
        SleepingDisabled,
        Transform::from_translation(start),
    );
    let ball = app.world_mut().spawn(ball).id();
    app.world_mut()
        .spawn(Joint::spherical(None, ball).at(Vec3::ZERO));
    let (mut crossings, mut before, mut step) = (Vec::new(), start.x, 0.0);
    while crossings.len() < 11 {
        app.update();
        step += 1.0;
        let place = app.world().get::<Transform>(ball);
        let x = place.map_or(f32::NAN, |place| place.translation.x);
        if before > 0.0 && x <= 0.0 {
            crossings.push((step - 1.0 + before / (before - x)) / HZ as f32);
        }
        before = x;
    }
    (crossings[10] - crossings[0]) / 10.0
}

fn main() {
    println!("angle, °   period, s   expected");
    for degrees in [5.0f32, 30.0, 60.0, 90.0, 120.0, 150.0] {
        let angle = degrees.to_radians();
        // I/(m·L) = L + 2/5·r²/L: the ball turns with its arm.
        let small = TAU * ((LENGTH + 0.4 * RADIUS * RADIUS / LENGTH) / G).sqrt();
        let (mut a, mut b) = (1.0f32, (0.5 * angle).cos());
        for _ in 0..6 {
            (a, b) = (0.5 * (a + b), (a * b).sqrt());
        }
        println!("{degrees:8} {:11.5} {:10.5}", period(angle), small / a);
    }
}

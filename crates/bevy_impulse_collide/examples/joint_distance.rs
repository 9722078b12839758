//! A distance joint is a rod without mass. A ball goes round on one, as a conical pendulum: T = 2π·√(L·cos(θ)/g), under the tension
//! m·g/cos(θ). A chain of fifty rods does not stretch under 50,000 times the mass of a link.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example joint_distance
//! ```

use std::f32::consts::TAU;

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

const HZ: f64 = 60.0;
const G: f32 = 9.81;
const ANGLE: f32 = 0.8;

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(HZ))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    app
}

fn place(app: &App, entity: Entity) -> Vec3 {
    let place = app.world().get::<Transform>(entity);
    place.map_or(Vec3::NAN, |place| place.translation)
}

fn main() {
    let mut app_of_cone = app();
    let (sin, cos) = ANGLE.sin_cos();
    let rate = (G / cos).sqrt();
    let ball = (
        Particle::new(0.01),
        Mass(2.0),
        LinearVelocity(rate * sin * Vec3::Z),
        Transform::from_xyz(sin, -cos, 0.0),
    );
    let ball = app_of_cone.world_mut().spawn(ball).id();
    let rod = Joint::distance(None, ball).at(Vec3::ZERO);
    let rod = app_of_cone.world_mut().spawn(rod).id();
    let (mut turned, mut before) = (0.0, place(&app_of_cone, ball));
    for _ in 0..600 {
        app_of_cone.update();
        let now = place(&app_of_cone, ball);
        turned += before.xz().angle_to(now.xz());
        before = now;
    }
    let force = app_of_cone.world().get::<JointForce>(rod);
    let tension = force.map_or(0.0, |it| it.force.length());
    println!("                 found   expected");
    println!(
        "period, s   {:10.5} {:10.5}",
        TAU * 10.0 / turned,
        TAU / rate
    );
    println!("tension, N  {tension:10.4} {:10.4}", 2.0 * G / cos);

    let (mut app, mut last) = (app(), None);
    for k in 1..=50 {
        let at = Transform::from_xyz(0.0, -0.1 * k as f32, 0.0);
        let mass = Mass(if k == 50 { 50_000.0 } else { 1.0 });
        let link = app.world_mut().spawn((Particle::new(0.03), mass, at)).id();
        let joint = Joint::distance(last, link);
        let end = at.translation + 0.1 * Vec3::Y;
        (app.world_mut()).spawn(if last.is_some() { joint } else { joint.at(end) });
        last = Some(link);
    }
    (0..120).for_each(|_| app.update());
    let length = last.map_or(f32::NAN, |last| -place(&app, last).y);
    println!("chain, m    {length:10.5} {:10.5}", 5.0);
}

//! A ball falls on a floor and bounces. With restitution e, bounce number n ends at the height H·e²ⁿ.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example first_bounce
//! ```

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

const RADIUS: f32 = 0.1;
const HEIGHT: f32 = 1.0;
const RESTITUTION: f32 = 0.8;

fn main() {
    let mut app = App::new();
    // Every update makes exactly one step of 1/60 s.
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));

    // The floor states no restitution, so the ball's value holds for the pair.
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let ball = app.world_mut().spawn((
        Particle::new(RADIUS),
        Restitution(RESTITUTION),
        Transform::from_xyz(0.0, HEIGHT + RADIUS, 0.0),
    ));
    let ball = ball.id();

    println!("bounce   apex, m   H·e²ⁿ, m");
    let (mut bounce, mut speed_before) = (0, 0.0);
    for _ in 0..60 * 4 {
        app.update();
        let (height, speed) = height_and_speed(&app, ball);
        if speed_before < 0.0 && speed > 0.0 {
            bounce += 1;
            // The ball is on its way up. Its energy tells the apex: y + v²/(2·g).
            let apex = height + speed * speed / (2.0 * 9.81);
            let expected = HEIGHT * RESTITUTION.powi(2 * bounce);
            println!("{bounce:6} {apex:9.5} {expected:10.5}");
        }
        speed_before = speed;
    }
}

/// Height of the gap under the ball in m, and its velocity along Y in m/s.
fn height_and_speed(app: &App, ball: Entity) -> (f32, f32) {
    let ball = app.world().entity(ball);
    let x = ball.get::<Transform>().expect("a Particle has one");
    let v = ball.get::<LinearVelocity>().expect("a Particle has one");
    (x.translation.y - RADIUS, v.y)
}

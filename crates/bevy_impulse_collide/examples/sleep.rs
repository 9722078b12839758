//! A ball bounces, comes to rest and falls asleep. Another ball hits it and wakes it. The bounces end after
//! (1 + e)/(1 − e)·√(2·H/g); a body sleeps when it has been quiet for `sleep_delay` more.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example sleep
//! ```

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

const RADIUS: f32 = 0.1;
const HEIGHT: f32 = 1.0;
const E: f32 = 0.5;

fn main() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();

    let delay = app.world().resource::<CollisionConfig>().sleep_delay;
    let bouncing = (1.0 + E) / (1.0 - E) * (2.0 * HEIGHT / 9.81).sqrt();
    println!("expected: asleep soon after {:.2} s", bouncing + delay);

    let ball = |x: f32, gap: f32| {
        (
            Particle::new(RADIUS),
            Restitution(E),
            RollingFriction(0.05),
            Transform::from_xyz(x, gap + RADIUS, 0.0),
        )
    };
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let sleeper = app.world_mut().spawn(ball(0.0, HEIGHT)).id();

    let mut was_asleep = false;
    for step in 1..=600 {
        app.update();
        let t = step as f32 / 60.0;
        if step == 180 {
            println!("{t:6.2} s  another ball rolls in");
            let velocity = LinearVelocity(Vec3::X * 1.5);
            app.world_mut().spawn((ball(-1.0, 0.0), velocity));
        }
        let sleep = app.world().get::<Sleep>(sleeper);
        let is_asleep = sleep.expect("a Particle has one").is_asleep();
        if is_asleep != was_asleep {
            println!("{t:6.2} s  {}", if is_asleep { "asleep" } else { "awake" });
        }
        was_asleep = is_asleep;
    }
}

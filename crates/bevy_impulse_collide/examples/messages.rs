//! A ball hits another one, and three messages tell about it. The impulse is j = (1 + e)·m_ab·v with the reduced mass
//! m_ab = m_a·m_b/(m_a + m_b).
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example messages
//! ```

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

const SPEED: f32 = 3.0;
const RESTITUTION: f32 = 0.5;
const GAP: f32 = 1.0;

fn main() {
    let impulse = (1.0 + RESTITUTION) * (2.0 * 1.0 / (2.0 + 1.0)) * SPEED;
    let seconds = GAP / SPEED;
    println!("expected: an impulse of {impulse} N·s at {seconds:.5} s");

    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Gravity::ZERO)
        .add_systems(FixedLast, tell);
    let (mass, velocity) = (Mass(2.0), LinearVelocity(Vec3::X * SPEED));
    app.world_mut()
        .spawn((Particle::new(0.1), mass, velocity, Restitution(RESTITUTION)));
    let target = Transform::from_xyz(GAP + 0.2, 0.0, 0.0);
    app.world_mut().spawn((Particle::new(0.1), target));
    for _ in 0..60 {
        app.update();
    }
}

fn tell(
    mut started: MessageReader<CollisionStarted>,
    mut impacts: MessageReader<Impact>,
    mut ended: MessageReader<CollisionEnded>,
    time: Res<Time>,
) {
    let end = time.elapsed_secs();
    for impact in impacts.read() {
        let (t, j) = (end - time.delta_secs() + impact.time, impact.impulse);
        println!("impact at {t:.5} s: {:.5} N·s", j.length());
    }
    for CollisionStarted { a, b } in started.read() {
        println!("{a} and {b} touch in the step that ends at {end:.5} s");
    }
    for CollisionEnded { a, b, .. } in ended.read() {
        println!("{a} and {b} part in the step that ends at {end:.5} s");
    }
}

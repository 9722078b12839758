//! A goal counts balls, however fast they are: a sensor is crossed at its own time inside the step.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example sensor
//! ```

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

fn main() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_systems(Startup, setup)
        .add_systems(FixedPostUpdate, tell.after(ImpulseSystems::WriteBack));
    for _ in 0..60 {
        app.update();
    }
}

fn setup(mut commands: Commands) {
    // The goal is 10 cm deep. At 300 m/s, a ball flies 5 m in a step.
    let goal = (Sensor, Collider::cuboid(0.1, 3.0, 3.0));
    commands.spawn((Name::new("goal"), goal));
    for (name, speed) in [("slow", 10.0), ("fast", 300.0)] {
        commands.spawn((
            Name::new(name),
            Particle::new(0.1),
            LinearVelocity(Vec3::X * speed),
            Transform::from_xyz(-4.0, 0.0, 0.0),
        ));
    }
}

fn tell(
    mut entered: MessageReader<SensorEntered>,
    mut left: MessageReader<SensorLeft>,
    names: Query<&Name>,
    time: Res<Time>,
) {
    let name = |entity: Entity| names.get(entity).map(Name::as_str).unwrap_or_default();
    let start = time.elapsed_secs() - time.delta_secs();
    for it in entered.read() {
        println!(
            "{:.5} s: the {} ball enters the {}",
            start + it.time,
            name(it.body),
            name(it.sensor)
        );
    }
    for it in left.read() {
        println!(
            "{:.5} s: the {} ball leaves the {}",
            start + it.time,
            name(it.body),
            name(it.sensor)
        );
    }
}

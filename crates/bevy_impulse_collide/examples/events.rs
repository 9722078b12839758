//! A glass ball breaks if something hits it hard. An observer on the ball hears of its impacts alone.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example events
//! ```

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

/// Impulse in N·s that breaks the glass.
const STRENGTH: f32 = 4.0;

fn main() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_systems(Startup, setup);
    for _ in 0..180 {
        app.update();
    }
}

fn setup(mut commands: Commands) {
    commands.spawn((Plane::new(Vec3::Y), Restitution(0.3)));
    for (name, height) in [("low", 0.5), ("high", 3.0)] {
        let place = Transform::from_xyz(height, height, 0.0);
        let glass = (Name::new(name), Particle::new(0.1), CollisionEvents, place);
        commands.spawn(glass).observe(break_glass);
    }
}

fn break_glass(hit: On<Impact>, names: Query<&Name>, mut commands: Commands) {
    let Ok(name) = names.get(hit.a) else {
        return;
    };
    let impulse = hit.impulse.length();
    println!("the {name} glass is hit with {impulse:.2} N·s");
    if impulse > STRENGTH {
        println!("it breaks");
        commands.entity(hit.a).despawn();
    }
}

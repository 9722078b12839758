//! Two balls fall on a floor that collides with players: the player stays on it, and the ghost falls through.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example layers
//! ```

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

#[derive(PhysicsLayer)]
enum Layer {
    Ground,
    Player,
    Ghost,
}

fn main() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let world = app.world_mut();
    world.spawn((
        Plane::new(Vec3::Y),
        CollisionLayers::new(Layer::Ground, Layer::Player),
    ));
    let player = CollisionLayers::new(Layer::Player, [Layer::Ground, Layer::Player]);
    let ghost = CollisionLayers::new(Layer::Ghost, LayerMask::ALL);
    let [player, ghost] = [(-1.0, player), (1.0, ghost)].map(|(x, layers)| {
        let ball = (Particle::new(0.5), layers, Transform::from_xyz(x, 1.0, 0.0));
        world.spawn(ball).id()
    });
    for _ in 0..120 {
        app.update();
    }
    for (name, ball) in [("player", player), ("ghost", ghost)] {
        if let Some(transform) = app.world().get::<Transform>(ball) {
            println!(
                "the {name} is at a height of {:.2} m",
                transform.translation.y
            );
        }
    }
}

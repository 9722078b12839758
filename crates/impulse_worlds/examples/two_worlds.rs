//! One throw, in two worlds at once: on the earth, which is the app's own world, and on the moon, in slow motion. The moon's world
//! stands on a table of the earth, and the table rises with it. Halfway, the astronaut's second ball comes from the earth.
//!
//! ```sh
//! cargo run -p bevy_impulse_worlds --example two_worlds
//! ```

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;
use bevy_impulse_worlds::{SubWorld, SubWorldsPlugin, WorldClock};

const HZ: f64 = 60.0;

fn main() {
    let mut app = App::new();
    app.add_plugins((
        TimePlugin,
        ImpulseCollidePlugin { interpolate: false },
        SubWorldsPlugin,
    ))
    .insert_resource(Time::<Fixed>::from_hz(HZ))
    .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
    .add_systems(Update, tell_hits);
    app.update(); // No time passes in the first update.

    // The moon is a component of an entity. Here that entity is a table too, a body of the app's own world, that a user lifts.
    let moon = SubWorld::new()
        .with(Gravity(Vec3::NEG_Y * 1.62))
        .with_clock(WorldClock::from_hz(HZ).scaled(0.5));
    let table = (
        Name::new("table"),
        Collider::cuboid(4.0, 0.1, 4.0),
        RigidBody::Kinematic,
        LinearVelocity(Vec3::Y * 0.1),
        Transform::from_xyz(5.0, 1.0, 0.0),
    );
    let table = app.world_mut().spawn((moon, table)).id();

    // What has InWorld is in the moon's world: there the ground is at y = 0. As children of the table they are drawn on it.
    let on_moon = || (InWorld(table), ChildOf(table));
    let ball = |name: &'static str| {
        (
            Name::new(name),
            Particle::new(0.1),
            Restitution(0.5),
            LinearVelocity(Vec3::Y * 3.0),
            Transform::from_xyz(0.0, 0.1, 0.0),
        )
    };
    let world = app.world_mut();
    world.spawn((Name::new("the earth's ground"), Plane::new(Vec3::Y)));
    world.spawn((
        Name::new("the moon's ground"),
        Plane::new(Vec3::Y),
        on_moon(),
    ));
    let of_earth = world.spawn(ball("the earth's ball")).id();
    let of_moon = world.spawn((ball("the moon's ball"), on_moon())).id();

    println!("  t, s  on the earth: y, m    v, m/s  on the moon: y, m    v, m/s   table: y, m");
    for step in 1..=480 {
        app.update();
        if step == 120 {
            println!("the earth's ball goes to the moon");
            app.world_mut().entity_mut(of_earth).insert(on_moon());
        }
        if step % 40 == 0 {
            let of = |entity: Entity| {
                let entity = app.world().entity(entity);
                let place = entity.get::<Transform>().expect("a body has a place");
                let motion = entity.get::<LinearVelocity>().expect("it moves");
                (place.translation.y, motion.y)
            };
            let ((y, v), (moon_y, moon_v)) = (of(of_earth), of(of_moon));
            let t = f64::from(step) / HZ;
            println!(
                "{t:6.2} {y:19.3} {v:9.3} {moon_y:18.3} {moon_v:9.3} {:14.3}",
                of(table).0
            );
        }
    }
}

/// The messages of both worlds come to the same reader.
fn tell_hits(mut hits: MessageReader<Impact>, names: Query<&Name>) {
    for hit in hits.read().filter(|hit| hit.approach_speed > 0.5) {
        if let Ok([a, b]) = names.get_many([hit.a, hit.b]) {
            println!("{a} and {b} meet at {:.2} m/s", hit.approach_speed);
        }
    }
}

//! Three flippers turn through the same angle and hit a ball at the same distance d from their axle. One has a `Pivot` and an
//! angular velocity, one is a child of a turning axle, and one is moved by its `Transform`. Each ball leaves with 2·ω·d.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example flipper
//! ```

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

/// Of the flippers, in rad/s.
const SPIN: f32 = 6.0;
/// From the axle to the ball, in m.
const DISTANCE: f32 = 0.8;
const HZ: f32 = 240.0;
const RADIUS: f32 = 0.05;

fn main() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(HZ.into()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Gravity::ZERO)
        .add_systems(FixedUpdate, swing);
    app.update();

    let elastic = (Restitution(1.0), Friction(0.0));
    let blade = || (Collider::cuboid(1.0, 0.1, 0.2), elastic);
    let spins = (RigidBody::Kinematic, AngularVelocity(Vec3::Z * SPIN));
    let middle = Vec3::X * 0.5;
    let at = |z: f32| Transform::from_xyz(0.0, 0.0, z);
    let world = app.world_mut();
    world.spawn((
        blade(),
        spins,
        Pivot(-middle),
        at(0.0).with_translation(middle),
    ));
    world
        .spawn((Collider::cylinder(0.05, 0.2), spins, at(1.0)))
        .with_child((blade(), Transform::from_translation(middle)));
    world.spawn((
        blade(),
        MovedByTransform::default(),
        Pivot(-middle),
        at(2.0).with_translation(middle + Vec3::Z * 2.0),
    ));

    // The blades' upper faces lie on the balls at this angle.
    let turned = Quat::from_rotation_z(0.3);
    let balls = [0.0, 1.0, 2.0].map(|z| {
        let place = turned * Vec3::new(DISTANCE, 0.05 + RADIUS, z);
        let place = Transform::from_translation(place);
        world.spawn((Particle::new(RADIUS), elastic, place)).id()
    });
    for _ in 0..20 {
        app.update();
    }
    println!("2·ω·d is {:.4} m/s", 2.0 * SPIN * DISTANCE);
    for (ball, flipper) in balls
        .into_iter()
        .zip(["Pivot", "child", "MovedByTransform"])
    {
        let v = app.world().get::<LinearVelocity>(ball);
        let v = v.expect("a Particle has one").length();
        println!("{flipper:>16}: {v:.4} m/s");
    }
}

/// Turns the third flipper about its axle.
fn swing(mut flippers: Query<&mut Transform, With<MovedByTransform>>) {
    for mut flipper in &mut flippers {
        let axle = Vec3::new(0.0, 0.0, flipper.translation.z);
        flipper.rotate_around(axle, Quat::from_rotation_z(SPIN / HZ));
    }
}

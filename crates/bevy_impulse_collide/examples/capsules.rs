//! A ball, a capsule and a capsule with the inertia of a rod roll down a slope. Without slip, a = g·sin α/(1 + I/(m·r²)),
//! with I about the axis of the rotation.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example capsules
//! ```

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::{kernel::capsule_inertia, prelude::*};

const RADIUS: f32 = 0.2;
const LENGTH: f32 = 0.6;
const ANGLE: f32 = 0.2;
const G: f32 = 9.81;

fn main() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(240.0))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();

    let normal = Vec3::new(ANGLE.sin(), ANGLE.cos(), 0.0);
    app.world_mut().spawn((Plane::new(normal), Friction(0.5)));
    // The axis of a capsule is its local Y. Turned to Z, it lies across the slope.
    let lane = |z: f32| {
        Transform::from_translation(normal * RADIUS + Vec3::Z * z)
            .with_rotation(Quat::from_rotation_x(std::f32::consts::FRAC_PI_2))
    };
    let capsule = Capsule::new(RADIUS, LENGTH);
    let world = app.world_mut();
    let ball = world.spawn((Particle::new(RADIUS), lane(-2.0))).id();
    let solid = world.spawn((capsule, lane(0.0))).id();
    let rod = world.spawn((capsule, RodInertia, lane(2.0))).id();

    let seconds = 1.0;
    for _ in 0..240 {
        app.update();
    }
    println!("body                I/(m·r²)   a, m/s²   expected");
    let solid_inertia = capsule_inertia(1.0, RADIUS, LENGTH).0 / (RADIUS * RADIUS);
    for (name, body, inertia) in [
        ("ball", ball, 0.4),
        ("capsule", solid, solid_inertia),
        ("capsule as a rod", rod, 0.5),
    ] {
        let v = app.world().get::<LinearVelocity>(body);
        let a = v.expect("a shape has one").length() / seconds;
        let expected = G * ANGLE.sin() / (1.0 + inertia);
        println!("{name:18} {inertia:9.4} {a:9.4} {expected:10.4}");
    }
}

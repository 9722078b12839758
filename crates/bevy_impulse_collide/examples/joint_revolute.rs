//! A revolute joint is a hinge. A motor with a torque τ opens a door with the inertia I about it, by the angle τ·t²/(2·I), up to a limit.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example joint_revolute
//! ```

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::{kernel::capsule_inertia, prelude::*};

const HZ: f64 = 60.0;
const RADIUS: f32 = 0.05;
const WIDTH: f32 = 0.8;
const MASS: f32 = 10.0;
const TORQUE: f32 = 3.0;
const LIMIT: f32 = 1.5;

fn main() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(HZ))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    app.insert_resource(Gravity::ZERO);
    // A capsule lies along Y: this one is turned to lie along X, with one end of its cylinder at the hinge.
    let flat = Quat::from_rotation_z(-std::f32::consts::FRAC_PI_2);
    let door = (
        Capsule::new(RADIUS, WIDTH),
        Mass(MASS),
        Transform::from_xyz(0.5 * WIDTH, 0.0, 0.0).with_rotation(flat),
    );
    let door = app.world_mut().spawn(door).id();
    app.world_mut().spawn((
        Joint::revolute(None, door, Vec3::Y).at(Vec3::ZERO),
        JointLimits::new(0.0, LIMIT),
        JointMotor::velocity(100.0).with_max_force(TORQUE),
    ));

    let (_, across) = capsule_inertia(MASS, RADIUS, WIDTH);
    let inertia = across + MASS * (0.5 * WIDTH).powi(2);
    println!("  t, s   angle, rad   expected");
    for step in 1..=96 {
        app.update();
        if step % 12 != 0 {
            continue;
        }
        let t = step as f32 / HZ as f32;
        let expected = (0.5 * TORQUE / inertia * t * t).min(LIMIT);
        let place = app.world().get::<Transform>(door).expect("it has one");
        let angle = (-place.translation.z).atan2(place.translation.x);
        println!("{t:6.3} {angle:12.5} {expected:10.5}");
    }
}

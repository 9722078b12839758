//! A fixed joint makes one body of two. A ball hits one of two joined balls: the impact passes through the joint at once, and gives the
//! impulse P = (1 + e)·v / (1/m + 1/M + x²/I), as with one body of the mass M and the inertia I that is hit x beside its centre.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example joint_fixed
//! ```

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

const HZ: f64 = 60.0;
const RADIUS: f32 = 0.2;
const HALF: f32 = 0.4;
const SPEED: f32 = 3.0;
const BOUNCE: f32 = 0.5;

fn main() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(HZ))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    app.insert_resource(Gravity::ZERO);
    let mut ball = |x: f32, y: f32, v: f32| {
        let ball = (
            Particle::new(RADIUS),
            Mass(1.0),
            Restitution(BOUNCE),
            Friction(0.0),
            LinearVelocity(v * Vec3::Y),
            Transform::from_xyz(x, y, 0.0),
        );
        app.world_mut().spawn(ball).id()
    };
    let [left, right] = [ball(-HALF, 0.0, 0.0), ball(HALF, 0.0, 0.0)];
    let cue = ball(HALF, 1.0, -SPEED);
    app.world_mut().spawn(Joint::fixed(left, right));
    for _ in 0..20 {
        app.update();
    }

    let inertia = 2.0 * (0.4 * RADIUS * RADIUS + HALF * HALF);
    let impulse = (1.0 + BOUNCE) * SPEED / (1.0 + 0.5 + HALF * HALF / inertia);
    let (v, w) = (-0.5 * impulse, -HALF * impulse / inertia);
    let velocity = |entity: Entity| app.world().get::<LinearVelocity>(entity).map(|v| v.0);
    let [v_cue, v_left, v_right] = [cue, left, right].map(|it| velocity(it).unwrap_or(Vec3::NAN));
    let spin = app.world().get::<AngularVelocity>(left).map(|w| w.z);
    println!("                         found   expected");
    println!(
        "ball after it, m/s  {:10.5} {:10.5}",
        v_cue.y,
        impulse - SPEED
    );
    println!(
        "both halves, m/s    {:10.5} {v:10.5}",
        0.5 * (v_left + v_right).y
    );
    println!(
        "their turn, rad/s   {:10.5} {w:10.5}",
        spin.unwrap_or(f32::NAN)
    );
}

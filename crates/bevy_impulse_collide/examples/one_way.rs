//! A one-way platform: a ball comes up through it, and lies on it. A hook decides which pairs collide.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example one_way
//! ```

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

#[derive(Component)]
struct OneWay;

fn main() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_systems(Startup, setup)
        .add_systems(PairHooks, let_through_from_below)
        .add_systems(Update, print);
    for _ in 0..120 {
        app.update();
    }
}

fn setup(mut commands: Commands) {
    commands.spawn((OneWay, CollisionHooks, Collider::cuboid(4.0, 0.2, 4.0)));
    commands.spawn((
        Particle::new(0.2),
        LinearVelocity(Vec3::Y * 7.5),
        Transform::from_xyz(0.0, -1.5, 0.0),
    ));
}

fn let_through_from_below(mut pairs: ResMut<NearPairs>, platforms: Query<(), With<OneWay>>) {
    for pair in pairs.iter_mut() {
        // While the two touch, the decision stays.
        if pair.gap <= 0.0 {
            continue;
        }
        let (platform, body) = if platforms.contains(pair.a) {
            (pair.a, pair.b)
        } else {
            (pair.b, pair.a)
        };
        let is_above = pair.normal_on(body).is_some_and(|normal| normal.y > 0.5);
        pair.is_ignored = platforms.contains(platform) && !is_above;
    }
}

fn print(balls: Query<&Transform, With<Particle>>, mut frame: Local<u32>) {
    for ball in &balls {
        if frame.is_multiple_of(10) {
            println!(
                "{:.2} s: height {:.2} m",
                *frame as f32 / 60.0,
                ball.translation.y
            );
        }
    }
    *frame += 1;
}

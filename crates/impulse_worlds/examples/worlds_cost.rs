//! What a sub-world costs a step: a gas of balls in an app, and the same as members of a sub-world, by turns. Then two sub-worlds in one
//! app, which step at once, beside two apps with one each, one after another.
//!
//! ```sh
//! cargo run -p bevy_impulse_worlds --example worlds_cost -- 1000 10000
//! ```

use std::time::{Duration, Instant};

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;
use bevy_impulse_worlds::{SubWorld, SubWorldsPlugin};

/// Steps before the first that is timed, and steps that are timed.
const STEPS: [usize; 2] = [60, 300];

/// In each of two worlds.
const IN_EACH: usize = 5000;

fn main() {
    let counts: Vec<usize> = std::env::args()
        .skip(1)
        .filter_map(|count| count.parse().ok())
        .collect();
    let counts = match counts.is_empty() {
        true => vec![1000, 10_000],
        false => counts,
    };
    println!("{:>28} {:>11} {:>11}", "", "median ms", "worst ms");
    for count in counts {
        let mut apps = [app(&[]), app(&[count])];
        spawn_gas(apps[0].world_mut(), count, ());
        let [alone, member] = time(&mut apps, |apps, times| {
            for (app, times) in apps.iter_mut().zip(times) {
                times.push(update(app));
            }
        });
        print(&format!("{count} balls in the app"), alone);
        print(&format!("{count} balls in a sub-world"), member);
    }
    let mut apps = [app(&[IN_EACH, IN_EACH]), app(&[IN_EACH]), app(&[IN_EACH])];
    let [at_once, by_turns] = time(&mut apps, |apps, times| {
        times[0].push(update(&mut apps[0]));
        let first = update(&mut apps[1]);
        times[1].push(first + update(&mut apps[2]));
    });
    print(&format!("2 x {IN_EACH} balls at once"), at_once);
    print("one after another", by_turns);
}

/// An app with a sub-world for each of these numbers of balls.
fn app(worlds: &[usize]) -> App {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        TimePlugin,
        ImpulseCollidePlugin { interpolate: false },
        SubWorldsPlugin,
    ))
    .insert_resource(Time::<Fixed>::from_hz(60.0))
    .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
    .insert_resource(Gravity::ZERO);
    app.update();
    for &count in worlds {
        let world = SubWorld::new().with(Gravity::ZERO);
        let world = app.world_mut().spawn(world).id();
        spawn_gas(app.world_mut(), count, InWorld(world));
    }
    app
}

/// Balls in a box, all of which move and never rest.
fn spawn_gas(world: &mut World, count: usize, tag: impl Bundle + Copy) {
    let side = (count as f32).cbrt().ceil();
    for wall in [Vec3::X, Vec3::Y, Vec3::Z] {
        world.spawn((Plane::new(wall), Restitution(1.0), tag));
        let far = Transform::from_translation(0.3 * side * wall);
        world.spawn((Plane::new(-wall), Restitution(1.0), far, tag));
    }
    for k in 0..count {
        let k = k as f32;
        let place = Vec3::new(
            k % side,
            (k / side).floor() % side,
            (k / side / side).floor(),
        );
        let velocity = Vec3::new((1.1 * k).sin(), (2.3 * k).sin(), (3.7 * k).sin());
        world.spawn((
            Particle::new(0.1),
            Restitution(1.0),
            LinearVelocity(velocity),
            Transform::from_translation(0.3 * (place + 0.5)),
            tag,
        ));
    }
}

fn update(app: &mut App) -> Duration {
    let start = Instant::now();
    app.update();
    start.elapsed()
}

/// Times two ways to do the same, by turns.
fn time<const N: usize>(
    apps: &mut [App; N],
    mut step: impl FnMut(&mut [App; N], &mut [Vec<Duration>; 2]),
) -> [Vec<Duration>; 2] {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..STEPS[0] {
        step(apps, &mut times);
    }
    times = [Vec::new(), Vec::new()];
    for _ in 0..STEPS[1] {
        step(apps, &mut times);
    }
    times
}

fn print(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let ms = |time: Duration| 1e3 * time.as_secs_f64();
    let (median, worst) = (ms(times[times.len() / 2]), ms(times[times.len() - 1]));
    println!("{what:>28} {median:>11.2} {worst:>11.2}");
}

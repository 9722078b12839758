//! When worlds fall asleep, and what a step of them costs then.
//!
//! ```sh
//! cargo run --release --manifest-path benches/Cargo.toml --bin sleepers
//! ```
//!
//! A step is a whole update of the app. The update of an app without bodies is subtracted: both are timed in turn, because a busy
//! machine takes much longer in some minutes to wake the threads of Bevy's schedules.

use std::f32::consts::TAU;

use benches::{
    engine::{all_threads, impulse},
    scene::{HZ, Scene, SceneKind},
    times::{Times, step_ms},
    worlds::empty_app,
};
use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

/// Updates that are timed in a row, and how often.
const TIMED: usize = 20;
const TURNS: usize = 20;
/// Updates that are timed at the start, before a body can sleep.
const TIMED_AWAKE: usize = 20;
/// Steps in which a ball wakes that are timed.
const TIMED_WAKING: usize = 200;
/// Seconds after which a world that is awake is left as it is.
const PATIENCE: f64 = 40.0;

fn main() {
    let mut empty = app(|_| ());
    println!(
        "| scene | asleep after, s | after one more ball, s | ms a step awake | ms a step asleep | ms a step in which one ball wakes, median and worst |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    let capsules = SceneKind {
        capsules: true,
        ..sleepy()
    };
    row(
        "10,000 balls, a heap",
        &mut empty,
        heap(10_000, sleepy()),
        true,
    );
    row(
        "2,000 capsules, a heap",
        &mut empty,
        heap(2_000, capsules),
        true,
    );
    row(
        "1,000 balls in a drum that stops after 5 s",
        &mut empty,
        drum(),
        true,
    );
    row(
        "10,000 balls apart",
        &mut empty,
        app(|world| apart(world, 100, false)),
        false,
    );
    row(
        "the same, and one that rolls",
        &mut empty,
        app(|world| apart(world, 100, true)),
        false,
    );
    row(
        "100,000 balls apart",
        &mut empty,
        app(|world| apart(world, 317, false)),
        false,
    );
}

fn sleepy() -> SceneKind {
    SceneKind {
        sleep: true,
        ..SceneKind::default()
    }
}

fn heap(bodies: usize, kind: SceneKind) -> App {
    impulse::spawn(&Scene::new(bodies, kind), all_threads()).app
}

fn app(spawn: impl FnOnce(&mut World)) -> App {
    let mut app = empty_app();
    spawn(app.world_mut());
    app
}

/// So many balls along each side of a square on a floor, not near each other.
fn apart(world: &mut World, side: i32, with_a_roller: bool) {
    world.spawn(Plane::new(Vec3::Y));
    for i in 0..side * side {
        let (column, line) = (i % side, i / side);
        let x = Vec3::new(0.3 * column as f32, 0.1, 0.3 * line as f32);
        world.spawn((Particle::new(0.1), Transform::from_translation(x)));
    }
    if with_a_roller {
        let x = Vec3::new(-1.0, 0.1, 0.0);
        let v = Vec3::NEG_X;
        world.spawn((
            Particle::new(0.1),
            Transform::from_translation(x),
            LinearVelocity(v),
            AngularVelocity(-v.cross(Vec3::Y) / 0.1),
            Roller,
        ));
    }
}

/// A ball that rolls on for ever.
#[derive(Component)]
struct Roller;

/// Twelve kinematic planes turn about Z; two static ones close the ends.
fn drum() -> App {
    const RADIUS: f32 = 1.6;
    let mut app = app(|world| {
        for i in 0..12 {
            let out = Quat::from_rotation_z(TAU * i as f32 / 12.0) * Vec3::X;
            world.spawn((
                Plane::new(-out),
                Transform::from_translation(RADIUS * out),
                Wall,
            ));
        }
        for z in [Vec3::Z, Vec3::NEG_Z] {
            world.spawn((Plane::new(-z), Transform::from_translation(z)));
        }
        for i in 0..1000 {
            let x = Vec3::new((i % 10) as f32, (i / 10 % 10) as f32, (i / 100) as f32);
            let x = 0.19 * (x - 4.5) + 1e-3 * Vec3::new((i % 7) as f32, 0.0, (i % 5) as f32);
            let look = (Friction(0.3), Restitution(0.2));
            world.spawn((Particle::new(0.07), look, Transform::from_translation(x)));
        }
    });
    for _ in 0..(5.0 * HZ) as usize {
        turn(&mut app, 1.0);
        app.update();
    }
    turn(&mut app, 0.0);
    app
}

#[derive(Component)]
struct Wall;

/// Gives the walls of the drum the velocities of a rotation about its axis.
fn turn(app: &mut App, speed: f32) {
    let world = app.world_mut();
    let mut walls = world.query_filtered::<(Entity, &Transform), With<Wall>>();
    let walls: Vec<_> = walls
        .iter(world)
        .map(|(wall, at)| (wall, at.translation))
        .collect();
    for (wall, x) in walls {
        let kind = if speed == 0.0 {
            RigidBody::Static
        } else {
            RigidBody::Kinematic
        };
        let spin = speed * Vec3::Z;
        let motion = (LinearVelocity(spin.cross(x)), AngularVelocity(spin));
        world.entity_mut(wall).insert((kind, motion));
    }
}

fn row(scene: &str, empty: &mut App, mut app: App, with_one_more: bool) {
    let awake = update_ms(&mut app, TIMED_AWAKE) - update_ms(empty, TIMED_AWAKE);
    let before = TIMED_AWAKE as f64 / HZ;
    let first = seconds_to_sleep(&mut app).map(|seconds| seconds + before);
    let again = (first.is_some() && with_one_more).then(|| {
        let x = Transform::from_xyz(0.0, top(&mut app) + 0.5, 0.0);
        app.world_mut()
            .spawn((Particle::new(0.1), Friction(0.3), Restitution(0.2), x));
        app.update();
        seconds_to_sleep(&mut app)
    });
    let turns = (0..TURNS).map(|_| update_ms(&mut app, TIMED) - update_ms(empty, TIMED));
    let asleep = Times::new(turns.collect()).median();
    let seconds = |s: Option<f64>| s.map_or_else(|| "awake".to_owned(), |s| format!("{s:.1}"));
    let again = again.map_or_else(String::new, seconds);
    let waking = match with_one_more {
        true => String::new(),
        false => waking(&mut app, empty),
    };
    println!(
        "| {scene} | {} | {again} | {awake:.3} | {asleep:.3} | {waking} |",
        seconds(first)
    );
}

/// The median and the worst time of an update before which another sleeper is pushed along the floor; it soon sleeps again.
fn waking(app: &mut App, empty: &mut App) -> String {
    let world = app.world_mut();
    let mut balls = world.query_filtered::<Entity, (With<Particle>, Without<Roller>)>();
    let balls: Vec<_> = balls.iter(world).step_by(7).take(TIMED_WAKING).collect();
    let mut times: Vec<_> = balls
        .iter()
        .map(|&ball| {
            let mut ball = app.world_mut().entity_mut(ball);
            ball.insert(LinearVelocity(0.01 * Vec3::X));
            update_ms(app, 1) - update_ms(empty, 1)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    format!(
        "{:.3}, {:.3}",
        times[times.len() / 2],
        times[times.len() - 1]
    )
}

/// The height of the highest body, in m.
fn top(app: &mut App) -> f32 {
    let world = app.world_mut();
    let mut bodies = world.query_filtered::<&Transform, Or<(With<Particle>, With<Capsule>)>>();
    let heights = bodies.iter(world).map(|at| at.translation.y);
    heights.fold(f32::NEG_INFINITY, f32::max)
}

/// Steps until all bodies that should sleep do, and says how long that took.
fn seconds_to_sleep(app: &mut App) -> Option<f64> {
    let most = (PATIENCE * HZ) as usize;
    let steps = (0..most).find(|_| {
        let all = all_sleep(app.world_mut());
        if !all {
            app.update();
        }
        all
    });
    steps.map(|steps| steps as f64 / HZ)
}

fn all_sleep(world: &mut World) -> bool {
    type Sleepers = (Or<(With<Particle>, With<Capsule>)>, Without<Roller>);
    let mut sleeps = world.query_filtered::<&Sleep, Sleepers>();
    sleeps.iter(world).all(|sleep| sleep.is_asleep())
}

/// The median time of so many updates, in ms.
fn update_ms(app: &mut App, updates: usize) -> f64 {
    let times = (0..updates).map(|_| step_ms(&mut || app.update()));
    Times::new(times.collect()).median()
}

//! The pile without a window.

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_impulse_collide::prelude::*;
use clap::Parser;
use scene_kit::{RunOptions, headless::start};

use super::{
    PileOptions, PilePlugin,
    drum::Drum,
    report::{PileReport, pile_report},
};

#[derive(Parser)]
struct Scene {
    #[command(flatten)]
    pile: PileOptions,
}

/// The options of a command line.
fn options(words: &str) -> Result<PileOptions, clap::Error> {
    let words = ["pile"].into_iter().chain(words.split_whitespace());
    Scene::try_parse_from(words).map(|scene| scene.pile)
}

/// A pile as the command line says it, before its first step.
fn pile(words: &str) -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        ImpulseCollidePlugin { interpolate: false },
        PilePlugin(options(words).unwrap()),
    ))
    .insert_resource(RunOptions::default())
    .insert_resource(Time::<Fixed>::from_hz(60.0));
    start(&mut app);
    app
}

fn run(app: &mut App, steps: usize) {
    for _ in 0..steps {
        app.update();
    }
}

fn report(app: &mut App) -> PileReport {
    pile_report(app.world_mut())
}

fn state_hash(app: &mut App) -> u64 {
    let measured = app
        .world_mut()
        .run_system_cached(|measure: Measure| measure.measure().state_hash);
    measured.unwrap()
}

/// Mean over `steps` of the force in N that the bodies of `walls` put on the balls.
fn force_of_walls(app: &mut App, walls: &[Entity], steps: usize) -> Vec3 {
    let mut sum = Vec3::ZERO;
    for _ in 0..steps {
        app.update();
        let h = app.world().resource::<Bodies>().substep();
        for contact in app.world().resource::<Contacts>().iter() {
            if walls.contains(&contact.a) {
                sum -= contact.impulse / h;
            } else if walls.contains(&contact.b) {
                sum += contact.impulse / h;
            }
        }
    }
    sum / steps as f32
}

fn weight(app: &mut App) -> f32 {
    let world = app.world_mut();
    let mut balls = world.query_filtered::<&Mass, With<Particle>>();
    let mass: f32 = balls.iter(world).map(|mass| mass.0).sum();
    mass * Gravity::default().length()
}

fn walls(app: &mut App) -> Vec<Entity> {
    let world = app.world_mut();
    let mut walls = world.query_filtered::<Entity, Or<(With<Plane>, With<Capsule>)>>();
    walls.iter(world).collect()
}

#[test]
fn all_are_poured_and_none_escapes() {
    for (balls, words) in [
        (1, ""),
        (7, "--drum --settled --polydisperse"),
        (300, ""),
        (300, "--polydisperse"),
        (300, "--drum"),
        (300, "--drum --polydisperse"),
    ] {
        let mut app = pile(&format!("--balls {balls} {words}"));
        run(&mut app, 540);
        let report = report(&mut app);
        assert_eq!((report.balls, report.escaped), (balls, 0), "{words}");
    }
}

#[test]
fn stacked_balls_are_there_at_once_and_do_not_touch() {
    for words in [
        "--balls 400 --settled",
        "--balls 400 --settled --polydisperse",
        "--balls 400 --settled --drum",
    ] {
        let mut app = pile(words);
        let report = report(&mut app);
        assert_eq!((report.balls, report.escaped), (400, 0), "{words}");
        let overlap = app
            .world_mut()
            .run_system_cached(|measure: Measure| measure.measure().overlap_max)
            .unwrap();
        assert!(overlap < 1e-4, "{words}: {overlap}");
    }
}

#[test]
fn a_heap_at_rest_presses_on_the_floor_with_its_weight() {
    let mut app = pile("--balls 300 --settled");
    // With walls that carry nothing, the floor carries all.
    let walls = walls(&mut app);
    for &wall in &walls {
        app.world_mut().entity_mut(wall).insert(Friction(0.0));
    }
    run(&mut app, 400);
    let world = app.world_mut();
    let mut floors = world.query::<(Entity, &Plane)>();
    let floor: Vec<Entity> = floors
        .iter(world)
        .filter(|(_, plane)| plane.normal == Vec3::Y)
        .map(|(entity, _)| entity)
        .collect();
    let force = force_of_walls(&mut app, &floor, 60);
    let weight = weight(&mut app);
    assert!((force.y / weight - 1.0).abs() < 0.02, "{force} of {weight}");
}

#[test]
fn the_walls_of_a_drum_at_rest_carry_the_weight() {
    let mut app = pile("--balls 300 --settled --drum --drum-speed 0");
    run(&mut app, 400);
    let walls = walls(&mut app);
    let force = force_of_walls(&mut app, &walls, 60);
    let weight = weight(&mut app);
    let off = force - weight * Vec3::Y;
    assert!(off.length() / weight < 0.02, "{force} of {weight}");
}

/// Where the onlooker sees the only ball, and how it spins for him.
fn seen_from_outside(app: &mut App) -> (Vec3, Vec3) {
    let drum = *app.world().resource::<Drum>();
    let world = app.world_mut();
    let mut balls = world.query::<(&Transform, &AngularVelocity, &Particle)>();
    let (transform, spin, _) = balls.single(world).unwrap();
    (
        drum.rotation() * transform.translation,
        drum.rotation() * (spin.0 + drum.angular_velocity()),
    )
}

/// How far a ball that flies in a drum is from the onlooker's parabola after 0.75 s, and its spin from what it was.
fn off_the_parabola(hz: u16) -> (f32, f32) {
    // A large drum, whose motor is still bringing it to speed.
    let mut app = pile("--balls 10000 --drum --drum-speed 1.5 --settled");
    let h = f64::from(hz).recip();
    app.insert_resource(Time::<Fixed>::from_hz(hz.into()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let world = app.world_mut();
    let mut balls = world.query_filtered::<Entity, With<Particle>>();
    let balls: Vec<Entity> = balls.iter(world).collect();
    for &ball in &balls[1..] {
        world.despawn(ball);
    }
    // Gravity that begins to turn is switched, as a user's is. After that it is a field that turns on.
    run(&mut app, usize::from(hz) / 12);
    let drum = *app.world().resource::<Drum>();
    let start = Vec3::new(1.0, 2.0, 0.5);
    let velocity = Vec3::new(2.0, 1.0, -0.5);
    let spin = Vec3::new(3.0, -1.0, 2.0);
    let (inside, moving, turning) = drum.seen_inside(start, velocity);
    app.world_mut().entity_mut(balls[0]).insert((
        Transform::from_translation(inside).with_scale(Vec3::splat(0.1)),
        LinearVelocity(moving),
        AngularVelocity(drum.rotation().inverse() * spin + turning),
    ));
    let steps = 3 * usize::from(hz) / 4;
    run(&mut app, steps);
    assert!(app.world().resource::<Drum>().angular_velocity().z > 0.3);
    let t = (steps as f64 * h) as f32;
    let expected = start + velocity * t + 0.5 * t * t * Gravity::default().0;
    let (position, now) = seen_from_outside(&mut app);
    (position.distance(expected), now.distance(spin))
}

#[test]
fn in_flight_the_drum_leaves_the_onlookers_parabola_alone() {
    // The step is of second order.
    for (hz, most) in [(60, 3e-4), (120, 7.5e-5), (240, 2e-5)] {
        let (position, spin) = off_the_parabola(hz);
        assert!(position < most, "{position} m at {hz} Hz");
        // The angular velocity shown is a step's second order off, as its rate changes.
        assert!(spin < 1e-3, "{spin} rad/s at {hz} Hz");
    }
}

#[test]
fn the_same_seed_gives_the_same_bits() {
    for words in ["--balls 200 --polydisperse", "--balls 200 --drum --settled"] {
        let hash = || {
            let mut app = pile(words);
            run(&mut app, 120);
            state_hash(&mut app)
        };
        assert_eq!(hash(), hash(), "{words}");
    }
}

#[test]
fn bad_counts_and_speeds_are_refused() {
    for words in [
        "--balls 0",
        "--balls 1000001",
        "--balls -3",
        "--balls many",
        "--drum --drum-speed nan",
        "--drum-speed 1",
        "--friction -0.1",
    ] {
        assert!(options(words).is_err(), "{words}");
    }
    assert!(options("--balls 1000000 --drum --drum-speed -0.5").is_ok());
}

//! Laws of the rubble.

use bevy::{math::DVec3, prelude::*};
use bevy_impulse_collide::prelude::*;
use clap::Parser;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use scene_kit::{RunOptions, headless::start, scene_app};

use super::{
    RATE, RubbleOptions, RubblePlugin, RubbleReport,
    boulder::{Body, DENSITY},
    rubble_report,
    sphere::{Sphere, outline},
    stone::{BALLS, Stone},
};
use crate::gathering::heap::Rock;

#[derive(Parser)]
struct Scene {
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    rubble: RubbleOptions,
}

/// A cloud as the command line says it, before its first step.
fn rubble(words: &str) -> App {
    let words = ["rubble"].into_iter().chain(words.split_whitespace());
    let Scene { run, rubble } = Scene::parse_from(words);
    let run = RunOptions {
        headless: true,
        ..run.or_hz(RATE)
    };
    let mut app = scene_app("Rubble", &run);
    app.add_plugins(RubblePlugin(rubble));
    start(&mut app);
    app
}

fn run(app: &mut App, seconds: f64) {
    for _ in 0..(seconds * RATE) as usize {
        app.update();
    }
}

fn measure(app: &mut App) -> Measurement {
    let measured = app
        .world_mut()
        .run_system_cached(|measure: Measure| measure.measure());
    measured.unwrap()
}

fn report(app: &mut App) -> RubbleReport {
    rubble_report(app.world_mut())
}

fn stones() -> impl Iterator<Item = Stone> {
    let sphere = Sphere::new(3);
    (0..60).map(move |seed| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let count = 5 + seed as usize * 45 / 59;
        Stone::random(&mut rng, 3.0, count, &sphere)
    })
}

/// It prints the numbers of balls: `cargo test stones_are_whole -- --nocapture`.
#[test]
fn stones_are_whole() {
    let mut counts = Vec::new();
    for stone in stones() {
        let count = stone.balls.len();
        counts.push(count);
        assert!(BALLS.contains(&count), "{count} balls");
        // All overlap with the first, by more than a touch.
        let (center, radius) = stone.balls[0];
        for &(other, other_radius) in &stone.balls {
            let gap = center.distance(other) - radius - other_radius;
            assert!(gap < -0.1 * other_radius, "a gap of {gap} m");
        }
        let moment: DVec3 = stone
            .masses(1.0)
            .zip(&stone.balls)
            .map(|(mass, ball)| mass * ball.0.as_dvec3())
            .sum();
        assert!(moment.length() < 1e-4 * stone.volume, "{moment}");
        let masses: f64 = stone.masses(2.0).sum();
        assert!((masses / (2.0 * stone.volume) - 1.0).abs() < 1e-6);
    }
    println!("balls of stones: {counts:?}");
}

/// The volume inside the surface is that of the balls, but for the notches that a ray from the middle does not see.
#[test]
fn the_volume_of_a_stone_is_that_of_its_balls() {
    let sphere = Sphere::new(3);
    for stone in stones().take(12) {
        let reach = stone.reach();
        let (mut hits, mut all) = (0u32, 0u32);
        const CELLS: i32 = 40;
        for x in -CELLS..CELLS {
            for y in -CELLS..CELLS {
                for z in -CELLS..CELLS {
                    let at = (IVec3::new(x, y, z).as_vec3() + 0.5) * (reach / CELLS as f32);
                    let is_in = |ball: &(Vec3, f32)| at.distance(ball.0) < ball.1;
                    hits += u32::from(stone.balls.iter().any(is_in));
                    all += 1;
                }
            }
        }
        let counted = f64::from(hits) / f64::from(all) * (2.0 * f64::from(reach)).powi(3);
        let volume = sphere.volume(&outline(&sphere.directions, &stone.balls));
        assert_eq!(volume, stone.volume);
        let off = volume / counted - 1.0;
        assert!((-0.05..0.06).contains(&off), "{volume} m³ for {counted} m³");
    }
}

/// The engine finds the inertia from the balls, and the scene finds the same for its measurements.
#[test]
fn the_measured_momenta_are_those_of_the_engine() {
    let mut app = rubble("--boulders 20");
    run(&mut app, 0.5);
    let measured = measure(&mut app);
    let world = app.world_mut();
    let rocks: Vec<Rock> = world.query::<Body>().iter(world).map(Rock::from).collect();
    assert_eq!(rocks.len(), 20);
    let mass: f64 = rocks.iter().map(|rock| rock.mass).sum();
    let momentum: DVec3 = rocks.iter().map(|rock| rock.mass * rock.velocity).sum();
    let moment: DVec3 = rocks.iter().map(|rock| rock.mass * rock.position).sum();
    let center = moment / mass;
    let turning = rocks.iter().map(|rock| {
        let x = rock.position - center;
        rock.mass * x.cross(rock.velocity - momentum / mass) + rock.inertia * rock.spin
    });
    let turning: DVec3 = turning.sum();
    let off = (turning - measured.angular_momentum).length() / turning.length();
    assert!(off < 1e-5, "{off}");
    assert!(center.distance(measured.center_of_mass) < 1e-4);
}

/// The cloud does not drift, and nothing touches in it.
#[test]
fn the_cloud_is_at_rest_and_loose() {
    let mut app = rubble("--boulders 60");
    // Before the first step, masses of compounds are not known.
    app.update();
    let measured = measure(&mut app);
    assert_eq!(measured.touching, 0);
    let volume = f64::from(60 * 30);
    assert!(measured.momentum.length() < 1e-3 * DENSITY * volume);
    assert!(measured.angular_momentum.y > 0.0);
}

/// The cloud becomes one pile. Momentum and angular momentum stay, no energy comes, boulders do not reach into each other, and what
/// moves beyond the turning of the whole dies away.
#[test]
fn the_cloud_becomes_one_pile_that_comes_to_rest() {
    for seed in 0..2 {
        let mut app = rubble(&format!("--boulders 50 --seed {seed}"));
        run(&mut app, 25.0);
        let gathered = report(&mut app);
        run(&mut app, 25.0);
        let rested = report(&mut app);
        let measured = measure(&mut app);
        println!("seed {seed}: {rested:#?}\noverlap {}", measured.overlap_max);
        assert!(rested.pile.share > 0.9, "{:?}", rested.pile);
        assert!((0.1..0.6).contains(&rested.pile.porosity));
        assert_eq!(rested.escaped, 0);
        for error in [rested.momentum_error, rested.angular_momentum_error] {
            assert!(error < 1e-5, "{error}");
        }
        assert!(rested.energy_gained < 1e-3, "{}", rested.energy_gained);
        assert!(rested.center_moved < 1e-2, "{} m", rested.center_moved);
        let motion = |report: &RubbleReport| report.vibration.end;
        assert!(motion(&rested) < 1e-3, "{}", motion(&rested));
        assert!(motion(&rested) <= motion(&gathered).max(1e-5));
        assert!(measured.overlap_max < 0.05, "{}", measured.overlap_max);
    }
}

/// A boulder from outside scatters the pile, and the pile keeps the momenta of both.
#[test]
fn a_boulder_from_outside_strikes_the_pile() {
    let mut app = rubble("--boulders 40 --comet 20");
    run(&mut app, 20.0);
    let before = report(&mut app);
    run(&mut app, 6.0);
    let after = report(&mut app);
    println!("{before:#?}\n{after:#?}");
    assert_eq!((before.boulders, after.boulders), (40, 41));
    assert!(after.radius90.end > 1.1 * before.radius90.end || after.escaped > 0);
    assert!(after.momentum_error < 1e-6, "{}", after.momentum_error);
    // A hard impact of many balls in one step: 4e-5 was seen.
    let error = after.angular_momentum_error;
    assert!(error < 2e-4, "{error}");
    assert!(after.energy_gained < 1e-6, "{}", after.energy_gained);
}

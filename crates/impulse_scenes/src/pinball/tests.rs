//! The laws of the machine.

use bevy::{math::Vec3Swizzles, prelude::*};
use bevy_impulse_collide::prelude::*;
use clap::Parser;
use scene_kit::RunOptions;

use super::{
    PinballOptions,
    games::{machine, play},
    machine::{
        Hands, Side,
        flipper::{Flipper, STROKE_TIME, next_rate},
        kickers::BUMPER_SPEED,
        measures::{self, BALL_RADIUS, BUMPER_RADIUS, BUMPERS, flipper::STROKE, plunger::PULL},
        nudge::Push,
        play::{Ball, Game},
        plunger::{Plunger, frequency, pulled},
        robot::IsOn,
        rules::{BALLS, Phase, Switch},
        switches::Closed,
    },
};

fn options() -> RunOptions {
    RunOptions {
        headless: true,
        ..default()
    }
    .or_hz(super::RATE)
}

/// A machine that nobody plays.
fn alone() -> App {
    let mut app = machine(&options(), 0);
    app.insert_resource(IsOn(false));
    app.update();
    app
}

fn steps(seconds: f32) -> u32 {
    options().steps(seconds) as u32
}

fn ball(app: &mut App) -> (Vec3, Vec3) {
    let world = app.world_mut();
    let mut balls = world.query_filtered::<(&Transform, &LinearVelocity), With<Ball>>();
    let (transform, velocity) = balls.single(world).unwrap();
    (transform.translation, velocity.0)
}

/// Puts the ball in play on the playfield, at (x, z) with a velocity in the plane.
fn put(app: &mut App, at: Vec2, velocity: Vec2) {
    let world = app.world_mut();
    let mut balls = world.query::<(
        &mut Ball,
        &mut Transform,
        &mut LinearVelocity,
        &mut AngularVelocity,
    )>();
    let (mut ball, mut transform, mut linear, mut angular) = balls.single_mut(world).unwrap();
    ball.before = at;
    transform.translation = Vec3::new(at.x, BALL_RADIUS, at.y);
    linear.0 = Vec3::new(velocity.x, 0.0, velocity.y);
    angular.0 = Vec3::ZERO;
    world.resource_mut::<Game>().rules.phase = Phase::Play;
}

fn closed(app: &App) -> Vec<Switch> {
    let messages = app.world().resource::<Messages<Closed>>();
    let closed = messages.iter_current_update_messages();
    closed.map(|closed| closed.0).collect()
}

fn raised(app: &mut App) -> [f32; 2] {
    let world = app.world_mut();
    let mut flippers = world.query::<(&Flipper, &Transform)>();
    let mut raised = [f32::NAN; 2];
    for (flipper, transform) in flippers.iter(world) {
        raised[flipper.side as usize] = flipper.raised(transform.rotation);
    }
    raised
}

#[test]
fn ten_games_end_and_no_ball_escapes_or_sticks() {
    for stream in 1..=10 {
        let mut app = machine(&options(), stream);
        let mut score = 0;
        while app.world().resource::<Game>().games == 0 {
            app.update();
            let game = app.world().resource::<Game>();
            assert!(game.rules.score >= score);
            assert!(game.seconds < 1800.0, "game {stream} does not end");
            score = game.rules.score;
        }
        let report = super::report::pinball_report(app.world_mut());
        assert_eq!((report.escaped, report.stuck), (0, 0), "{report:?}");
        assert_eq!(report.balls, BALLS);
        assert!(report.score > 0);
    }
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let game = || {
        let played = play(&options(), 3);
        (played.report.score, played.seconds, played.report.top_speed)
    };
    assert_eq!(game(), game());
}

#[test]
fn no_place_holds_a_ball() {
    let mut app = alone();
    // Beside the ramp's road, which fills its lanes, and behind its guides.
    let is_open = |at: Vec2| !(at.x < -0.07 && (-0.33..0.1).contains(&at.y));
    let mut tried = 0;
    for (x, z) in (0..12).flat_map(|i| (0..24).map(move |j| (i, j))) {
        let at = Vec2::new(-0.24 + 0.038 * x as f32, -0.5 + 0.039 * z as f32);
        put(&mut app, at, Vec2::ZERO);
        for _ in 0..4 {
            app.update();
        }
        let (now, velocity) = ball(&mut app);
        // In a solid, it was pushed out.
        if !is_open(at) || now.xz().distance(at) > 2e-3 || velocity.length() > 0.2 {
            continue;
        }
        tried += 1;
        let mut still = 0;
        for _ in 0..steps(9.0) {
            app.update();
            if app.world().resource::<Game>().rules.phase != Phase::Play {
                break;
            }
            let (now, velocity) = ball(&mut app);
            still = if velocity.length() < 1e-3 {
                still + 1
            } else {
                0
            };
            assert!(still < steps(1.0), "a ball from {at} lies at {now}");
        }
    }
    assert!(tried > 100, "{tried}");
}

/// An arm with a constant torque turns through the stroke in its time, and stops exactly at both ends.
#[test]
fn a_flipper_turns_in_its_time_and_stops_exactly() {
    let mut app = alone();
    app.world_mut().resource_mut::<Hands>().flip = [true; 2];
    let whole = steps(STROKE_TIME);
    for step in 1..=whole + 1 {
        app.update();
        for angle in raised(&mut app) {
            let t = step as f32 / super::RATE as f32;
            // The rate of a step is that of its end: θ = α·h²·n(n+1)/2.
            let t2 = t * (t + 1.0 / super::RATE as f32);
            let expected = (STROKE * t2 / STROKE_TIME.powi(2)).min(STROKE);
            assert!((angle - expected).abs() < 1e-4, "{angle} not {expected}");
        }
    }
    for angle in raised(&mut app) {
        assert!((angle - STROKE).abs() < 1e-5, "{angle}");
    }
    app.world_mut().resource_mut::<Hands>().flip = [false; 2];
    for _ in 0..steps(0.1) {
        app.update();
    }
    for angle in raised(&mut app) {
        assert!(angle.abs() < 1e-5, "{angle}");
    }
}

#[test]
fn a_flipper_never_leaves_its_stroke() {
    let dt = 1.0 / 240.0;
    let (mut angle, mut rate) = (0.0, 0.0);
    for step in 0..2000 {
        rate = next_rate(angle, rate, step % 17 < step % 11, dt);
        angle += rate * dt;
        assert!((-1e-5..STROKE + 1e-5).contains(&angle), "{angle}");
    }
}

#[test]
fn a_tilt_kills_the_flippers() {
    let mut app = alone();
    put(&mut app, Vec2::new(0.0, -0.1), Vec2::ZERO);
    for _ in 0..4 {
        app.world_mut().resource_mut::<Hands>().push = Some(Vec2::X);
        for _ in 0..steps(0.12) {
            app.update();
        }
    }
    assert_eq!(app.world().resource::<Game>().rules.phase, Phase::Tilted);
    app.world_mut().resource_mut::<Hands>().flip = [true; 2];
    for _ in 0..steps(0.1) {
        app.update();
    }
    for angle in raised(&mut app) {
        assert!(angle.abs() < 1e-5, "{angle}");
    }
}

/// ½·k·x² = ½·(m + m_ball)·v²: the speed is ω·x. In each step the plunger has its mean speed of that step, and the last whole step
/// ends up to one step before the stop, so the ball gets at least cos(3/2·ω·h) of it.
#[test]
fn the_spring_gives_the_ball_its_energy() {
    let mut ratios = Vec::new();
    for part in [0.3, 0.6, 1.0] {
        let mut app = alone();
        app.world_mut().resource_mut::<Hands>().pull = true;
        let mut pull = 0.0;
        while pull < part * PULL - 1e-4 {
            app.update();
            let world = app.world_mut();
            let mut plungers = world.query_filtered::<&Transform, With<Plunger>>();
            pull = pulled(plungers.single(world).unwrap());
        }
        app.world_mut().resource_mut::<Hands>().pull = false;
        let mut fastest = 0.0f32;
        for _ in 0..steps(0.06) {
            app.update();
            fastest = fastest.max(-ball(&mut app).1.z);
        }
        ratios.push(fastest / (frequency() * pull));
    }
    let least = (1.5 * frequency() / super::RATE as f32).cos();
    for ratio in &ratios {
        assert!((least..1.001).contains(ratio), "{ratios:?}");
        assert!((ratio / ratios[0] - 1.0).abs() < 0.01, "{ratios:?}");
    }
}

#[test]
fn a_bumper_kicks_along_the_normal() {
    let mut app = alone();
    let start = BUMPERS[2] + Vec2::new(0.0, BUMPER_RADIUS + BALL_RADIUS + 0.02);
    put(&mut app, start, Vec2::new(0.0, -0.5));
    let mut fastest = 0.0f32;
    for _ in 0..steps(0.1) {
        app.update();
        if closed(&app).contains(&Switch::Bumper(2)) {
            fastest = ball(&mut app).1.z;
            break;
        }
    }
    assert!((fastest - BUMPER_SPEED).abs() < 1e-3, "{fastest}");
}

/// Up the ramp to a height h, a ball that rolls needs 7/10·v² = g·h, and more for what friction and the bends take.
#[test]
fn the_ramp_leads_to_the_left_inlane() {
    for (speed, arrives) in [(0.9, false), (2.0, true), (5.0, true)] {
        let mut app = alone();
        put(
            &mut app,
            Vec2::new(measures::ramp::X[1], 0.08),
            Vec2::new(0.0, -speed),
        );
        let mut seen = Vec::new();
        for _ in 0..steps(2.0) {
            app.update();
            seen.extend(closed(&app));
        }
        let way = [Switch::RampMouth, Switch::Ramp, Switch::Inlane(Side::Left)];
        assert_eq!(seen.starts_with(&way), arrives, "{speed} m/s: {seen:?}");
    }
}

/// In the table's axes a push gives a free ball no velocity in the end, and leaves it behind by the way of the table.
#[test]
fn a_push_moves_the_table_under_a_free_ball() {
    let fall = |pushed: bool| {
        let mut app = alone();
        // In the air, where nothing touches it.
        put(&mut app, Vec2::new(0.05, 0.1), Vec2::ZERO);
        app.insert_resource(CollisionConfig {
            stages: Stages {
                impulse_jolt: true,
                contact: false,
                projection: false,
                ..default()
            },
            ..default()
        });
        let world = app.world_mut();
        let mut balls = world.query_filtered::<&mut Transform, With<Ball>>();
        balls.single_mut(world).unwrap().translation.y = 0.07;
        if pushed {
            app.world_mut().resource_mut::<Hands>().push = Some(Vec2::X);
        }
        let mut shift = Vec3::ZERO;
        for _ in 0..steps(0.1) {
            app.update();
            let push = app.world().resource::<Push>();
            if push.shift() != Vec3::ZERO {
                shift = push.shift();
            }
        }
        (ball(&mut app), shift)
    };
    let ((free, speed), _) = fall(false);
    let ((pushed, after), shift) = fall(true);
    assert!((after - speed).length() < 0.02, "{after} and {speed}");
    assert!(
        ((pushed - free) + shift).length() < 2e-3,
        "{pushed} {free} {shift}"
    );
    assert!(shift.x > 5e-3);
}

#[derive(Parser)]
struct Scene {
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    pinball: PinballOptions,
}

#[test]
fn bad_options_are_refused() {
    for words in [
        "pinball --games 5",
        "pinball --headless --games 0",
        "pinball --headless --demo",
    ] {
        assert!(
            Scene::try_parse_from(words.split_whitespace()).is_err(),
            "{words}"
        );
    }
    assert!(Scene::try_parse_from("pinball --headless --games 5".split_whitespace()).is_ok());
}

//! The game played without a window.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::{RunOptions, headless::start};

use crate::{
    options::Options,
    play::{
        blow::Blow,
        leaving::{Pocketed, Tray},
        state::{Game, Phase, Rerack, Shot},
    },
    plugin::{BilliardsPlugin, RATE},
    rules::{Ball, Kind},
    table::{
        balls::lying,
        bed::Table,
        cushion::CUSHION_DEPTH,
        pocket::POCKETS,
        spec::{FOOT_SPOT, HALF, HEAD_SPOT, POOL_9, RADIUS, TableSpec},
    },
};

mod drills;
mod net;
mod new_rack;
mod play;
mod record;
mod think;

/// A table whose break was no shot at all.
fn table() -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        ImpulseCollidePlugin { interpolate: false },
        BilliardsPlugin(Options::default()),
    ))
    .insert_resource(RunOptions::default())
    .insert_resource(Time::<Fixed>::from_hz(RATE));
    start(&mut app);
    roll(&mut app, 0.1);
    app
}

fn roll(app: &mut App, seconds: f64) {
    for _ in 0..(seconds * RATE) as usize {
        app.update();
    }
}

fn find(app: &mut App, ball: Ball) -> Entity {
    let world = app.world_mut();
    let mut balls = world.query::<(Entity, &Ball)>();
    let found = balls.iter(world).find(|(_, other)| **other == ball);
    found.map(|(entity, _)| entity).unwrap()
}

fn place(app: &mut App, ball: Ball) -> Vec3 {
    let entity = find(app, ball);
    app.world().get::<Transform>(entity).unwrap().translation
}

/// Sets a ball down on the bed and gives it a velocity.
fn send(app: &mut App, ball: Ball, from: Vec2, velocity: Vec3) {
    let entity = find(app, ball);
    let mut ball = app.world_mut().entity_mut(entity);
    ball.get_mut::<Transform>().unwrap().translation = lying(from);
    ball.get_mut::<LinearVelocity>().unwrap().0 = velocity;
    app.world_mut().resource_mut::<Game>().phase = Phase::Roll;
}

fn into_pocket(app: &mut App, ball: Ball) {
    let pocket = POCKETS[3].center;
    let from = pocket - Vec2::splat(0.3);
    let velocity = (pocket - from).normalize() * 2.0;
    send(app, ball, from, Vec3::new(velocity.x, 0.0, velocity.y));
}

#[test]
fn a_rack_lies_still() {
    let mut app = table();
    let before: Vec<Vec3> = (0..16)
        .map(|number| place(&mut app, Ball(number)))
        .collect();
    assert_eq!(app.world().resource::<Game>().phase, Phase::Aim);
    // The physics runs only while something moves.
    send(&mut app, Ball::CUE, HEAD_SPOT, 0.5 * Vec3::NEG_X);
    roll(&mut app, 2.0);
    assert_eq!(app.world().resource::<Game>().phase, Phase::Roll);
    for (number, before) in before.into_iter().enumerate().skip(1) {
        let moved = place(&mut app, Ball(number as u8)).distance(before);
        assert!(moved < 1e-4, "{number} moved {moved} m");
    }
}

#[test]
fn a_ball_that_falls_ends_in_the_tray() {
    let mut app = table();
    into_pocket(&mut app, Ball(15));
    roll(&mut app, 4.0);
    let game = app.world().resource::<Game>();
    assert_eq!(game.pocketed, [Ball(15)]);
    assert_eq!(game.count(Kind::Stripe), 1);
    assert_eq!(game.phase, Phase::Aim);
    assert_eq!(place(&mut app, Ball(15)).z, Tray::of(&POOL_9).z);
    let ball = find(&mut app, Ball(15));
    assert!(!app.world().entity(ball).contains::<Particle>());
    assert!(app.world().entity(ball).contains::<Pocketed>());
}

#[test]
fn a_scratched_cue_ball_comes_back_to_the_head_spot() {
    let mut app = table();
    into_pocket(&mut app, Ball::CUE);
    roll(&mut app, 0.25);
    let ball = find(&mut app, Ball::CUE);
    assert!(!app.world().entity(ball).contains::<Particle>());
    roll(&mut app, 2.0);
    assert!(app.world().entity(ball).contains::<Particle>());
    assert!(place(&mut app, Ball::CUE).distance(lying(HEAD_SPOT)) < 1e-3);
    let game = app.world().resource::<Game>();
    assert!(game.note.starts_with("Scratch"), "{}", game.note);
    assert!(game.pocketed.is_empty());
}

#[test]
fn a_ball_that_jumps_off_comes_back_to_the_foot_spot() {
    let mut app = table();
    send(
        &mut app,
        Ball(1),
        Vec2::new(0.3, 0.5),
        Vec3::new(0.0, 2.5, 3.0),
    );
    roll(&mut app, 0.3);
    let ball = find(&mut app, Ball(1));
    assert!(
        !app.world().entity(ball).contains::<Particle>(),
        "it is off the table"
    );
    roll(&mut app, 2.0);
    assert!(app.world().entity(ball).contains::<Particle>());
    // The rest of the rack leaves no room on the spot itself.
    let back = place(&mut app, Ball(1)) - lying(FOOT_SPOT);
    assert!(back.x.abs() < 1e-3 && back.z.abs() < 0.1, "{back}");
    assert_eq!(app.world().resource::<Game>().phase, Phase::Aim);
}

#[test]
fn only_a_still_table_takes_a_shot() {
    let mut app = table();
    let shot = Shot(Blow {
        direction: Vec2::NEG_X,
        elevation: 0.0,
        speed: 1.0,
        tip: Vec2::ZERO,
    });
    let shots = |app: &App| app.world().resource::<Game>().shots;
    let before = shots(&app);
    app.world_mut().write_message(shot);
    roll(&mut app, 0.1);
    app.world_mut().write_message(shot);
    roll(&mut app, 0.1);
    assert_eq!(shots(&app), before + 1);
    assert!(place(&mut app, Ball::CUE).x < HEAD_SPOT.x - 0.05);
}

#[test]
fn a_new_rack_brings_all_balls_back() {
    let mut app = table();
    into_pocket(&mut app, Ball(3));
    roll(&mut app, 4.0);
    app.world_mut().write_message(Rerack);
    roll(&mut app, 0.1);
    let world = app.world_mut();
    let mut bodies = world.query_filtered::<&Ball, With<Particle>>();
    assert_eq!(bodies.iter(world).count(), 16);
    let game = world.resource::<Game>();
    assert!(game.pocketed.is_empty() && game.shots == 0);
}

#[test]
fn a_ball_rolls_slides_and_bounces_on_the_bed() {
    let mut app = table();
    send(
        &mut app,
        Ball::CUE,
        Vec2::new(-0.5, 0.3),
        Vec3::new(0.0, 0.0, 4.0),
    );
    for _ in 0..(6.0 * RATE) as usize {
        app.update();
        let at = place(&mut app, Ball::CUE);
        assert!(at.xz().abs().cmple(HALF).all(), "{at}");
        assert!(at.y > 0.99 * RADIUS && at.y < 3.0 * RADIUS, "{at}");
    }
}

#[test]
fn whatever_the_shots_every_ball_lies_on_the_bed_or_is_down() {
    let mut app = table();
    for shot in 0..8 {
        let turn = 2.4 * shot as f32;
        app.world_mut().write_message(Shot(Blow {
            direction: Vec2::from_angle(turn),
            elevation: 0.05,
            speed: 8.0,
            tip: 0.4 * Vec2::from_angle(1.7 * turn),
        }));
        roll(&mut app, 0.1);
        // A ball that was hit at its side may spin in place for long.
        for _ in 0..30 {
            if app.world().resource::<Game>().phase == Phase::Aim {
                break;
            }
            roll(&mut app, 1.0);
        }
        let world = app.world_mut();
        let mut bodies = world.query_filtered::<&Transform, (With<Ball>, With<Particle>)>();
        let on_bed = |ball: &&Transform| {
            let at = ball.translation;
            at.xz().abs().cmple(HALF + CUSHION_DEPTH).all() && (at.y - RADIUS).abs() < 1e-3
        };
        let lying = bodies.iter(world).filter(on_bed).count();
        let game = world.resource::<Game>();
        assert_eq!(game.phase, Phase::Aim, "after shot {shot}");
        assert_eq!(lying + game.pocketed.len(), 16, "after shot {shot}");
    }
}

/// Strikes the cue ball and takes the greatest height of its centre in the next half second.
fn jump(elevation: f32, speed: f32) -> f32 {
    let mut app = table();
    app.world_mut().write_message(Shot(Blow {
        direction: Vec2::Y,
        elevation,
        tip: Vec2::ZERO,
        speed,
    }));
    let height = |app: &mut App| {
        roll(app, 1.0 / RATE);
        place(app, Ball::CUE).y
    };
    (0..(0.25 * RATE) as u32)
        .map(|_| height(&mut app))
        .fold(0.0, f32::max)
}

#[test]
fn a_raised_cue_makes_the_ball_jump_and_a_level_one_does_not() {
    let TableSpec {
        ball, cloth, cue, ..
    } = POOL_9;
    let (elevation, speed) = (0.6f32, 3.0);
    // Driven into the cloth with v·sin θ, the ball comes back with e·v·sin θ.
    let v = (1.0 + cue.restitution) * speed / (1.0 + ball.mass / cue.mass);
    let up = cloth.restitution * v * elevation.sin();
    let rise = jump(elevation, speed) - RADIUS;
    let expected = up * up / (2.0 * 9.81);
    assert!((rise / expected - 1.0).abs() < 0.02, "{rise} {expected}");
    assert!(jump(0.0, speed) - RADIUS < 1e-4);
}

#[test]
fn friction_between_balls_throws_the_object_ball_off_the_line_of_centres() {
    // Cut at the angle φ without spin, the balls slide on each other at v·sin φ. Friction gives the object ball μ times its speed
    // across the line of centres, or what stops the sliding: a seventh of v·sin φ (Alciatore, technical proof A.14).
    let mut app = table();
    let balls = POOL_9.ball;
    for speed in [0.5f32, 2.0, 5.0] {
        for degrees in [10.0f32, 30.0, 45.0, 60.0] {
            let cut = degrees.to_radians();
            let at = Vec2::new(-0.3, 0.3);
            let from = at - 2.0 * RADIUS * Vec2::from_angle(cut) - Vec2::X * (speed * 0.002);
            send(&mut app, Ball(1), at, Vec3::ZERO);
            send(&mut app, Ball::CUE, from, Vec3::X * speed);
            for ball in [Ball(1), Ball::CUE] {
                let entity = find(&mut app, ball);
                app.world_mut()
                    .entity_mut(entity)
                    .insert(AngularVelocity(Vec3::ZERO));
            }
            roll(&mut app, 1.0 / RATE);
            let object = find(&mut app, Ball(1));
            let velocity = app.world().get::<LinearVelocity>(object).unwrap().0.xz();
            let thrown = cut - velocity.to_angle();
            let slides = balls.friction.at(speed * cut.sin());
            let sticks = 2.0 / 7.0 / (1.0 + balls.restitution) * cut.tan();
            let expected = slides.min(sticks).atan();
            assert!(
                (thrown - expected).abs() < 0.1 * expected,
                "{speed} m/s, {degrees}°: {thrown} for {expected}"
            );
        }
    }
}

//! The laws of lane, pins and ball.

use bevy::{app::ScheduleRunnerPlugin, prelude::*};
use bevy_impulse_collide::prelude::*;
use scene_kit::{RunOptions, headless::start};

use super::{
    RATE,
    odds::throw,
    play::{Game, Hands, Phase},
    robot::IsOn,
    world::{
        WorldPlugin,
        ball::{Ball, Throw, ball},
        lane::OILED,
        measures::{BALL_RADIUS, IN_PIT, TO_PINS, WIDTH},
        pin::{BASE, EDGE, FEET, HEIGHT, Pin, spawn_pin, spawn_rack, stands, tipping_angles},
    },
};

fn options() -> RunOptions {
    RunOptions {
        headless: true,
        ..default()
    }
    .or_hz(RATE)
}

fn empty(plugin: impl Plugin) -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins.build().disable::<ScheduleRunnerPlugin>(),
        ImpulseCollidePlugin { interpolate: false },
        plugin,
    ))
    .insert_resource(Time::<Fixed>::from_hz(RATE))
    .insert_resource(options());
    app
}

/// A lane without pins. Each update is one fixed step.
fn lane() -> App {
    let mut app = empty(WorldPlugin);
    start(&mut app);
    app
}

/// A lane with the game, which nobody plays.
fn game() -> App {
    let mut app = empty(super::BowlingPlugin(default()));
    start(&mut app);
    app.insert_resource(IsOn(false));
    app
}

fn run(app: &mut App, seconds: f32) {
    for _ in 0..options().steps(seconds) {
        app.update();
    }
}

fn places(app: &mut App) -> Vec<Transform> {
    let mut pins = app.world_mut().query::<(&Pin, &Transform)>();
    let mut places: Vec<_> = pins
        .iter(app.world())
        .map(|(pin, at)| (pin.0, *at))
        .collect();
    places.sort_by_key(|place| place.0);
    places.into_iter().map(|(_, at)| at).collect()
}

/// How far the ball is to the right when it has come `along` m down the lane, and the angle of its way there in rad.
fn rolled(thrown: Throw, along: f32) -> (f32, f32) {
    let mut app = lane();
    app.world_mut().spawn(thrown.ball());
    let mut balls = app
        .world_mut()
        .query_filtered::<(&Transform, &LinearVelocity), With<Ball>>();
    for _ in 0..options().steps(10.0) {
        app.update();
        let (at, velocity) = balls.single(app.world()).unwrap();
        if -at.translation.z > along {
            return (at.translation.x, velocity.x.atan2(-velocity.z));
        }
    }
    panic!("the ball stopped on its way");
}

#[test]
fn pins_stand_still_and_fall_asleep() {
    let mut app = lane();
    spawn_rack(&mut app.world_mut().commands(), || Vec3::ZERO);
    app.world_mut().flush();
    let before = places(&mut app);
    run(&mut app, 10.0);
    let mut most = 0.0_f32;
    for (before, after) in before.iter().zip(places(&mut app)) {
        let top = Vec3::Y * HEIGHT;
        for point in [Vec3::ZERO, top] {
            most = most.max((*before * point).distance(after * point));
        }
    }
    println!("a pin moved by {most} m at most");
    assert!(most < 1e-4, "{most} m");
    let mut pins = app.world_mut().query_filtered::<&Sleep, With<Pin>>();
    assert!(pins.iter(app.world()).all(Sleep::is_asleep));
}

/// Whether a pin falls that is let go leaning by `angle` over the foot or the edge in the direction `toward`, in rad about Y.
fn falls(angle: f32, toward: f32) -> bool {
    let mut app = lane();
    // It leans about the centre of its foot, or the middle between two feet.
    let turn = Quat::from_axis_angle(Vec3::new(toward.sin(), 0.0, -toward.cos()), angle);
    let pivot = BASE * toward_distance(toward) * Vec3::new(toward.cos(), 0.0, toward.sin());
    let foot = pivot + Vec3::Y * EDGE;
    let base = Vec3::new(0.0, 0.0, -1.0) + foot - turn * foot;
    spawn_pin(
        &mut app.world_mut().commands(),
        1,
        Transform::from_translation(base).with_rotation(turn),
    );
    app.world_mut().flush();
    run(&mut app, 4.0);
    places(&mut app)[0].up().y < 0.5
}

/// The distance of the edge of the feet's polygon in a direction, over that of its corners.
fn toward_distance(toward: f32) -> f32 {
    let sector = std::f32::consts::TAU / FEET as f32;
    let off = (toward / sector).round() * sector - toward;
    let half = 0.5 * sector;
    half.cos() / (half - off.abs()).cos()
}

/// Its centre is over the point on which it leans: atan(R/(h − r)), with the feet's radius r on a circle of the radius R.
#[test]
fn a_pin_tips_beyond_the_angle_of_the_closed_form() {
    let [edge, corner] = tipping_angles();
    let half = 0.5 * std::f32::consts::TAU / FEET as f32;
    // A twentieth of a degree.
    let margin = 1e-3;
    for (angle, toward) in [(edge, half), (corner, 0.0)] {
        assert!(!falls(angle - margin, toward), "it tips before {angle}");
        assert!(falls(angle + margin, toward), "it stands beyond {angle}");
    }
    println!(
        "tips at {} and {} degrees",
        edge.to_degrees(),
        corner.to_degrees()
    );
}

#[test]
fn a_ball_without_hook_goes_straight() {
    let (x, angle) = rolled(default(), TO_PINS);
    assert!(x.abs() < 1e-4 && angle.abs() < 1e-5, "{x} m, {angle} rad");
}

#[test]
fn a_hook_curves_to_its_side() {
    let thrown = |hook: f32| Throw { hook, ..default() };
    let (left, end) = rolled(thrown(0.2), TO_PINS - 0.5);
    let (right, _) = rolled(thrown(-0.2), TO_PINS - 0.5);
    assert!(left < -0.1, "{left}");
    let off = (left + right).abs();
    assert!(off < 1e-3, "{left} and {right} are no mirror images");
    let (_, oiled) = rolled(thrown(0.2), 10.0);
    println!(
        "the ball turns by {} degrees on oil, and by {} in all",
        oiled.to_degrees(),
        end.to_degrees()
    );
    assert!(end < oiled && oiled < 0.0);
}

/// A ball that slides with the friction μ all the way is slowed by μ·g: after the time t it goes v − μ·g·t.
#[test]
fn oil_slows_a_sliding_ball_by_its_friction() {
    let mut app = lane();
    let thrown = Throw::default();
    app.world_mut()
        .spawn(ball(thrown.start(), 8.0 * Vec3::NEG_Z, Vec3::ZERO));
    run(&mut app, 1.0);
    let mut balls = app
        .world_mut()
        .query_filtered::<&LinearVelocity, With<Ball>>();
    let speed = balls.single(app.world()).unwrap().length();
    let law = 8.0 - OILED * 9.81;
    assert!((speed - law).abs() < 1e-3, "{speed} m/s, not {law}");
}

#[test]
fn a_ball_in_the_gutter_hits_nothing() {
    let mut app = game();
    run(&mut app, 1.0);
    let mut hands = app.world_mut().resource_mut::<Hands>();
    hands.throw = Throw {
        x: 0.5 * WIDTH - BALL_RADIUS,
        angle: Throw::ANGLE,
        ..default()
    };
    hands.release = true;
    while app.world().resource::<Game>().balls.is_empty() {
        app.update();
    }
    let game = app.world().resource::<Game>();
    assert_eq!(
        (game.balls.as_slice(), game.phase),
        (&[0][..], Phase::Counted)
    );
    assert!(game.seconds < 1.0);
}

#[test]
fn fallen_pins_are_cleared_and_the_others_stay_where_they_are() {
    let mut app = game();
    run(&mut app, 1.0);
    // So far aside that it takes the last two pins of the right side alone.
    let mut hands = app.world_mut().resource_mut::<Hands>();
    hands.throw.x = 0.5 * WIDTH - BALL_RADIUS;
    hands.release = true;
    while app.world().resource::<Game>().phase != Phase::Counted {
        app.update();
    }
    let fallen = app.world().resource::<Game>().balls[0];
    assert!((1..10).contains(&fallen), "{fallen} pins");
    let stood: Vec<_> = places(&mut app).into_iter().filter(stands).collect();
    run(&mut app, 2.0);
    let left = places(&mut app);
    assert_eq!(left.len(), usize::from(10 - fallen));
    for (before, after) in stood.iter().zip(&left) {
        // Counted pins are slower than 3 cm/s, and fall asleep in half a second.
        assert!(before.translation.distance(after.translation) < 0.015);
    }
    assert_eq!(app.world().resource::<Game>().phase, Phase::Aim);
}

#[test]
fn a_robots_game_ends_and_no_body_escapes() {
    let mut app = game();
    app.insert_resource(IsOn(true));
    let mut bodies = app
        .world_mut()
        .query_filtered::<&Transform, Or<(With<Pin>, With<Ball>)>>();
    let mut steps = 0;
    while app.world().resource::<Game>().games == 0 {
        app.update();
        steps += 1;
        assert!(steps < options().steps(600.0), "the game does not end");
        for at in bodies.iter(app.world()) {
            assert!(at.translation.y > 5.0 * IN_PIT, "{at:?}");
        }
    }
    let game = app.world().resource::<Game>();
    assert!(game.score() > 30, "{game:?}");
}

#[test]
fn the_same_throw_fells_the_same_pins() {
    let thrown = || throw(&options(), 3.0, 17.5, 7);
    assert_eq!(thrown(), thrown());
}

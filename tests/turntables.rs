//! Bodies on surfaces that turn: what rides goes round with the surface, and what rolls keeps its speed.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;

const OMEGA: f32 = 2.0;

/// A table that turns about Y. Its top is at y = 0.
fn table(app: &mut App, kind: usize) {
    let turns = (
        RigidBody::Kinematic,
        AngularVelocity(Vec3::Y * OMEGA),
        Friction(1.0),
        Restitution(0.0),
    );
    let world = app.world_mut();
    match kind {
        0 => _ = world.spawn((Plane::new(Vec3::Y), turns)),
        1 => {
            let place = Transform::from_xyz(0.0, -0.5, 0.0);
            _ = world.spawn((Collider::cuboid(8.0, 1.0, 8.0), turns, place));
        }
        _ => {
            let place = Transform::from_xyz(0.0, -0.5, 0.0);
            _ = world.spawn((Collider::cylinder(4.0, 1.0), turns, place));
        }
    }
}

/// The angle by which a body at x has gone round the axis, relative to where a rider would be after `t` seconds.
fn lag(x: Vec3, t: f64) -> f32 {
    let angle = f64::from((-x.z).atan2(x.x)) - f64::from(OMEGA) * t;
    let turn = f64::from(TAU);
    (angle - (angle / turn).round() * turn) as f32
}

/// A capsule that lies along the radius, and a ball that cannot roll, ride for a hundred rounds: they stay where they are on the
/// table.
#[test]
fn what_rides_stays_where_it_is_on_the_table() {
    for (hz, kind) in [(60.0, 0), (60.0, 1), (60.0, 2), (30.0, 0), (240.0, 1)] {
        for is_capsule in [true, false] {
            let mut app = awake(hz);
            table(&mut app, kind);
            let start = Vec3::new(1.0, 0.1, 0.0);
            let common = (
                Friction(1.0),
                RollingFriction(0.5),
                SpinningFriction(0.5),
                Restitution(0.0),
                LinearVelocity(Vec3::Y.cross(start) * OMEGA),
                AngularVelocity(Vec3::Y * OMEGA),
            );
            let turn = Quat::from_rotation_z(-TAU / 4.0);
            let place = Transform::from_translation(start).with_rotation(turn);
            let mut body = app.world_mut().spawn((common, place));
            match is_capsule {
                true => body.insert(Capsule::new(0.1, 0.5)),
                false => body.insert(Particle::new(0.1)),
            };
            let body = body.id();
            let rounds = if hz > 100.0 { 10.0 } else { 100.0 };
            let count = (rounds * f64::from(TAU / OMEGA) * hz) as usize;
            steps(&mut app, count);
            let x = position(&app, body);
            let r = x.with_y(0.0).length();
            let lag = lag(x, count as f64 / hz);
            let what = format!("table {kind}, {hz} Hz, capsule: {is_capsule}");
            assert!((r - 1.0).abs() < 1e-3, "{what}: radius {r} m");
            assert!(lag.abs() < 1e-2, "{what}: {lag} rad beside its place");
        }
    }
}

/// A ball that rolls on a turntable goes round in a closed circle at 2/7 of the table's rate, at constant speed.
#[test]
fn a_ball_that_rolls_on_a_turntable_keeps_its_speed() {
    for hz in [60.0, 240.0] {
        for kind in 0..3 {
            let mut app = awake(hz);
            table(&mut app, kind);
            let (start, v) = (Vec3::new(1.0, 0.2, 0.0), Vec3::new(0.0, 0.0, 0.3));
            // v + ω × (−R·n) = Ω × x
            let slide = Vec3::Y.cross(start) * OMEGA - v;
            let w = slide.cross(Vec3::Y) / 0.2;
            let ball = (
                Particle::new(0.2),
                Friction(1.0),
                Restitution(0.0),
                LinearVelocity(v),
                AngularVelocity(w),
                Transform::from_translation(start),
            );
            let ball = app.world_mut().spawn(ball).id();
            steps(&mut app, 2);
            let (x_0, v_0) = (position(&app, ball), velocity(&app, ball));
            let rate = OMEGA * 2.0 / 7.0;
            let seconds = f64::from(TAU / rate);
            for round in 1..=3 {
                steps(&mut app, (seconds * hz).round() as usize);
                let (x, v) = (position(&app, ball), velocity(&app, ball));
                let what = format!("table {kind}, {hz} Hz, round {round}");
                let ratio = v.length() / v_0.length();
                assert!((ratio - 1.0).abs() < 2e-3, "{what}: {ratio} of its speed");
                let gap = x.distance(x_0);
                assert!(gap < 0.02, "{what}: {gap} m beside its start");
            }
        }
    }
}

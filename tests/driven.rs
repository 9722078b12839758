//! Driven bodies: they move as they are told, and move what they meet.

use bevy::prelude::*;
use bevy_impulse_collide::{Fixed, prelude::*};
use laws::*;

/// A wall of infinite mass that comes at u sends a ball off with 2u, as the ball's speed against it turns round.
#[test]
fn a_paddle_hits_with_twice_its_speed() {
    let mut app = app(60.0);
    let paddle = app
        .world_mut()
        .spawn((
            Capsule::new(0.2, 2.0),
            Driven,
            Restitution(1.0),
            LinearVelocity(Vec3::X * 3.0),
            Transform::from_xyz(-2.0, 0.0, 0.0),
        ))
        .id();
    let ball = app
        .world_mut()
        .spawn((Particle::new(0.3), Restitution(1.0)))
        .id();
    steps(&mut app, 60);
    assert_near("2u", velocity(&app, ball).x.into(), 6.0, 1e-4);
    assert_eq!(velocity(&app, paddle), Vec3::X * 3.0);
    assert_near("u·t", position(&app, paddle).x.into(), 1.0, 1e-4);
}

/// A roller that turns under a log drags it round by friction until their surfaces run alike.
#[test]
fn a_turning_roller_drags_what_lies_on_it() {
    let mut app = app(60.0);
    app.insert_resource(Gravity(Vec3::NEG_Y * 9.81));
    let across = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    let roller = (
        Capsule::new(0.5, 4.0),
        Driven,
        Friction(0.5),
        AngularVelocity(Vec3::Z * 2.0),
        Transform::from_rotation(across),
    );
    let roller = app.world_mut().spawn(roller).id();
    // Held in place by two more rollers that do not turn and do not rub.
    for x in [-0.75, 0.75] {
        let guide = Transform::from_xyz(x, 0.75, 0.0).with_rotation(across);
        app.world_mut()
            .spawn((Capsule::new(0.2, 4.0), Fixed, Friction(0.0), guide));
    }
    let log = Transform::from_xyz(0.0, 1.0, 0.0).with_rotation(across);
    let log = app
        .world_mut()
        .spawn((Capsule::new(0.5, 2.0), Friction(0.5), Restitution(0.0), log))
        .id();
    steps(&mut app, 300);
    assert_near("ω", spin(&app, log).z.into(), -2.0, 0.05);
    assert_eq!(spin(&app, roller), Vec3::Z * 2.0);
    assert!(position(&app, log).distance(Vec3::Y) < 0.1);
}

/// Nothing stops it: neither gravity, nor a heap, nor what is fixed, nor another driven body.
#[test]
fn nothing_stops_what_is_driven() {
    let mut app = app_with_gravity(60.0);
    app.world_mut().spawn(Plane::new(Vec3::Y));
    for i in 0..5 {
        app.world_mut().spawn((
            Particle::new(0.5),
            Transform::from_xyz(2.0 + i as f32, 0.5, 0.0),
        ));
    }
    app.world_mut().spawn((
        Particle::new(0.5),
        Fixed,
        Transform::from_xyz(9.0, 0.5, 0.0),
    ));
    let driven = |x: f32, v: f32| {
        (
            Particle::new(0.5),
            Driven,
            LinearVelocity(Vec3::X * v),
            Transform::from_xyz(x, 0.4, 0.0),
        )
    };
    let pusher = app.world_mut().spawn(driven(0.0, 2.0)).id();
    let other = app.world_mut().spawn(driven(16.0, -1.0)).id();
    steps(&mut app, 480);
    for (body, x, v) in [(pusher, 16.0, 2.0), (other, 8.0, -1.0)] {
        assert_eq!(velocity(&app, body), Vec3::X * v);
        let place = position(&app, body);
        assert!(place.abs_diff_eq(Vec3::new(x, 0.4, 0.0), 1e-3), "{place}");
    }
    assert!(measure(&mut app).kinetic_energy.is_finite());
}

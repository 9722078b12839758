//! Game code hears of collisions: when they start, when they end, and how hard they were.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;

#[test]
fn an_impact_tells_its_impulse_point_normal_and_speed() {
    let mut app = app(60.0);
    let plane = app
        .world_mut()
        .spawn((Plane::new(Vec3::Y), Restitution(0.5)))
        .id();
    let ball = app
        .world_mut()
        .spawn((
            Particle::new(0.5),
            Mass(3.0),
            Restitution(0.5),
            Friction(0.0),
            Transform::from_xyz(2.0, 0.6, 0.0),
            LinearVelocity(Vec3::new(0.0, -12.0, 0.0)),
        ))
        .id();
    app.update();
    let impacts = messages::<Impact>(&app);
    let [impact] = impacts[..] else {
        panic!("one impact, not {impacts:?}")
    };
    let sign = if impact.a == ball { 1.0 } else { -1.0 };
    assert_eq!(
        {
            let mut pair = [impact.a, impact.b];
            pair.sort();
            pair
        },
        {
            let mut pair = [plane, ball];
            pair.sort();
            pair
        }
    );
    // j = (1 + e)·m·v, 0.1 m above the plane at 12 m/s.
    assert_near(
        "impulse",
        (sign * impact.impulse.y).into(),
        1.5 * 3.0 * 12.0,
        1e-3,
    );
    assert_near("normal", (sign * impact.normal.y).into(), 1.0, 1e-6);
    assert_near("approach speed", impact.approach_speed.into(), 12.0, 1e-4);
    assert_near("time", impact.time.into(), 0.1 / 12.0, 1e-5);
    assert_near(
        "point",
        impact.point.distance(Vec3::X * 2.0).into(),
        0.0,
        1e-4,
    );
}

#[test]
fn a_touch_starts_once_and_ends_once() {
    let mut app = app_with_gravity(60.0);
    app.world_mut()
        .spawn((Plane::new(Vec3::Y), Restitution(0.0)));
    let ball = app
        .world_mut()
        .spawn((Particle::new(0.5), Transform::from_xyz(0.0, 0.7, 0.0)))
        .id();
    let (mut started, mut ended) = (0, 0);
    for step in 0..240 {
        app.update();
        started += messages::<CollisionStarted>(&app).len();
        ended += messages::<CollisionEnded>(&app).len();
        if step == 119 {
            assert_eq!((started, ended), (1, 0), "after two seconds it rests");
            app.world_mut().get_mut::<LinearVelocity>(ball).unwrap().0 = Vec3::Y * 5.0;
        }
        if step == 130 {
            assert_eq!((started, ended), (1, 1), "thrown up, it touches no longer");
        }
    }
    assert_eq!((started, ended), (2, 1), "and comes down again");
}

#[test]
fn despawning_ends_a_touch() {
    let mut app = app_with_gravity(60.0);
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let ball = app
        .world_mut()
        .spawn((Particle::new(0.5), Transform::from_xyz(0.0, 0.5, 0.0)))
        .id();
    steps(&mut app, 10);
    app.world_mut().despawn(ball);
    app.update();
    assert_eq!(messages::<CollisionEnded>(&app).len(), 1);
}

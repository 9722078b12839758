//! A body that a user moves by its `Transform` moves with the velocity of that move.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;
use proptest::prelude::*;

fn substeps(app: &mut App, substeps: u32) {
    app.world_mut().resource_mut::<CollisionConfig>().substeps = substeps;
}

fn put(app: &mut App, body: Entity, pose: impl FnOnce(&mut Transform)) {
    let mut transform = app.world_mut().get_mut::<Transform>(body);
    pose(transform.as_mut().expect("a body has one"));
}

fn elastic() -> impl Bundle {
    (Restitution(1.0), Friction(0.0))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// In each step the body moves with Δx/Δt and Δφ/Δt, arrives at the pose to the bit, and rests when the pose stays.
    #[test]
    fn the_velocity_is_that_of_the_move(
        hz in prop::sample::select(vec![30.0, 60.0, 240.0]),
        parts in 1..4u32,
        is_ball in any::<bool>(),
        moves in prop::collection::vec(
            (prop::array::uniform3(-0.3..0.3f32), prop::array::uniform3(-0.8..0.8f32)),
            1..6,
        ),
    ) {
        let mut app = app(hz);
        substeps(&mut app, parts);
        let moved = (MovedByTransform::default(), RigidBody::Kinematic);
        let body = match is_ball {
            true => app.world_mut().spawn((Particle::new(0.3), moved)).id(),
            false => app.world_mut().spawn((Collider::cuboid(1.0, 0.5, 2.0), moved)).id(),
        };
        steps(&mut app, 1);
        for (way, turn) in moves {
            let before = get::<Transform>(&app, body);
            let turn = Vec3::from(turn);
            put(&mut app, body, |place| {
                place.translation += Vec3::from(way);
                place.rotation = (Quat::from_scaled_axis(turn) * place.rotation).normalize();
            });
            let written = get::<Transform>(&app, body);
            steps(&mut app, 1);
            prop_assert_eq!(get::<Transform>(&app, body), written);
            let bodies = app.world().resource::<Bodies>();
            let i = bodies.index_of(body).expect("it takes part");
            prop_assert_eq!(bodies.get(i).position(), written.translation);
            prop_assert!(bodies.get(i).rotation().abs_diff_eq(written.rotation, 1e-6));
            let v = (written.translation - before.translation) * hz as f32;
            prop_assert!(velocity(&app, body).abs_diff_eq(v, 1e-4 * (1.0 + v.length())));
            let w = turn * hz as f32;
            prop_assert!(spin(&app, body).abs_diff_eq(w, 1e-3 + 1e-4 * w.length()), "{} {w}", spin(&app, body));
        }
        steps(&mut app, 1);
        prop_assert_eq!(velocity(&app, body), Vec3::ZERO);
        prop_assert_eq!(spin(&app, body), Vec3::ZERO);
    }

    /// A wall that moves with u hits an elastic ball of velocity v, which leaves with 2·u − v.
    #[test]
    fn a_wall_hits_with_the_speed_of_its_move(
        hz in prop::sample::select(vec![30.0, 60.0, 240.0]),
        parts in 1..4u32,
        u in 0.5..8.0f32,
        v in -6.0..0.0f32,
        is_static in any::<bool>(),
    ) {
        let mut app = app(hz);
        substeps(&mut app, parts);
        let kind = if is_static { RigidBody::Static } else { RigidBody::Kinematic };
        let wall = (Collider::cuboid(0.2, 4.0, 4.0), elastic(), kind, MovedByTransform::default());
        let wall = app.world_mut().spawn(wall).id();
        let ball = (
            Particle::new(0.2),
            elastic(),
            LinearVelocity(Vec3::X * v),
            Transform::from_xyz(1.0, 0.0, 0.0),
        );
        let ball = app.world_mut().spawn(ball).id();
        let n = (2.0 / f64::from(u - v) * hz) as usize;
        for k in 1..=n {
            put(&mut app, wall, |place| place.translation.x = u * k as f32 / hz as f32);
            steps(&mut app, 1);
        }
        let law = f64::from(2.0 * u - v);
        // Each pose is rounded to f32, and so is the way of a step.
        let rounding = 1e-7 * hz * f64::from(u * n as f32 / hz as f32).max(1.0);
        let speed = f64::from(velocity(&app, ball).x);
        prop_assert!((speed - law).abs() <= 1e-4 * law.abs() + 2.0 * rounding, "{speed} is not {law}");
    }
}

/// A bar that its `Transform` turns hits an elastic ball at the distance d from its origin, which leaves with 2·ω·d.
#[test]
fn a_turning_bar_hits_with_the_speed_of_its_point() {
    for parts in [1, 3] {
        let (hz, w, d) = (240.0, 6.0, 0.7);
        let mut app = app(hz);
        substeps(&mut app, parts);
        let bar = Collider::cuboid(2.0, 0.1, 1.0);
        let bar = (bar, elastic(), MovedByTransform::default());
        let bar = app.world_mut().spawn(bar).id();
        // The bar's upper face is flat on the ball at this angle.
        let (angle, radius) = (0.3, 0.05);
        let turned = Quat::from_rotation_z(angle);
        let ball = app
            .world_mut()
            .spawn((
                Particle::new(radius),
                elastic(),
                Transform::from_translation(turned * Vec3::new(d, 0.05 + radius, 0.0)),
            ))
            .id();
        for k in 1..=20 {
            let angle = w * k as f32 / hz as f32;
            put(&mut app, bar, |place| {
                place.rotation = Quat::from_rotation_z(angle)
            });
            steps(&mut app, 1);
        }
        let v = velocity(&app, ball);
        assert!(v.abs_diff_eq(turned * Vec3::Y * (2.0 * w * d), 2e-3), "{v}");
    }
}

/// A jump gives no velocity, and nothing that was on the way is hit.
#[test]
fn a_jump_hits_nothing() {
    let mut app = app(60.0);
    let wall = (Collider::cuboid(0.2, 4.0, 4.0), MovedByTransform::default());
    let wall = app.world_mut().spawn(wall).id();
    let ball = app
        .world_mut()
        .spawn((Particle::new(0.2), Transform::from_xyz(1.0, 0.0, 0.0)))
        .id();
    steps(&mut app, 1);
    put(&mut app, wall, |place| place.translation.x = 2.0);
    app.world_mut()
        .get_mut::<MovedByTransform>(wall)
        .expect("it has one")
        .jump();
    steps(&mut app, 5);
    assert_eq!(velocity(&app, wall), Vec3::ZERO);
    assert_eq!(velocity(&app, ball), Vec3::ZERO);
    assert_eq!(position(&app, wall).x, 2.0);
}

/// A tray carries what lies on it: a ball that slept wakes, and takes the tray's velocity once friction has made it roll along.
#[test]
fn a_tray_wakes_and_carries_a_sleeping_capsule() {
    let mut app = app_with_gravity(60.0);
    let tray = Collider::cuboid(4.0, 0.2, 4.0);
    let tray = (tray, Friction(1.0), MovedByTransform::default());
    let tray = app.world_mut().spawn(tray).id();
    let lying = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    let log = (
        Capsule::new(0.1, 1.0),
        Friction(1.0),
        Restitution(0.0),
        Transform::from_xyz(0.0, 0.2, 0.0).with_rotation(lying),
    );
    let log = app.world_mut().spawn(log).id();
    steps(&mut app, 300);
    assert!(get::<Sleep>(&app, log).is_asleep());
    // Along the log it cannot roll: it must come along.
    let hz = 60.0f32;
    for k in 1..=120 {
        let z = if k < 60 {
            0.5 * (k as f32 / hz).powi(2)
        } else {
            0.5 + (k as f32 / hz - 1.0)
        };
        put(&mut app, tray, |place| place.translation.z = z);
        steps(&mut app, 1);
    }
    let apart = position(&app, log) - position(&app, tray);
    assert!(apart.abs_diff_eq(Vec3::Y * 0.2, 2e-3), "{apart}");
    assert_near("1 m/s", velocity(&app, log).z.into(), 1.0, 1e-3);
    // The tray stops at once, and the log slides on until friction stops it: v²/(2·μ·g).
    steps(&mut app, 300);
    let apart = position(&app, log) - position(&app, tray);
    // Within the way of half a step.
    assert_near(
        "v²/(2·μ·g)",
        apart.z.into(),
        1.0 / (2.0 * 9.81),
        0.5 / 60.0 + 1e-3,
    );
    assert!(get::<Sleep>(&app, log).is_asleep());
}

/// Smoothed transforms are exact in the fixed schedules: a system there moves the body with an even velocity, at any frame rate.
#[test]
fn the_move_is_even_between_smoothed_frames() {
    use bevy::time::{TimePlugin, TimeUpdateStrategy};
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin::default()))
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        .insert_resource(TimeUpdateStrategy::ManualDuration(
            std::time::Duration::from_millis(7),
        ))
        .insert_resource(Gravity::ZERO)
        .add_systems(
            FixedUpdate,
            |mut walls: Query<&mut Transform, With<MovedByTransform>>| {
                for mut wall in &mut walls {
                    wall.translation.x += 1.0 / 60.0;
                }
            },
        );
    let wall = (Collider::cuboid(0.2, 4.0, 4.0), MovedByTransform::default());
    let wall = app.world_mut().spawn(wall).id();
    steps(&mut app, 10);
    for _ in 0..40 {
        app.update();
        assert_near("1 m/s", velocity(&app, wall).x.into(), 1.0, 1e-4);
    }
}

//! Bodies that never turn move as points of their mass do.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;
use proptest::prelude::*;

const G: f32 = 9.81;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A ball or a capsule hits a wall. With an infinite inertia, friction stops the sliding of the point, −v_t, or gives
    /// μ·(1 + e)·v_n; the normal speed comes back as e·v_n.
    #[test]
    fn an_impact_obeys_the_law_with_an_infinite_inertia(
        e in 0.0..1.0f32,
        mu in 0.0..1.0f32,
        speeds in (1.0..10.0f32, -10.0..10.0f32),
        mass in 0.01..100.0f32,
        tilt in -1.2..1.2f32,
        is_capsule in any::<bool>(),
    ) {
        let mut app = app(60.0);
        let material = (Restitution(e), Friction(mu));
        let world = app.world_mut();
        world.spawn((Plane::new(Vec3::Y), material));
        let turned = Quat::from_rotation_z(tilt);
        let place = Transform::from_xyz(0.0, 2.0, 0.0).with_rotation(turned);
        let v = Vec3::new(speeds.1, -speeds.0, 0.0);
        let motion = (LinearVelocity(v), Mass(mass), material, LockedRotation, place);
        let body = if is_capsule {
            world.spawn((Capsule::new(0.3, 1.0), motion)).id()
        } else {
            world.spawn((Particle::new(0.3), motion)).id()
        };
        for _ in 0..200 {
            app.update();
            prop_assert_eq!(spin(&app, body), Vec3::ZERO);
            if velocity(&app, body).y >= 0.0 {
                break;
            }
        }
        let rub = (mu * (1.0 + e) * speeds.0).min(speeds.1.abs());
        let law = Vec3::new(speeds.1 - rub * speeds.1.signum(), e * speeds.0, 0.0);
        let after = velocity(&app, body);
        prop_assert!(after.abs_diff_eq(law, 1e-4 * (1.0 + v.length())), "{} is not {}", after, law);
        prop_assert!(get::<Transform>(&app, body).rotation.abs_diff_eq(turned, 1e-6));
    }

    /// Two bodies that never turn hit each other off their centres, without friction: the impulse along the line of centres is that
    /// of two points, and momentum and energy stay.
    #[test]
    fn two_locked_bodies_hit_as_points(mass in 0.01..100.0f32, offset in 0.0..0.9f32) {
        let mut app = app(60.0);
        let material = (Restitution(1.0), Friction(0.0), LockedRotation);
        let world = app.world_mut();
        let ball = (Particle::new(0.5), Mass(mass), LinearVelocity(Vec3::X * 4.0));
        let ball = world.spawn((ball, material, Transform::from_xyz(-2.0, offset, 0.0))).id();
        let capsule = (Capsule::new(0.5, 2.0), Mass(1.0), material);
        let capsule = world.spawn((capsule, Transform::default())).id();
        steps(&mut app, 60);
        // It meets the side of the cylinder: n = X.
        let after = 4.0 * (mass - 1.0) / (mass + 1.0);
        let law = (Vec3::X * after, Vec3::X * 8.0 * mass / (mass + 1.0));
        prop_assert!(velocity(&app, ball).abs_diff_eq(law.0, 1e-4));
        prop_assert!(velocity(&app, capsule).abs_diff_eq(law.1, 1e-4));
        prop_assert_eq!((spin(&app, ball), spin(&app, capsule)), (Vec3::ZERO, Vec3::ZERO));
    }
}

/// A ball that cannot turn slides to a stop: x = v²/(2·μ·g). It never rolls.
#[test]
fn a_locked_ball_slides_to_a_stop() {
    for (hz, mu, v) in [(60.0, 0.3, 3.0), (240.0, 0.1, 2.0)] {
        let mut app = app_with_gravity(hz);
        app.world_mut().spawn((Plane::new(Vec3::Y), Friction(mu)));
        let place = Transform::from_xyz(0.0, 0.1, 0.0);
        let ball = (
            Particle::new(0.1),
            Friction(mu),
            LinearVelocity(Vec3::X * v),
        );
        let ball = app.world_mut().spawn((ball, LockedRotation, place)).id();
        for _ in 0..(4.0 * hz) as usize {
            app.update();
            assert_eq!(spin(&app, ball), Vec3::ZERO);
        }
        let law = v * v / (2.0 * mu * G);
        assert_near("way", (position(&app, ball).x / law).into(), 1.0, 0.01);
        assert_eq!(get::<Transform>(&app, ball).rotation, Quat::IDENTITY);
    }
}

/// No torque, impulse, field, spin or neighbour turns a body whose rotation is locked. Without the lock it turns again.
#[test]
fn nothing_turns_a_locked_body() {
    let mut app = app_with_gravity(60.0);
    app.add_systems(
        ImpulseStep,
        (|mut bodies: ResMut<Bodies>| {
            bodies.for_each(|mut body| body.accelerate_rotation(5.0 * Vec3::X));
        })
        .in_set(StepSystems::Fields),
    );
    app.add_systems(FixedUpdate, |mut all: Query<Forces>| {
        for mut body in &mut all {
            body.apply_torque(Vec3::Z);
            body.apply_angular_impulse(Vec3::Y);
            body.apply_angular_acceleration(Vec3::X);
            body.apply_force_at_point(Vec3::Z * 3.0, Vec3::ONE);
        }
    });
    let world = app.world_mut();
    world.spawn((Plane::new(Vec3::Y), Friction(1.0), RollingFriction(0.1)));
    let turned = Quat::from_rotation_z(0.3);
    let bodies: Vec<(Entity, Quat)> = (0..8)
        .map(|k| {
            let rotation = if k % 2 == 0 {
                turned
            } else {
                Quat::from_rotation_x(0.7)
            };
            let place = Transform::from_xyz(0.3 * k as f32, 1.0 + 0.2 * k as f32, 0.0);
            let load = (
                ExternalTorque(Vec3::ONE),
                AngularVelocity(Vec3::ONE),
                Friction(0.7),
            );
            let rest = (load, LockedRotation, place.with_rotation(rotation));
            let body = if k % 2 == 0 {
                world.spawn((Capsule::new(0.2, 0.6), rest, SpinningFriction(0.1)))
            } else {
                world.spawn((Particle::new(0.2), rest, RollingFriction(0.1)))
            };
            (body.id(), rotation)
        })
        .collect();
    for _ in 0..240 {
        app.update();
        for &(body, rotation) in &bodies {
            assert_eq!(spin(&app, body), Vec3::ZERO);
            let angle = get::<Transform>(&app, body)
                .rotation
                .angle_between(rotation);
            assert!(angle < 1e-6, "it has turned by {angle}");
        }
    }
    assert!(messages::<BadInput>(&app).is_empty());
    for &(body, _) in &bodies {
        app.world_mut().entity_mut(body).remove::<LockedRotation>();
    }
    steps(&mut app, 5);
    assert!(
        bodies
            .iter()
            .all(|&(body, _)| spin(&app, body).length() > 0.1)
    );
}

/// A column of upright capsules on their ends, which would fall over, stands and sleeps.
#[test]
fn upright_capsules_stand_on_each_other() {
    let mut app = app_with_gravity(60.0);
    let world = app.world_mut();
    world.spawn((Plane::new(Vec3::Y), Friction(0.5)));
    let bodies: Vec<Entity> = (0..4)
        .map(|k| {
            let place = Transform::from_xyz(0.001 * k as f32, 0.5 + k as f32, 0.0);
            world
                .spawn((Capsule::new(0.3, 0.4), LockedRotation, Friction(0.5), place))
                .id()
        })
        .collect();
    steps(&mut app, 600);
    for (k, &body) in bodies.iter().enumerate() {
        assert_eq!(get::<Transform>(&app, body).rotation, Quat::IDENTITY);
        assert_near(
            "height",
            position(&app, body).y.into(),
            0.5 + k as f64,
            2e-3,
        );
    }
    assert!(
        bodies
            .iter()
            .all(|&body| get::<Sleep>(&app, body).is_asleep())
    );
}

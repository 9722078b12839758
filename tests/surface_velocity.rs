//! Belts: surfaces that move along themselves.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;
use proptest::prelude::*;

const MU: f32 = 0.4;

/// A belt of 200 m × 4 m with its upper face at height 0, turned by `yaw` about the vertical, that runs along its own X axis.
fn belt(speed: f32, yaw: f32) -> impl Bundle {
    let turned = Quat::from_rotation_y(yaw);
    (
        Collider::cuboid(200.0, 0.2, 4.0),
        Friction(MU),
        SurfaceVelocity(Vec3::X * speed),
        Transform::from_xyz(0.0, -0.1, 0.0).with_rotation(turned),
    )
}

fn ball(radius: f32) -> impl Bundle {
    (Particle::new(radius), Friction(MU), Restitution(0.0))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Friction J gives v = J/m and ω = J·r/I, so the ball's lowest point moves at 7/2·v. It rolls once that is V: v = 2/7·V,
    /// and ω = 5/7·V/r. Before, it slides with a = μ·g.
    #[test]
    fn a_ball_laid_on_a_belt_rolls_at_two_sevenths_of_its_speed(
        hz in prop::sample::select(vec![60.0, 120.0, 240.0]),
        speed in 0.5..6.0f32,
        yaw in -3.0..3.0f32,
        radius in 0.05..0.5f32,
        is_plane in any::<bool>(),
        method in 0..2,
    ) {
        let mut app = app_with_gravity(hz);
        if method == 1 {
            app.world_mut().resource_mut::<CollisionConfig>().contact_method =
                ContactMethod::Global(GlobalSolver::default());
        }
        let along = Quat::from_rotation_y(yaw) * Vec3::X;
        match is_plane {
            true => {
                let turned = Transform::from_rotation(Quat::from_rotation_y(yaw));
                let runs = SurfaceVelocity(Vec3::X * speed);
                app.world_mut().spawn((Plane::new(Vec3::Y), Friction(MU), runs, turned))
            }
            false => app.world_mut().spawn(belt(speed, yaw)),
        };
        // Beside the middle line.
        let place = Transform::from_translation(Vec3::Y * radius + Vec3::Y.cross(along) * 0.5);
        let ball = app.world_mut().spawn((ball(radius), place)).id();
        let (g, slides) = (9.81, f64::from(speed) * 2.0 / 7.0 / (f64::from(MU) * 9.81));
        let early = (0.5 * slides * hz) as usize;
        steps(&mut app, early);
        let law = f64::from(MU) * g * early as f64 / hz;
        let v = velocity(&app, ball).dot(along);
        prop_assert!((f64::from(v) - law).abs() < 2e-3 * (1.0 + law), "μ·g·t: {v} is not {law}");
        steps(&mut app, (2.0 * slides * hz) as usize + 5);
        let (v, w) = (velocity(&app, ball), spin(&app, ball));
        let law = along * (speed * 2.0 / 7.0);
        prop_assert!(v.abs_diff_eq(law, 2e-3 * speed), "{v} is not {law}");
        let law = Vec3::Y.cross(along) * (-speed * 5.0 / 7.0 / radius);
        prop_assert!(w.abs_diff_eq(law, 4e-3 * speed / radius), "{w} is not {law}");
    }

    /// A ball that hits a belt leaves as from a wall that moves along itself: the tangential impulse is the lesser of μ·(1 +
    /// e)·m·v_n and the one that makes it roll, 2/7·m·u.
    #[test]
    fn a_belt_rubs_a_ball_that_hits_it(
        fall in 1.0..6.0f32,
        speed in -8.0..8.0f32,
        e in 0.2..1.0f32,
    ) {
        let mut app = app(120.0);
        app.world_mut().spawn((belt(speed, 0.0), Restitution(e)));
        let ball = (
            Particle::new(0.1),
            Friction(MU),
            Restitution(e),
            LinearVelocity(Vec3::NEG_Y * fall),
            Transform::from_xyz(0.0, 0.5, 0.0),
        );
        let ball = app.world_mut().spawn(ball).id();
        steps(&mut app, (0.5 / fall * 120.0) as usize + 4);
        let v = velocity(&app, ball);
        let rolls = (speed * 2.0 / 7.0).abs();
        let law = speed.signum() * rolls.min(MU * (1.0 + e) * fall);
        prop_assert!((v.x - law).abs() < 1e-3 * (1.0 + law.abs()), "{v} is not {law}");
        prop_assert!((v.y - e * fall).abs() < 1e-3 * fall, "{v}");
    }
}

/// A log across a belt cannot roll along it: friction takes it to the belt's speed.
#[test]
fn a_capsule_along_a_belt_takes_its_speed() {
    let mut app = app_with_gravity(120.0);
    app.world_mut().spawn(belt(2.0, 0.0));
    let lying = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let log = (
        Capsule::new(0.1, 1.0),
        Friction(MU),
        Restitution(0.0),
        Transform::from_xyz(0.0, 0.1, 0.0).with_rotation(lying),
    );
    let log = app.world_mut().spawn(log).id();
    steps(&mut app, 30);
    assert_near(
        "μ·g·t",
        velocity(&app, log).x.into(),
        f64::from(MU) * 9.81 * 0.25,
        1e-2,
    );
    steps(&mut app, 210);
    assert_near("V", velocity(&app, log).x.into(), 2.0, 1e-3);
    // It slides over s = V²/(2·μ·g) less than the belt goes.
    let behind = 2.0 * 2.0 - position(&app, log).x;
    assert_near(
        "V²/(2·μ·g)",
        behind.into(),
        4.0 / (2.0 * f64::from(MU) * 9.81),
        2e-2,
    );
}

/// What hits the end of a belt is not pushed by it: V has no part along the surface there.
#[test]
fn the_end_of_a_belt_pushes_nothing() {
    let mut app = app(60.0);
    app.world_mut().spawn((belt(5.0, 0.0), Restitution(1.0)));
    let ball = (
        Particle::new(0.05),
        Friction(MU),
        Restitution(1.0),
        LinearVelocity(Vec3::NEG_X),
        Transform::from_xyz(100.5, -0.1, 0.0),
    );
    let ball = app.world_mut().spawn(ball).id();
    steps(&mut app, 60);
    let v = velocity(&app, ball);
    assert!(v.abs_diff_eq(Vec3::X, 1e-4), "{v}");
    assert!(spin(&app, ball).length() < 1e-4);
}

/// A ball wakes when the belt under it starts, does not sleep while it runs, and sleeps again once it stands.
#[test]
fn a_belt_wakes_what_lies_on_it() {
    let mut app = app_with_gravity(60.0);
    let belt = app.world_mut().spawn(belt(0.0, 0.0)).id();
    let lying = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let log = (
        Capsule::new(0.1, 1.0),
        Friction(MU),
        Restitution(0.0),
        Transform::from_xyz(0.0, 0.1, 0.0).with_rotation(lying),
    );
    let log = app.world_mut().spawn(log).id();
    let runs = |app: &mut App, speed: f32| {
        app.world_mut()
            .entity_mut(belt)
            .insert(SurfaceVelocity(Vec3::X * speed));
    };
    steps(&mut app, 300);
    assert!(get::<Sleep>(&app, log).is_asleep());
    // So slow that it would sleep on a floor that moves with it.
    runs(&mut app, 0.004);
    steps(&mut app, 600);
    assert!(!get::<Sleep>(&app, log).is_asleep());
    assert_near("V·t", position(&app, log).x.into(), 0.04, 1e-3);
    runs(&mut app, 0.0);
    steps(&mut app, 300);
    assert!(get::<Sleep>(&app, log).is_asleep());
}

/// A belt that turns takes its velocity along: a log in the middle of it feels both.
#[test]
fn the_velocity_turns_with_the_belt() {
    let mut app = app_with_gravity(240.0);
    let world = app.world_mut();
    let belt = (
        belt(1.0, 0.0),
        RigidBody::Kinematic,
        AngularVelocity(Vec3::Y * 0.1),
    );
    world.spawn(belt);
    let ball = world
        .spawn((ball(0.1), Transform::from_xyz(0.0, 0.1, 0.5)))
        .id();
    steps(&mut app, 240);
    // It rolls with v = 2/7·V and then feels only the slow turn of V: dv = 2/7·dV.
    let v = velocity(&app, ball);
    let law = Quat::from_rotation_y(0.1) * Vec3::X * (2.0 / 7.0);
    assert!(v.distance(law) < 3e-2, "{v} is not {law}");
    assert!(v.z < -1e-2, "{v}");
}

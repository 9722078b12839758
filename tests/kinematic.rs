//! Kinematic bodies move with the velocities that a user sets, and move the bodies that they meet.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;
use proptest::prelude::*;

/// A wall of infinite mass that comes at u sends a ball off with 2u, as the ball's speed against it turns round.
#[test]
fn a_paddle_hits_with_twice_its_speed() {
    let mut app = app(60.0);
    let paddle = app
        .world_mut()
        .spawn((
            Capsule::new(0.2, 2.0),
            RigidBody::Kinematic,
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

/// A roller that turns under a log drags it round by friction until their surfaces have the same velocity.
#[test]
fn a_turning_roller_drags_what_lies_on_it() {
    let mut app = app(60.0);
    app.insert_resource(Gravity(Vec3::NEG_Y * 9.81));
    let across = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    let roller = (
        Capsule::new(0.5, 4.0),
        RigidBody::Kinematic,
        Friction(0.5),
        AngularVelocity(Vec3::Z * 2.0),
        Transform::from_rotation(across),
    );
    let roller = app.world_mut().spawn(roller).id();
    // Held in place by two more rollers that do not turn and do not rub.
    for x in [-0.75, 0.75] {
        let guide = Transform::from_xyz(x, 0.75, 0.0).with_rotation(across);
        app.world_mut().spawn((
            Capsule::new(0.2, 4.0),
            RigidBody::Static,
            Friction(0.0),
            guide,
        ));
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

/// Nothing stops it: neither gravity, nor a heap, nor a static body, nor another kinematic body.
#[test]
fn nothing_stops_a_kinematic_body() {
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
        RigidBody::Static,
        Transform::from_xyz(9.0, 0.5, 0.0),
    ));
    let kinematic = |x: f32, v: f32| {
        (
            Particle::new(0.5),
            RigidBody::Kinematic,
            LinearVelocity(Vec3::X * v),
            Transform::from_xyz(x, 0.4, 0.0),
        )
    };
    let pusher = app.world_mut().spawn(kinematic(0.0, 2.0)).id();
    let other = app.world_mut().spawn(kinematic(16.0, -1.0)).id();
    steps(&mut app, 480);
    for (body, x, v) in [(pusher, 16.0, 2.0), (other, 8.0, -1.0)] {
        assert_eq!(velocity(&app, body), Vec3::X * v);
        let place = position(&app, body);
        assert!(place.abs_diff_eq(Vec3::new(x, 0.4, 0.0), 1e-3), "{place}");
    }
    assert!(measure(&mut app).kinetic_energy.is_finite());
}

/// The ball's velocity after it has hit a plane that rises with `plane_speed`, and its velocity by the law of impact:
/// v_p + e·(v_p − v_before), less the velocity that gravity takes until the end of the step. They meet when a part of a step has
/// passed.
fn bounce(
    hz: f64,
    has_gravity: bool,
    plane_speed: f32,
    ball_speed: f32,
    restitution: f32,
    part: f64,
) -> (f64, f64) {
    let [v_p, u, e] = [plane_speed, ball_speed, restitution].map(f64::from);
    let g = if has_gravity { 9.81 } else { 0.0 };
    let (whole_steps, radius) = (2, 0.5);
    let time = (f64::from(whole_steps) + part) / hz;
    let gap = (v_p - u) * time + 0.5 * g * time * time;
    let mut app = app(hz);
    app.insert_resource(Gravity(Vec3::NEG_Y * g as f32));
    let rising = LinearVelocity(Vec3::Y * plane_speed);
    let plane = (Plane::new(Vec3::Y), RigidBody::Kinematic, rising);
    let plane = app.world_mut().spawn(plane).id();
    let ball = (
        Particle::new(radius),
        Restitution(restitution),
        LinearVelocity(Vec3::Y * ball_speed),
        Transform::from_xyz(0.0, radius + gap as f32, 0.0),
    );
    let ball = app.world_mut().spawn(ball).id();
    steps(&mut app, whole_steps as usize + 1);
    let end = f64::from(whole_steps + 1) / hz;
    assert_eq!(velocity(&app, plane), Vec3::Y * plane_speed);
    assert_near(
        "the plane's way",
        position(&app, plane).y.into(),
        v_p * end,
        1e-5,
    );
    let before = u - g * time;
    let after = v_p + e * (v_p - before);
    (velocity(&app, ball).y.into(), after - g * (end - time))
}

#[test]
fn a_ball_leaves_a_rising_plane_at_the_right_speed() {
    for hz in [30.0, 60.0, 240.0] {
        for has_gravity in [false, true] {
            let (speed, law) = bounce(hz, has_gravity, 1.0, -4.0, 0.5, 0.5);
            assert_near("v_p + e·(v_p − v)", speed, law, 1e-4);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Planes that rise, and planes that a ball overtakes.
    #[test]
    fn the_law_of_impact_holds_on_a_moving_plane(
        hz in prop::sample::select(vec![30.0, 60.0, 120.0, 240.0]),
        has_gravity in any::<bool>(),
        plane_speed in -3.0..6.0f32,
        approach in 2.0..20.0f32,
        restitution in 0.2..1.0f32,
        part in 0.05..0.95,
    ) {
        let ball_speed = plane_speed - approach;
        let (speed, law) = bounce(hz, has_gravity, plane_speed, ball_speed, restitution, part);
        // The heights are stored in f32.
        let tolerance = 1e-4 * (1.0 + 0.1 * f64::from(approach));
        prop_assert!((speed - law).abs() <= tolerance, "{speed} is not {law}");
    }
}

/// A plane of any speed, from any place, hits the ball.
#[test]
fn a_plane_that_comes_from_afar_hits() {
    let ball = || (Particle::new(0.1), Restitution(1.0), Friction(0.0));
    for speed in [1.0, 10.0, 300.0] {
        let mut app = app(60.0);
        let ball = app.world_mut().spawn(ball()).id();
        app.world_mut().spawn((
            Plane::new(Vec3::Y),
            RigidBody::Kinematic,
            LinearVelocity(Vec3::Y * speed),
            Transform::from_xyz(3.0, -0.1 - 0.755 * speed, 0.0),
        ));
        steps(&mut app, 45);
        assert_eq!(velocity(&app, ball), Vec3::ZERO);
        steps(&mut app, 3);
        assert_near("2u", (velocity(&app, ball).y / speed).into(), 2.0, 1e-4);
    }
    // It speeds up on its way, and it turns about a point far away.
    let mut app = app(60.0);
    let ball = app.world_mut().spawn(ball()).id();
    let plane = app
        .world_mut()
        .spawn((
            Plane::new(Vec3::Y),
            RigidBody::Kinematic,
            Transform::from_xyz(-100.0, -3.0, 0.0),
        ))
        .id();
    for step in 0..240 {
        let mut plane = app.world_mut().entity_mut(plane);
        plane.insert(AngularVelocity(Vec3::Z * 2e-4 * step as f32));
        steps(&mut app, 1);
    }
    assert!(velocity(&app, ball).y > 1.0, "{}", velocity(&app, ball));
}

/// See-saw: the plane turns with ω about an axis in it. In the plane of the motion its normal is n = (−sin θ, cos θ) after the
/// angle θ. It meets a ball at rest at x where ⟨n, x⟩ = r. There the contact point rises along n at u = ω·(x·cos θ + y·sin θ), and
/// the ball leaves with (1 + e)·u·n.
#[test]
fn a_plane_that_turns_throws_a_ball() {
    for (hz, spin, has_capsule) in [
        (60.0, 1.0f64, false),
        (60.0, 4.0, false),
        (240.0, 4.0, false),
        (60.0, 4.0, true),
    ] {
        let (x, y, radius, e) = (2.0f64, 0.4f64, 0.25f64, 0.5);
        let distance = |angle: f64| y * angle.cos() - x * angle.sin() - radius;
        let (mut low, mut high) = (0.0, 0.5);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            *(if distance(middle) > 0.0 {
                &mut low
            } else {
                &mut high
            }) = middle;
        }
        let mut app = app(hz);
        let plane = app
            .world_mut()
            .spawn((
                Plane::new(Vec3::Y),
                RigidBody::Kinematic,
                AngularVelocity(Vec3::Z * spin as f32),
            ))
            .id();
        let ball = app
            .world_mut()
            .spawn((
                Particle::new(radius as f32),
                Restitution(e as f32),
                Friction(0.0),
                Transform::from_xyz(x as f32, y as f32, 0.0),
            ))
            .id();
        if has_capsule {
            // Then pairs go through the filter for capsules.
            app.world_mut()
                .spawn((Capsule::new(0.1, 1.0), Transform::from_xyz(0.0, 50.0, 0.0)));
        }
        let count = (low / spin * hz).ceil();
        steps(&mut app, count as usize);
        let u = spin * (x * low.cos() + y * low.sin());
        let speed = (1.0 + e) * u;
        let v = velocity(&app, ball);
        assert_near("along x", v.x.into(), -speed * low.sin(), 1e-3);
        assert_near("along y", v.y.into(), speed * low.cos(), 1e-3);
        let rotation = get::<Transform>(&app, plane).rotation;
        let turned = rotation.angle_between(Quat::from_rotation_z((spin * count / hz) as f32));
        assert_near("the plane's angle", turned.into(), 0.0, 1e-3);
        assert_eq!(get::<AngularVelocity>(&app, plane).0, Vec3::Z * spin as f32);
    }
}

/// (1 + e)·u, without a turn, for a capsule that meets the plane with its whole length.
#[test]
fn a_plane_that_rises_throws_a_capsule() {
    let mut app = app(60.0);
    let rising = LinearVelocity(Vec3::Y * 2.0);
    app.world_mut()
        .spawn((Plane::new(Vec3::Y), RigidBody::Kinematic, rising));
    let lies = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let capsule = app
        .world_mut()
        .spawn((
            Capsule::new(0.25, 1.0),
            Restitution(0.5),
            Friction(0.3),
            Transform::from_xyz(0.0, 0.35, 0.0).with_rotation(lies),
        ))
        .id();
    steps(&mut app, 10);
    let v = velocity(&app, capsule);
    assert!(v.abs_diff_eq(Vec3::Y * 3.0, 1e-3), "{v}");
    let w = spin(&app, capsule);
    assert!(w.abs_diff_eq(Vec3::ZERO, 1e-3), "{w}");
}

/// A ball and a capsule on a plane that rises keep touching it, and have its velocity.
#[test]
fn what_lies_on_a_rising_plane_rides_on_it() {
    for hz in [30.0, 60.0, 240.0] {
        let mut app = app_with_gravity(hz);
        let rising = LinearVelocity(Vec3::Y);
        let plane = (Plane::new(Vec3::Y), RigidBody::Kinematic, rising);
        let plane = app.world_mut().spawn(plane).id();
        let radius = 0.5;
        let lies = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
        let at = |x: f32| Transform::from_xyz(x, radius, 0.0);
        let dull = (Restitution(0.0), Friction(0.5));
        let ball = (Particle::new(radius), dull, at(0.0));
        let capsule = (Capsule::new(radius, 1.0), dull, at(5.0).with_rotation(lies));
        let bodies = [
            app.world_mut().spawn(ball).id(),
            app.world_mut().spawn(capsule).id(),
        ];
        steps(&mut app, hz as usize / 2);
        for _ in 0..(2.0 * hz) as usize {
            steps(&mut app, 1);
            for body in bodies {
                let gap = position(&app, body).y - position(&app, plane).y - radius;
                assert_near("gap", (gap / radius).into(), 0.0, 1e-4);
                assert_near("speed", velocity(&app, body).y.into(), 1.0, 1e-4);
            }
        }
    }
}

/// A conveyor belt at u, under a ball that does not turn at first. Friction accelerates its centre at μ·g and its contact point at
/// 7/2·μ·g, until the contact point runs with the belt: then the ball rolls, and its centre has 2/7·u. Rolling friction then brings
/// it up to u.
#[test]
fn a_belt_takes_a_ball_along() {
    let (u, radius) = (2.0, 0.1);
    for rolls in [0.0, 0.05] {
        let mut app = app_with_gravity(60.0);
        let belt = LinearVelocity(Vec3::X * u);
        let belt = (Plane::new(Vec3::Y), RigidBody::Kinematic, belt);
        let belt = app.world_mut().spawn(belt).id();
        let material = (Restitution(0.0), Friction(0.4), RollingFriction(rolls));
        let ball = (
            Particle::new(radius),
            material,
            Transform::from_xyz(0.0, 0.12, 0.0),
        );
        let ball = app.world_mut().spawn(ball).id();
        steps(&mut app, 60);
        let contact_speed = |app: &App| {
            let arm = Vec3::NEG_Y * radius;
            (velocity(app, ball) + spin(app, ball).cross(arm)).x.into()
        };
        assert_near("the contact point", contact_speed(&app), u.into(), 1e-3);
        if rolls == 0.0 {
            assert_near(
                "2/7·u",
                velocity(&app, ball).x.into(),
                2.0 / 7.0 * f64::from(u),
                5e-3,
            );
        } else {
            steps(&mut app, 300);
            assert_near("u", velocity(&app, ball).x.into(), u.into(), 1e-2);
            assert_near("spin", spin(&app, ball).length().into(), 0.0, 0.1);
        }
        assert_near("height", position(&app, ball).y.into(), radius.into(), 1e-4);
        assert_eq!(velocity(&app, belt), Vec3::X * u);
    }
}

/// A capsule that lies along the belt cannot roll on it. It slides for the time u/(μ·g), and then rides along.
#[test]
fn a_belt_takes_a_capsule_along() {
    let (u, mu, radius) = (2.0f64, 0.4f64, 0.1f32);
    let mut app = app_with_gravity(60.0);
    let belt = LinearVelocity(Vec3::X * u as f32);
    app.world_mut()
        .spawn((Plane::new(Vec3::Y), RigidBody::Kinematic, belt));
    let lies = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let capsule = app
        .world_mut()
        .spawn((
            Capsule::new(radius, 0.3),
            Restitution(0.0),
            Friction(mu as f32),
            Transform::from_xyz(0.0, radius, 0.0).with_rotation(lies),
        ))
        .id();
    let slides_for = u / (mu * 9.81);
    let half = (0.5 * slides_for * 60.0).round();
    steps(&mut app, half as usize);
    let law = mu * 9.81 * half / 60.0;
    assert_near("μ·g·t", velocity(&app, capsule).x.into(), law, 0.02);
    steps(&mut app, half as usize + 10);
    for _ in 0..60 {
        steps(&mut app, 1);
        let v = velocity(&app, capsule);
        assert!(v.abs_diff_eq(Vec3::X * u as f32, 2e-3), "{v}");
        assert!(spin(&app, capsule).length() < 1e-2);
    }
}

/// A turntable: the plane turns about its own normal, and takes a capsule that neither slips nor rolls round with it.
#[test]
fn a_turntable_moves_what_lies_off_its_centre() {
    let mut app = app_with_gravity(60.0);
    app.world_mut().spawn((
        Plane::new(Vec3::Y),
        RigidBody::Kinematic,
        AngularVelocity(Vec3::Y * 0.5),
    ));
    let lies = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let capsule = app
        .world_mut()
        .spawn((
            Capsule::new(0.1, 0.5),
            Restitution(0.0),
            Friction(0.8),
            RollingFriction(0.2),
            Transform::from_xyz(1.0, 0.1, 0.0).with_rotation(lies),
        ))
        .id();
    steps(&mut app, 120);
    let (x, v) = (position(&app, capsule), velocity(&app, capsule));
    let law = (Vec3::Y * 0.5).cross(x);
    assert!(v.abs_diff_eq(law, 0.02), "{v} is not {law}");
    let w = spin(&app, capsule).y;
    assert_near("ω", w.into(), 0.5, 0.02);
}

/// A heap of balls in a box with a rising floor and a wall that moves inwards: no ball is lost.
#[test]
fn moving_walls_lose_no_ball() {
    let mut app = app_with_gravity(60.0);
    for (normal, x) in [
        (Vec3::NEG_X, Vec3::X * 2.0),
        (Vec3::Z, Vec3::NEG_Z),
        (Vec3::NEG_Z, Vec3::Z),
    ] {
        app.world_mut()
            .spawn((Plane::new(normal), Transform::from_translation(x)));
    }
    let floor = (
        Plane::new(Vec3::Y),
        RigidBody::Kinematic,
        LinearVelocity(Vec3::Y * 0.5),
    );
    let wall = (
        Plane::new(Vec3::X),
        RigidBody::Kinematic,
        LinearVelocity(Vec3::X * 0.25),
        AngularVelocity(Vec3::Z * 0.02),
        Transform::from_xyz(-2.0, 0.0, 0.0),
    );
    let planes = [
        app.world_mut().spawn(floor).id(),
        app.world_mut().spawn(wall).id(),
    ];
    let mut balls = Vec::new();
    for k in 0..300 {
        let (i, j, l) = (k % 12, k / 12 % 6, k / 72);
        let at = Vec3::new(
            -1.8 + 0.3 * i as f32,
            0.2 + 0.3 * l as f32,
            -0.8 + 0.3 * j as f32,
        );
        let ball = (Particle::new(0.12), Transform::from_translation(at));
        balls.push(app.world_mut().spawn(ball).id());
    }
    steps(&mut app, 240);
    for plane in planes {
        let transform = get::<Transform>(&app, plane);
        let normal = transform.rotation * get::<Plane>(&app, plane).normal;
        for &ball in &balls {
            let distance = normal.dot(position(&app, ball) - transform.translation);
            assert!(distance > 0.1, "a ball is {distance} m from a wall");
        }
    }
}

/// On a kinematic plane that stands still, things sleep. They wake when it moves, sideways or turning, and stay awake.
#[test]
fn a_moving_plane_wakes_what_sleeps_on_it() {
    for (linear, angular) in [
        (Vec3::X, Vec3::ZERO),
        (Vec3::NEG_Y, Vec3::ZERO),
        (Vec3::ZERO, Vec3::NEG_Z),
    ] {
        let mut app = app_with_gravity(60.0);
        let plane = (Plane::new(Vec3::Y), RigidBody::Kinematic);
        let plane = app.world_mut().spawn(plane).id();
        let at = Transform::from_xyz(3.0, 0.5, 0.0);
        let ball = (Particle::new(0.5), Friction(0.5), Restitution(0.0), at);
        let ball = app.world_mut().spawn(ball).id();
        steps(&mut app, 300);
        assert!(get::<Sleep>(&app, ball).is_asleep());
        app.world_mut().entity_mut(plane).insert((
            LinearVelocity(linear * 0.1),
            AngularVelocity(angular * 0.05),
        ));
        for _ in 0..120 {
            steps(&mut app, 1);
            assert!(!get::<Sleep>(&app, ball).is_asleep());
        }
        let gone = position(&app, ball).distance(at.translation);
        assert!(gone > 0.05, "{linear} {angular}: it has gone {gone} m");
    }
}

/// A plane, and a body that sleeps on it, when the plane is moved to another place.
#[test]
fn a_plane_that_is_put_elsewhere_lets_go_of_what_slept_on_it() {
    for kind in [RigidBody::Static, RigidBody::Kinematic] {
        let mut app = app_with_gravity(60.0);
        let plane = app.world_mut().spawn((Plane::new(Vec3::Y), kind)).id();
        let ball = (Particle::new(0.5), Transform::from_xyz(0.0, 0.5, 0.0));
        let ball = app.world_mut().spawn(ball).id();
        steps(&mut app, 300);
        assert!(get::<Sleep>(&app, ball).is_asleep());
        app.world_mut()
            .entity_mut(plane)
            .insert(Transform::from_xyz(0.0, -3.0, 0.0));
        steps(&mut app, 30);
        assert!(position(&app, ball).y < 0.0, "{kind:?}: it falls");
    }
}

/// A body that becomes kinematic keeps its velocity. When it is dynamic again, it falls as if it were thrown then.
#[test]
fn the_kind_may_change_at_any_time() {
    let (hz, g) = (60.0, 9.81);
    let mut app = app_with_gravity(hz);
    let ball = (Particle::new(0.5), LinearVelocity(Vec3::X));
    let ball = app.world_mut().spawn(ball).id();
    steps(&mut app, 30);
    let mut fallen = velocity(&app, ball);
    assert_near("g·t", fallen.y.into(), -g * 30.0 / hz, 1e-3);
    for kind in [RigidBody::Kinematic, RigidBody::Static] {
        let at = position(&app, ball);
        *app.world_mut().get_mut::<RigidBody>(ball).unwrap() = kind;
        steps(&mut app, 30);
        let way = if kind.is_kinematic() { 0.5 } else { 0.0 };
        let way = position(&app, ball).distance(at + fallen * way);
        assert_near("way", way.into(), 0.0, 1e-4);
        assert_eq!(velocity(&app, ball), fallen);
        *app.world_mut().get_mut::<RigidBody>(ball).unwrap() = RigidBody::Dynamic;
        steps(&mut app, 30);
        let law = fallen - Vec3::Y * (g * 30.0 / hz) as f32;
        fallen = velocity(&app, ball);
        assert!(fallen.abs_diff_eq(law, 1e-3), "{fallen} is not {law}");
    }
}

/// Galilei: the motion on a plane that moves with u is the motion on a plane at rest, seen from a frame that moves with −u.
#[test]
fn a_moving_plane_is_a_plane_at_rest_seen_from_another_frame() {
    let (u, hz) = (Vec3::new(0.7, 1.3, -0.4), 60.0);
    let world = |u: Vec3| {
        let mut app = app_with_gravity(hz);
        let kind = match u {
            Vec3::ZERO => RigidBody::Static,
            _ => RigidBody::Kinematic,
        };
        app.world_mut()
            .spawn((Plane::new(Vec3::Y), kind, LinearVelocity(u)));
        let material = (Restitution(0.5), Friction(0.3));
        let ball = (
            Particle::new(0.2),
            material,
            LinearVelocity(u + Vec3::new(1.0, -2.0, 0.0)),
            AngularVelocity(Vec3::Z * 20.0),
            Transform::from_xyz(0.0, 0.5, 0.0),
        );
        let capsule = (
            Capsule::new(0.1, 0.4),
            material,
            LinearVelocity(u + Vec3::new(0.0, -1.0, 0.5)),
            Transform::from_xyz(3.0, 0.6, 0.0).with_rotation(Quat::from_rotation_z(0.6)),
        );
        let bodies = [
            app.world_mut().spawn(ball).id(),
            app.world_mut().spawn(capsule).id(),
        ];
        (app, bodies)
    };
    let ((mut at_rest, still), (mut moving, carried)) = (world(Vec3::ZERO), world(u));
    for step in 1..=40 {
        steps(&mut at_rest, 1);
        steps(&mut moving, 1);
        let way = u * (step as f32 / hz as f32);
        for (still, carried) in still.into_iter().zip(carried) {
            let x = position(&at_rest, still).distance(position(&moving, carried) - way);
            let v = velocity(&at_rest, still).distance(velocity(&moving, carried) - u);
            let w = spin(&at_rest, still).distance(spin(&moving, carried));
            assert!(x < 1e-3 && v < 5e-3 && w < 5e-2, "step {step}: {x} {v} {w}");
        }
    }
}

/// A kinematic plane comes down on a ball that lies on a static plane, until there is no room left.
#[test]
fn a_press_does_not_push_a_ball_through_the_floor() {
    for speed in [0.2, 1.0, 20.0] {
        let mut app = app_with_gravity(60.0);
        let world = app.world_mut();
        world.spawn(Plane::new(Vec3::Y));
        world.spawn((
            Plane::new(Vec3::NEG_Y),
            RigidBody::Kinematic,
            LinearVelocity(Vec3::NEG_Y * speed),
            Transform::from_xyz(0.0, 0.4, 0.0),
        ));
        let ball = world
            .spawn((Particle::new(0.1), Transform::from_xyz(0.0, 0.1, 0.0)))
            .id();
        for _ in 0..180 {
            app.update();
            let x = position(&app, ball);
            assert!(x.is_finite() && x.y >= -1e-4, "{speed} m/s: {x}");
        }
    }
}

/// Twelve half-spaces that turn about their own points leave less and less room, and then none.
#[test]
fn planes_that_leave_no_room_throw_nothing_out_without_bound() {
    let mut app = app_with_gravity(60.0);
    for side in [-1.0, 1.0] {
        let wall = Plane::new(Vec3::NEG_Z * side);
        app.world_mut()
            .spawn((wall, Transform::from_xyz(0.0, 0.0, side)));
    }
    let mut ring = Vec::new();
    for k in 0..12 {
        let turn = Quat::from_rotation_z(std::f32::consts::TAU * k as f32 / 12.0);
        let plane = (
            Plane::new(turn * Vec3::NEG_Y),
            RigidBody::Kinematic,
            Friction(0.5),
            LinearVelocity(turn * Vec3::NEG_X * 1.6),
            AngularVelocity(Vec3::Z),
            Transform::from_translation(turn * Vec3::Y * 1.6),
        );
        ring.push(app.world_mut().spawn(plane).id());
    }
    for k in 0..100 {
        let at = Vec3::new((k % 10) as f32, (k / 10 % 10) as f32, (k / 100) as f32) - 4.5;
        let ball = (Particle::new(0.07), Restitution(0.3), Friction(0.4));
        app.world_mut().spawn((
            ball,
            Transform::from_translation(at * Vec3::new(0.2, 0.2, 0.18)),
        ));
    }
    // A surface that turns by 1 rad/s is as fast as it is far away.
    let check = |app: &mut App, step: usize| {
        let mut balls = app
            .world_mut()
            .query_filtered::<(&LinearVelocity, &Transform), With<Particle>>();
        for (v, at) in balls.iter(app.world()) {
            let (v, x) = (v.length(), at.translation.length());
            assert!(
                x < 50.0 && v < 1000.0 + 100.0 * x,
                "step {step}: {v} m/s at {x} m"
            );
        }
        balls
            .iter(app.world())
            .map(|(v, _)| v.length())
            .fold(0.0, f32::max)
    };
    for step in 0..400 {
        steps(&mut app, 1);
        check(&mut app, step);
    }
    for plane in ring {
        app.world_mut().entity_mut(plane).insert((
            RigidBody::Static,
            LinearVelocity::default(),
            AngularVelocity::default(),
        ));
    }
    let mut fastest = f32::MAX;
    for step in 400..700 {
        steps(&mut app, 1);
        fastest = check(&mut app, step);
    }
    assert!(
        fastest < 2.0,
        "{fastest} m/s between planes that have stopped"
    );
}

//! Resting, rolling and stacking: bodies at rest stay at rest, and sliding bodies come to roll by Coulomb's law.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;

const G: f32 = 9.81;

#[test]
fn a_sliding_ball_comes_to_roll_at_five_sevenths() {
    // From m·a = −μ·m·g and I·α = μ·m·g·r: v = ω·r at t = 2·v0/(7·μ·g), with v = 5/7·v0.
    for (hz, mu, v0) in [(60.0, 0.2, 2.0), (240.0, 0.2, 2.0), (60.0, 0.05, 1.0)] {
        let mut app = app_with_gravity(hz);
        let radius = 0.028575;
        app.world_mut().spawn((Plane::new(Vec3::Y), Friction(mu)));
        let ball = app
            .world_mut()
            .spawn((
                Particle::new(radius),
                Mass(0.17),
                Friction(mu),
                Transform::from_xyz(0.0, radius, 0.0),
                LinearVelocity(Vec3::X * v0),
            ))
            .id();
        let expected_time = 2.0 * v0 / (7.0 * mu * G);
        // The sliding speed falls at 7/2·μ·g; where that line meets zero is when rolling begins, between two steps.
        let slip = |app: &App| velocity(app, ball).x + spin(app, ball).z * radius;
        let half = (0.5 * f64::from(expected_time) * hz).round() as usize;
        steps(&mut app, half);
        let (t_half, slip_half) = (half as f32 / hz as f32, slip(&app));
        let time = t_half * v0 / (v0 - slip_half);
        assert_near(
            "time until it rolls",
            (time / expected_time).into(),
            1.0,
            0.01,
        );
        steps(&mut app, half + hz as usize / 4);
        let ratio = velocity(&app, ball).x / v0;
        assert_near("rolling speed", ratio.into(), 5.0 / 7.0, 0.01 * 5.0 / 7.0);
        assert_near("no slip", (slip(&app) / v0).into(), 0.0, 1e-4);
    }
}

#[test]
fn rolling_friction_slows_by_mu_g() {
    let mut app = app_with_gravity(60.0);
    let (radius, mu_r, v0) = (0.028575, 0.01, 1.0);
    app.world_mut()
        .spawn((Plane::new(Vec3::Y), Friction(0.2), RollingFriction(mu_r)));
    let ball = app
        .world_mut()
        .spawn((
            Particle::new(radius),
            Transform::from_xyz(0.0, radius, 0.0),
            LinearVelocity(Vec3::X * v0),
            AngularVelocity(Vec3::NEG_Z * v0 / radius),
        ))
        .id();
    steps(&mut app, 120);
    let expected = v0 - mu_r * G * 2.0;
    assert_near(
        "speed after 2 s",
        velocity(&app, ball).x.into(),
        expected.into(),
        0.005,
    );
    // It stops, and stays.
    steps(&mut app, 60 * 12);
    assert_near(
        "speed at the end",
        velocity(&app, ball).length().into(),
        0.0,
        1e-4,
    );
}

#[test]
fn rolling_friction_waits_until_the_sliding_ends() {
    // While it slides only Coulomb's friction acts: it rolls after 2·v0/(7·μ·g) at 5/7·v0, 12·v0²/(49·μ·g) from the start;
    // from there on it slows by μ_r·g.
    let (radius, mu, mu_r, v0) = (0.03, 0.2, 0.04, 1.5f32);
    for hz in [60.0, 120.0, 170.0] {
        let mut app = app_with_gravity(hz);
        app.world_mut()
            .spawn((Plane::new(Vec3::Y), Friction(mu), RollingFriction(mu_r)));
        let ball = app
            .world_mut()
            .spawn((
                Particle::new(radius),
                Transform::from_xyz(0.0, radius, 0.0),
                LinearVelocity(Vec3::X * v0),
            ))
            .id();
        steps(&mut app, 10 * hz as usize);
        let slid = 12.0 * v0 * v0 / (49.0 * mu * G);
        let rolled = (5.0 / 7.0 * v0).powi(2) / (2.0 * mu_r * G);
        let end = f64::from(position(&app, ball).x);
        let expected = f64::from(slid + rolled);
        assert_near("end", end / expected, 1.0, 1e-3);
    }
}

#[test]
fn a_rolling_ball_that_is_stopped_between_two_steps_goes_on_as_its_spin_says() {
    // Head on and with e = 1 a smooth ball stops and keeps its spin, which brings it to 2/7 of its speed; the other comes from it
    // all to 5/7. The work of friction depends on the time of the impact in the step, unless friction acts on each motion for as
    // long as the motion lasts.
    let (radius, mu, mu_r, v) = (0.03, 0.2, 0.02, 1.0f32);
    for gap in [0.2, 0.2042, 0.2083, 0.2125] {
        let mut app = app_with_gravity(60.0);
        app.world_mut().spawn((
            Plane::new(Vec3::Y),
            Restitution(0.0),
            Friction(mu),
            RollingFriction(mu_r),
        ));
        app.insert_resource(CollisionConfig {
            friction: MaterialRule::new(CombineRule::Max, 0.0),
            restitution: MaterialRule::new(CombineRule::Min, 1.0),
            ..default()
        });
        let mut ball = |x: f32, v: f32| {
            app.world_mut()
                .spawn((
                    Particle::new(radius),
                    Restitution(1.0),
                    Friction(0.0),
                    Transform::from_xyz(x, radius, 0.0),
                    LinearVelocity(Vec3::X * v),
                    AngularVelocity(Vec3::NEG_Z * v / radius),
                ))
                .id()
        };
        let (hitting, hit) = (ball(0.0, v), ball(gap + 2.0 * radius, 0.0));
        steps(&mut app, 60 * 10);
        let v_hit = (v * v - 2.0 * mu_r * G * gap).sqrt();
        let slide = 2.0 * v_hit / (7.0 * mu * G);
        let rolled = |part: f32| (part * v_hit).powi(2) / (2.0 * mu_r * G);
        for (ball, from, went) in [
            (hitting, gap, v_hit * slide / 7.0 + rolled(2.0 / 7.0)),
            (
                hit,
                gap + 2.0 * radius,
                v_hit * slide * 6.0 / 7.0 + rolled(5.0 / 7.0),
            ),
        ] {
            let way = f64::from(position(&app, ball).x - from);
            assert_near("way after the impact", way / f64::from(went), 1.0, 2e-3);
        }
    }
}

#[test]
fn spinning_friction_slows_by_its_couple() {
    let mut app = app_with_gravity(60.0);
    let (radius, mu_s, w0) = (0.03, 0.04, 60.0);
    app.world_mut()
        .spawn((Plane::new(Vec3::Y), SpinningFriction(mu_s)));
    let ball = app
        .world_mut()
        .spawn((
            Particle::new(radius),
            Transform::from_xyz(0.0, radius, 0.0),
            AngularVelocity(Vec3::Y * w0),
        ))
        .id();
    steps(&mut app, 60);
    let expected = w0 - 2.5 * mu_s * G / radius;
    assert_near(
        "spin after 1 s",
        (spin(&app, ball).y / expected).into(),
        1.0,
        0.01,
    );
}

#[test]
fn a_ball_at_rest_stays_at_rest() {
    for hz in [30.0, 60.0, 240.0] {
        let mut app = app_with_gravity(hz);
        app.world_mut().spawn(Plane::new(Vec3::Y));
        let start = Vec3::new(0.3, 0.5, -0.2);
        let ball = app
            .world_mut()
            .spawn((Particle::new(0.5), Transform::from_translation(start)))
            .id();
        steps(&mut app, 10_000);
        let moved = position(&app, ball).distance(start);
        assert_near("distance moved", moved.into(), 0.0, 1e-4 * 0.5);
        assert_near(
            "speed shown",
            velocity(&app, ball).length().into(),
            0.0,
            1e-5,
        );
    }
}

/// Ten balls of radius 0.1 m on top of each other, on the ground and between four walls.
fn stack_in_a_tube(app: &mut App) -> Vec<Entity> {
    let radius = 0.1;
    app.world_mut().spawn(Plane::new(Vec3::Y));
    for side in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        app.world_mut().spawn((
            Plane::new(side),
            Transform::from_translation(-side * radius),
        ));
    }
    let balls = (0..10).map(|i| {
        let x = Transform::from_xyz(0.0, radius * (2 * i + 1) as f32, 0.0);
        app.world_mut().spawn((Particle::new(radius), x)).id()
    });
    balls.collect()
}

/// The forces stay when a substep becomes shorter or longer, not the impulses.
#[test]
fn a_stack_stands_still_when_substeps_change() {
    let mut app = app_with_gravity(60.0);
    app.world_mut()
        .resource_mut::<CollisionConfig>()
        .sleep_speed = 0.0;
    let balls = stack_in_a_tube(&mut app);
    steps(&mut app, 300);
    for substeps in [8, 2, 1] {
        app.world_mut().resource_mut::<CollisionConfig>().substeps = substeps;
        for _ in 0..120 {
            steps(&mut app, 1);
            for &ball in &balls {
                let speed = velocity(&app, ball).length();
                assert_near("speed", speed.into(), 0.0, 0.02);
            }
        }
    }
}

/// Two balls side by side carry a third ball, which presses them apart. A wall, or another held body, holds each ball in place,
/// although the ball falls along it until the floor's impulse comes.
#[test]
fn walls_hold_balls_that_are_pressed_against_them() {
    // The gaps are small, but above zero: an overlapping ball is always pressed on the wall.
    let (r, half, gap) = (0.1, 0.12f32, 1e-6);
    let (plane, still, kinematic) = (0, 1, 2);
    let walls = [plane, still, kinematic].into_iter();
    for (wall, rolls) in walls.flat_map(|wall| [(wall, 0.0), (wall, 1e-3)]) {
        let mut app = app_with_gravity(60.0);
        app.world_mut()
            .resource_mut::<CollisionConfig>()
            .sleep_speed = 0.0;
        app.world_mut().spawn((Plane::new(Vec3::Y), Friction(0.0)));
        for side in [-1.0, 1.0] {
            let at = |reach: f32| Transform::from_xyz(side * (half + r + gap + reach), r, 0.0);
            if wall == plane {
                let wall = (Plane::new(Vec3::X * -side), Friction(0.0), at(0.0));
                app.world_mut().spawn(wall);
                continue;
            }
            let ball = (Particle::new(1.0), Friction(0.0), at(1.0));
            let mut ball = app.world_mut().spawn(ball);
            if wall == still {
                ball.insert(RigidBody::Static);
            } else {
                ball.insert(RigidBody::Kinematic);
            }
        }
        let height = (4.0 * r * r - half * half).sqrt();
        let places = [(-half, r), (half, r), (0.0, r + height)];
        let balls = places.map(|(x, y)| {
            let ball = (Particle::new(r), Friction(0.0), RollingFriction(rolls));
            let at = Transform::from_xyz(x, y, 0.0);
            app.world_mut().spawn((ball, at)).id()
        });
        for _ in 0..240 {
            steps(&mut app, 1);
            for (ball, (x, y)) in balls.into_iter().zip(places) {
                let gone = position(&app, ball).distance(Vec3::new(x, y, 0.0));
                assert_near("way gone", (gone / r).into(), 0.0, 2.5e-3);
                let speed = velocity(&app, ball).length();
                assert_near("speed", speed.into(), 0.0, 0.02);
            }
        }
    }
}

/// A small ball slides over the top of a great one, both free: N = m·(g·cos θ − v²/d) presses it on all the way, though in every
/// step it goes further than the contact margin is wide.
#[test]
fn a_ball_that_slides_over_another_is_carried() {
    // In lanes, and with rolling friction as rows.
    for rolls in [0.0, 1e-6] {
        let (great, small) = (1.0f32, 0.1f32);
        let d = f64::from(great + small);
        let mut app = app_with_gravity(60.0);
        app.world_mut()
            .resource_mut::<CollisionConfig>()
            .sleep_speed = 0.0;
        app.world_mut().spawn((Plane::new(Vec3::Y), Friction(0.0)));
        let mut spawn = |radius, mass, speed, y| {
            let ball = (Particle::new(radius), Mass(mass), Friction(0.0));
            let moving = (LinearVelocity(Vec3::X * speed), RollingFriction(rolls));
            let at = Transform::from_xyz(0.0, y, 0.0);
            app.world_mut().spawn((ball, moving, at)).id()
        };
        let carrier = spawn(great, 1e4, 0.0, great);
        let slider = spawn(small, 1.0, 0.6, 2.0 * great + small);
        // It begins with a short flight, and lands.
        steps(&mut app, 8);
        for _ in 0..16 {
            steps(&mut app, 1);
            let apart = (position(&app, slider) - position(&app, carrier)).as_dvec3();
            assert_near("distance / d", apart.length() / d, 1.0, 1e-4);
            let contacts = app.world().resource::<Contacts>();
            let of_slider = contacts.iter().filter(|c| c.a == slider || c.b == slider);
            let force = 60.0 * of_slider.map(|c| c.impulse.length()).sum::<f32>();
            let v = f64::from(velocity(&app, slider).length());
            let least = 9.81 * apart.y / apart.length() - v * v / d;
            assert_near("force", force.into(), least, 0.02 * least);
        }
    }
}

#[test]
fn a_stack_of_ten_balls_in_a_tube_stands_still() {
    let mut app = app_with_gravity(60.0);
    let radius = 0.1;
    let balls = stack_in_a_tube(&mut app);
    steps(&mut app, 600);
    let settled: Vec<_> = balls.iter().map(|&ball| position(&app, ball)).collect();
    steps(&mut app, 600);
    for (i, &ball) in balls.iter().enumerate() {
        let x = position(&app, ball);
        let from_start = x.y - radius * (2 * i + 1) as f32;
        assert_near(
            &format!("sinking of ball {i}"),
            (from_start / radius).into(),
            0.0,
            0.02,
        );
        assert_near(
            "creep",
            x.distance(settled[i]).into(),
            0.0,
            1e-4 * f64::from(radius),
        );
        assert_near("speed", velocity(&app, ball).length().into(), 0.0, 1e-3);
    }
}

#[test]
fn a_capsule_lies_still_across_two_others() {
    let mut app = app_with_gravity(60.0);
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let along_x = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let along_z = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    let mut spawn = |y: f32, z: f32, rotation: Quat| {
        app.world_mut()
            .spawn((
                Capsule::new(0.2, 1.0),
                RollingFriction(0.02),
                Transform::from_xyz(0.0, y, z).with_rotation(rotation),
            ))
            .id()
    };
    let lower = [spawn(0.25, -0.3, along_x), spawn(0.25, 0.3, along_x)];
    let upper = spawn(0.7, 0.0, along_z);
    steps(&mut app, 900);
    for capsule in lower {
        assert_near("lower", position(&app, capsule).y.into(), 0.2, 2e-3);
    }
    assert_near("upper", position(&app, upper).y.into(), 0.6, 4e-3);
    for capsule in [lower[0], lower[1], upper] {
        assert_near("speed", velocity(&app, capsule).length().into(), 0.0, 1e-3);
        assert_near("turning", spin(&app, capsule).length().into(), 0.0, 1e-2);
    }
}

#[test]
fn fixed_bodies_hold_others_up_and_stay() {
    let mut app = app_with_gravity(60.0);
    let rail = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let mut spawn_rail = |z: f32| {
        let transform = Transform::from_xyz(0.0, 0.0, z).with_rotation(rail);
        app.world_mut()
            .spawn((Capsule::new(0.1, 2.0), RigidBody::Static, transform))
            .id()
    };
    let rails = [spawn_rail(-0.2), spawn_rail(0.2)];
    let ball = app
        .world_mut()
        .spawn((Particle::new(0.3), Transform::from_xyz(0.0, 0.36, 0.0)))
        .id();
    steps(&mut app, 300);
    // Centres 0.4 apart from either rail's, 0.2 aside: √(0.4² − 0.2²) above.
    assert_near(
        "height",
        position(&app, ball).y.into(),
        0.12f64.sqrt(),
        1e-3,
    );
    assert_eq!(rails.map(|rail| position(&app, rail).y), [0.0, 0.0]);
}

/// A column of five balls of 1 kg, and a heavy ball on it.
fn column_under(mass: f32) -> (App, Entity) {
    let mut app = app_with_gravity(60.0);
    app.world_mut()
        .resource_mut::<CollisionConfig>()
        .sleep_speed = 0.0;
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let ball = |i: i32, mass: f32| {
        let place = Transform::from_xyz(0.0, 0.1 + 0.2 * i as f32, 0.0);
        (Particle::new(0.1), Mass(mass), Friction(0.3), place)
    };
    for i in 0..5 {
        app.world_mut().spawn(ball(i, 1.0));
    }
    let heavy = app.world_mut().spawn(ball(5, mass)).id();
    (app, heavy)
}

#[test]
fn a_heavy_ball_stands_on_light_ones_for_a_minute() {
    // Masses over the light ones', and the most that the heavy ball may sink, in radii.
    for (mass, most) in [(1e2, 1e-3), (1e3, 1e-3), (1e4, 1e-2), (1e6, 0.5)] {
        let (mut app, heavy) = column_under(mass);
        for _ in 0..3600 {
            app.update();
            let sunk = (1.1 - position(&app, heavy).y) / 0.1;
            assert!(sunk < most, "{mass} kg: sunk by {sunk} radii");
            let v = velocity(&app, heavy).length();
            assert!(v < 0.05, "{mass} kg: {v} m/s");
        }
    }
}

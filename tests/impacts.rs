//! Impacts of balls match the closed forms, at any mass ratio, restitution and angle, and nothing tunnels.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use glam::DVec3;
use laws::*;
use proptest::prelude::*;

/// Two balls of `masses`, the first flying at the second with `speed` along a line that is `offset` beside its centre.
fn two_balls(
    hz: f64,
    masses: (f32, f32),
    e: f32,
    speed: f32,
    offset: f32,
) -> (App, Entity, Entity) {
    let mut app = app(hz);
    let mut spawn = |mass, x: Vec3, v: Vec3| {
        app.world_mut()
            .spawn((
                Particle::new(0.5),
                Mass(mass),
                Restitution(e),
                Friction(0.0),
                Transform::from_translation(x),
                LinearVelocity(v),
            ))
            .id()
    };
    let a = spawn(masses.0, Vec3::new(-1.2, offset, 0.0), Vec3::X * speed);
    let b = spawn(masses.1, Vec3::ZERO, Vec3::ZERO);
    (app, a, b)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..default() })]

    /// v_a' = v_a + j/m_a·n, v_b' = v_b − j/m_b·n with j = −(1+e)·m_ab·⟨n, v_ab⟩ and n where the balls met.
    #[test]
    fn ball_on_ball_matches_the_closed_form(
        ratio in -3.0..3.0f64,
        e in 0.0..=1.0f32,
        offset in -0.9..0.9f32,
        speed in 1.0..100.0f32,
    ) {
        let masses = (1.0, 10f64.powf(ratio) as f32);
        let (mut app, a, b) = two_balls(60.0, masses, e, speed, offset);
        steps(&mut app, (2.4 / speed * 60.0).ceil() as usize);

        let (m_a, m_b) = (f64::from(masses.0), f64::from(masses.1));
        let offset = f64::from(offset);
        let n = DVec3::new(-(1.0 - offset * offset).sqrt(), offset, 0.0);
        let v = DVec3::X * f64::from(speed);
        let j = -(1.0 + f64::from(e)) * n.dot(v) / (1.0 / m_a + 1.0 / m_b);
        let tolerance = 1e-5 * f64::from(speed);
        let off_a = (velocity(&app, a).as_dvec3() - (v + n * (j / m_a))).length();
        let off_b = (velocity(&app, b).as_dvec3() + n * (j / m_b)).length();
        prop_assert!(off_a <= tolerance, "a is {off_a} m/s off");
        prop_assert!(off_b <= tolerance * (m_a / m_b).max(1.0), "b is {off_b} m/s off");
    }

    /// v' = v − (1+e)·⟨n, v⟩·n, for planes that face anywhere.
    #[test]
    fn ball_on_plane_matches_the_closed_form(
        direction in 0.0..std::f32::consts::TAU,
        tilt in -1.5..1.5f32,
        slant in -0.9..0.9f32,
        e in 0.0..=1.0f32,
        speed in 1.0..1000.0f32,
    ) {
        let normal = Quat::from_euler(EulerRot::YXZ, direction, tilt, 0.0) * Vec3::Z;
        let across = normal.any_orthonormal_vector();
        let v = (across * slant - normal * (1.0 - slant * slant).sqrt()) * speed;
        let mut app = app(60.0);
        app.world_mut().spawn((Plane::new(normal), Restitution(e), Friction(0.0)));
        let ball = app.world_mut().spawn((
            Particle::new(0.1),
            Restitution(e),
            Friction(0.0),
            Transform::from_translation(normal * 0.5),
            LinearVelocity(v),
        )).id();
        steps(&mut app, 80);
        let expected = v - (1.0 + e) * normal.dot(v) * normal;
        // With e = 0 the ball stays on the plane: nothing else changes.
        let off = (velocity(&app, ball) - expected).length();
        prop_assert!(off <= 1e-5 * speed, "{off} m/s off");
    }

    /// However fast it flies, a ball stays on its side of a plane.
    #[test]
    fn no_plane_lets_a_ball_through(speed in 1.0..1000.0f32, start in 0.0..30.0f32, e in 0.0..=1.0f32) {
        let mut app = app_with_gravity(60.0);
        app.world_mut().spawn((Plane::new(Vec3::Y), Restitution(e)));
        let ball = app.world_mut().spawn((
            Particle::new(0.05),
            Restitution(e),
            Transform::from_xyz(0.0, 0.05 + start, 0.0),
            LinearVelocity(Vec3::new(0.3 * speed, -speed, 0.0)),
        )).id();
        for _ in 0..60 {
            app.update();
            let height = position(&app, ball).y;
            prop_assert!(height >= 0.05 * (1.0 - 1e-2), "the ball is at height {height}");
        }
    }
}

#[test]
fn fast_balls_do_not_pass_through_each_other() {
    for radius in [0.5, 0.001] {
        let mut app = app(30.0);
        let mut spawn = |x: f32| {
            app.world_mut()
                .spawn((
                    Particle::new(radius),
                    Restitution(1.0),
                    Transform::from_xyz(x, 0.0, 0.0),
                    LinearVelocity(Vec3::X * -100.0 * x.signum()),
                ))
                .id()
        };
        let (a, b) = (spawn(-5.0), spawn(5.0));
        steps(&mut app, 10);
        assert_near("a comes back", velocity(&app, a).x.into(), -100.0, 0.01);
        assert_near("b comes back", velocity(&app, b).x.into(), 100.0, 0.01);
        assert!(position(&app, a).x < position(&app, b).x);
    }
}

#[test]
fn fast_balls_do_not_pass_through_capsules() {
    for speed in [10.0, 100.0, 1000.0] {
        for tilt in [0.0, 0.4, 1.2] {
            let mut app = app(60.0);
            // A rail across the path, and a rod that spins in it.
            let rail = Transform::from_rotation(Quat::from_rotation_x(tilt));
            app.world_mut()
                .spawn((Capsule::new(0.01, 2.0), RigidBody::Static, rail));
            let rod = (
                Transform::from_xyz(-9.0, 0.0, 0.0),
                AngularVelocity(Vec3::X * 20.0),
            );
            let rod = app
                .world_mut()
                .spawn((Capsule::new(0.02, 4.0), Mass(100.0), rod))
                .id();
            let mut ball = |x: f32, v: f32| {
                let motion = (
                    Transform::from_xyz(x, 0.0, 0.0),
                    LinearVelocity(Vec3::X * v),
                );
                app.world_mut()
                    .spawn((Particle::new(0.03), Mass(0.1), motion))
                    .id()
            };
            let (at_rail, at_rod) = (ball(3.0, -speed), ball(-6.0, -speed));
            steps(&mut app, (6.0 / speed * 60.0).ceil() as usize + 2);
            assert!(
                velocity(&app, at_rail).x > 0.0,
                "through the rail at {speed} m/s"
            );
            let side = position(&app, at_rod).x - position(&app, rod).x;
            assert!(side > 0.0, "through the rod at {speed} m/s");
        }
    }
}

#[test]
fn a_ball_behind_a_plane_is_brought_back() {
    for depth in [1.0, 100.0] {
        let mut app = app_with_gravity(60.0);
        app.world_mut().spawn(Plane::new(Vec3::Y));
        let ball = app
            .world_mut()
            .spawn((Particle::new(0.5), Transform::from_xyz(0.0, -depth, 0.0)))
            .id();
        steps(&mut app, 120);
        assert_near(
            "height on the plane",
            position(&app, ball).y.into(),
            0.5,
            1e-3,
        );
    }
}

#[test]
fn bounces_keep_their_height() {
    // Apex over drop is e^(2·bounces): from the lecture's time-of-impact stepper, which is exact.
    for hz in [30.0, 60.0, 120.0] {
        for (e, bounces) in [(1.0f64, 100), (0.8, 10)] {
            let mut app = app_with_gravity(hz);
            app.world_mut()
                .spawn((Plane::new(Vec3::Y), Restitution(e as f32)));
            let ball = app
                .world_mut()
                .spawn((
                    Particle::new(0.1),
                    Restitution(e as f32),
                    Transform::from_xyz(0.0, 2.1, 0.0),
                ))
                .id();
            let mut done = 0;
            let mut energy = 0.0;
            while done <= bounces {
                app.update();
                let hits = messages::<Impact>(&app).len();
                if hits > 0 {
                    // Energy after exactly `bounces` of them; two may fall into one step.
                    if done + hits > bounces && done <= bounces && energy > 0.0 {
                        break;
                    }
                    done += hits;
                }
                let (x, v) = (position(&app, ball), velocity(&app, ball));
                energy = f64::from(x.y - 0.1) + f64::from(v.y).powi(2) / (2.0 * 9.81);
            }
            let expected = 2.0 * e.powi(2 * done as i32);
            assert_near(
                &format!("apex at {hz} Hz with e = {e} after {done} bounces"),
                energy / expected,
                1.0,
                1e-3,
            );
        }
    }
}

/// Height of the apex that a body flies to, over `rest`: from energy, so that it need not fall on a step.
fn apex_over(app: &App, body: Entity, rest: f32) -> f64 {
    let (x, v) = (position(app, body), velocity(app, body));
    f64::from(x.y - rest) + f64::from(v.y).powi(2) / (2.0 * 9.81)
}

#[test]
fn every_pair_of_shapes_keeps_its_height() {
    let flat = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let across = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    let elastic = (Restitution(1.0), Friction(0.0));
    // The falling body, the body under it, and the height at which they touch.
    let mut worlds = Vec::new();
    let mut world = |name: &'static str, rest: f32, spawn: &dyn Fn(&mut World) -> Entity| {
        let mut app = app_with_gravity(60.0);
        let faller = spawn(app.world_mut());
        app.world_mut().entity_mut(faller).insert(elastic);
        worlds.push((name, rest, app, faller));
    };
    let above = |y: f32| Transform::from_xyz(0.0, y + 0.5, 0.0);
    world("ball on ball", 0.3, &|world| {
        world.spawn((Particle::new(0.2), RigidBody::Static, elastic));
        world.spawn((Particle::new(0.1), above(0.3))).id()
    });
    world("ball on capsule", 0.3, &|world| {
        let lies = Transform::from_rotation(flat);
        world.spawn((Capsule::new(0.2, 1.0), RigidBody::Static, elastic, lies));
        world.spawn((Particle::new(0.1), above(0.3))).id()
    });
    world("standing capsule on plane", 0.6, &|world| {
        world.spawn((Plane::new(Vec3::Y), elastic));
        world.spawn((Capsule::new(0.1, 1.0), above(0.6))).id()
    });
    world("lying capsule on plane", 0.1, &|world| {
        world.spawn((Plane::new(Vec3::Y), elastic));
        world
            .spawn((Capsule::new(0.1, 1.0), above(0.1).with_rotation(flat)))
            .id()
    });
    world("capsule across capsule", 0.3, &|world| {
        let lies = Transform::from_rotation(flat);
        world.spawn((Capsule::new(0.2, 1.0), RigidBody::Static, elastic, lies));
        world
            .spawn((Capsule::new(0.1, 1.0), above(0.3).with_rotation(across)))
            .id()
    });
    world("capsule along capsule", 0.3, &|world| {
        let lies = Transform::from_rotation(flat);
        world.spawn((Capsule::new(0.2, 1.0), RigidBody::Static, elastic, lies));
        world
            .spawn((Capsule::new(0.1, 1.0), above(0.3).with_rotation(flat)))
            .id()
    });
    for (name, rest, mut app, faller) in worlds {
        let mut bounces = 0;
        for _ in 0..1200 {
            app.update();
            bounces += messages::<Impact>(&app).len();
        }
        assert!(bounces >= 15, "{name}: {bounces} bounces");
        let ratio = apex_over(&app, faller, rest) / 0.5;
        assert_near(
            &format!("{name}, apex after {bounces} bounces"),
            ratio,
            1.0,
            1e-3,
        );
    }
}

#[test]
fn a_bouncing_ball_comes_to_rest_when_it_should() {
    // Bounces take t·(1 + 2e + 2e² + …) with t = √(2·h/g): all is over after t·(1+e)/(1−e).
    for hz in [30.0, 60.0, 240.0] {
        for e in [0.3f32, 0.5, 0.8] {
            let mut app = app_with_gravity(hz);
            app.world_mut().spawn(Plane::new(Vec3::Y));
            let ball = app
                .world_mut()
                .spawn((
                    Particle::new(0.1),
                    Restitution(e),
                    Transform::from_xyz(0.0, 1.1, 0.0),
                ))
                .id();
            let end = (2.0f64 / 9.81).sqrt() * f64::from((1.0 + e) / (1.0 - e));
            let mut rest_from = 0.0;
            for step in 1..=(2.0 * end * hz) as usize {
                app.update();
                // Rest is to be slower, and lower, than gravity alone makes in a step or two.
                let h = 1.0 / hz as f32;
                let moves = velocity(&app, ball).y.abs() > 9.81 * h
                    || position(&app, ball).y - 0.1 > 9.81 * h * h;
                if moves {
                    rest_from = step as f64 / hz;
                }
            }
            let case = format!("rest at {hz} Hz with e = {e}");
            assert_near(&case, rest_from, end, 3.0 / hz / f64::from(1.0 - e));
            assert_near("speed", velocity(&app, ball).length().into(), 0.0, 1e-4);
            assert_near("height", position(&app, ball).y.into(), 0.1, 1e-4);
        }
    }
}

#[test]
fn a_heap_with_hardly_any_impacts_allowed_settles_all_the_same() {
    let mut app = app_with_gravity(60.0);
    let mut config = app.world_mut().resource_mut::<CollisionConfig>();
    config.impacts_per_body = 1;
    config.least_impacts = 0;
    config.impacts_per_substep = 0.05;
    for side in [Vec3::Y, Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        let place = Transform::from_translation(-side * if side == Vec3::Y { 0.0 } else { 0.5 });
        app.world_mut().spawn((Plane::new(side), place));
    }
    let balls: Vec<_> = (0..200)
        .map(|i| {
            let (column, row) = (i % 16, i / 16);
            let x = Vec3::new((column % 4) as f32, row as f32, (column / 4) as f32);
            let place = (x - Vec3::new(1.5, -1.0, 1.5)) * 0.21 + Vec3::X * 0.01 * (row % 3) as f32;
            let fall = LinearVelocity(Vec3::NEG_Y * 20.0);
            let body = (Particle::new(0.1), Restitution(0.8), fall);
            app.world_mut()
                .spawn((body, Transform::from_translation(place)))
                .id()
        })
        .collect();
    let start = measure(&mut app);
    for _ in 0..1200 {
        app.update();
        let impacts = messages::<Impact>(&app).len();
        assert!(impacts <= 205 / 20, "{impacts} impacts in a step");
    }
    let end = measure(&mut app);
    assert!(end.energy() < start.energy());
    assert!(
        end.kinetic_energy < 1e-3 * start.kinetic_energy,
        "{}",
        end.kinetic_energy
    );
    assert!(end.overlap_max < 0.05, "{}", end.overlap_max);
    for ball in balls {
        let x = position(&app, ball);
        assert!(
            x.y > 0.09 && x.x.abs() < 0.41 && x.z.abs() < 0.41,
            "a ball at {x}"
        );
    }
}

/// A thousand capsules fall at 20 m/s into a box, with 50 impacts in a substep. The contacts stop all others.
#[test]
fn a_heap_of_capsules_stops_however_few_impacts_are_allowed() {
    let mut app = app_with_gravity(60.0);
    let mut config = app.world_mut().resource_mut::<CollisionConfig>();
    config.least_impacts = 0;
    config.impacts_per_substep = 0.05;
    for side in [Vec3::Y, Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        let place = Transform::from_translation(-side * if side == Vec3::Y { 0.0 } else { 0.88 });
        app.world_mut().spawn((Plane::new(side), place));
    }
    for i in 0..1000 {
        let (column, row) = (i % 64, i / 64);
        let x = Vec3::new((column % 8) as f32 - 3.5, 0.0, (column / 8) as f32 - 3.5) * 0.22;
        let tilt = Quat::from_rotation_z(0.05 * (i % 7) as f32 - 0.15)
            * Quat::from_rotation_x(0.04 * (i % 11) as f32 - 0.2);
        let place = Transform::from_translation(x + Vec3::Y * (0.3 + 0.45 * row as f32));
        app.world_mut().spawn((
            Capsule::new(0.1, 0.2),
            Restitution(0.2),
            Friction(0.3),
            LinearVelocity(Vec3::NEG_Y * 20.0),
            place.with_rotation(tilt),
        ));
    }
    let start = measure(&mut app).kinetic_energy;
    for _ in 0..150 {
        app.update();
    }
    let end = measure(&mut app).kinetic_energy;
    assert!(end < 1e-2 * start, "{end} J of {start} J");
}

/// However few impacts are allowed, fast bodies stay in a closed box, and their energy never grows.
#[test]
fn bodies_with_too_many_impacts_lose_bounces_but_stay_in_the_box() {
    for impacts_per_body in [1, 2, 5, 20] {
        let mut app = app(60.0);
        app.world_mut()
            .resource_mut::<CollisionConfig>()
            .impacts_per_body = impacts_per_body;
        let sides = [Vec3::X, Vec3::Y, Vec3::Z].into_iter();
        let sides: Vec<_> = sides.flat_map(|side| [side, -side]).collect();
        for &side in &sides {
            let place = Transform::from_translation(-0.5 * side);
            app.world_mut()
                .spawn((Plane::new(side), place, Restitution(1.0)));
        }
        let bodies: Vec<_> = (0..8)
            .map(|i| {
                let corner = Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32);
                let place = Transform::from_translation((corner - 0.5) * 0.4);
                let speed = LinearVelocity(Vec3::new(300.0, 170.0 - 40.0 * i as f32, -90.0));
                let body = (place, speed, Restitution(1.0), Mass(1.0));
                match i % 2 {
                    0 => app.world_mut().spawn((Particle::new(0.05), body)).id(),
                    _ => {
                        let spin = AngularVelocity(Vec3::new(200.0, 0.0, 100.0));
                        app.world_mut()
                            .spawn((Capsule::new(0.03, 0.2), body, spin))
                            .id()
                    }
                }
            })
            .collect();
        let start = measure(&mut app);
        for step in 0..200 {
            app.update();
            let now = measure(&mut app);
            let grown = now.kinetic_energy / start.kinetic_energy;
            assert!(grown < 1.0 + 1e-4, "{impacts_per_body}, {step}: {grown}");
            for (&body, &side) in bodies
                .iter()
                .flat_map(|b| sides.iter().map(move |s| (b, s)))
            {
                let height = side.dot(position(&app, body)) + 0.5;
                assert!(height >= 0.0, "{impacts_per_body}, {step}: {height} m");
            }
        }
    }
}

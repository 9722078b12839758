//! Balls on meshes without normals: every facet is flat, and every edge between two facets is a crease.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;
use proptest::prelude::*;

const G: f32 = 9.81;
const RADIUS: f32 = 0.1;

/// Length of a facet in m: several radii, so that a ball leaves one crease before it meets the next one.
const FACET: f32 = 0.5;

/// Facets in a row along X. They turn by each of these angles, upwards if it is above zero. The first crease is at the origin, and
/// the first facet is level.
fn facets(turns: &[f32]) -> Collider {
    let mut points = vec![Vec2::NEG_X * 2.0 * FACET, Vec2::ZERO];
    let (mut end, mut angle) = (Vec2::ZERO, 0.0);
    for turn in turns {
        angle += turn;
        end += Vec2::from_angle(angle) * FACET;
        points.push(end);
    }
    // The last facet is longer: a ball stays on it for some steps.
    *points.last_mut().expect("there are two") += Vec2::from_angle(angle) * 8.0 * FACET;
    let vertices = points.iter().flat_map(|x| [-4.0, 4.0].map(|z| x.extend(z)));
    let triangles = (0..points.len() as u32 - 1).flat_map(|k| {
        let (a, b, c, d) = (2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 3);
        [[a, b, c], [b, d, c]]
    });
    Collider::trimesh(vertices, triangles, MeshSides::One)
}

/// A ball that touches the first facet, one facet's length before the crease.
///
/// The ball has this restitution and friction. Its spin is `rolling` times the spin with which it rolls.
fn ball_on(app: App, turns: &[f32], v: Vec3, [e, mu, rolling]: [f32; 3]) -> Ball {
    let ball = (
        Particle::new(RADIUS),
        LinearVelocity(v),
        AngularVelocity(Vec3::Y.cross(v) * (rolling / RADIUS)),
        Transform::from_xyz(-FACET, RADIUS, 0.0),
    );
    Ball::on(app, facets(turns), (Restitution(e), Friction(mu)), ball)
}

/// Makes steps until the ball is beyond a distance in m from the origin. It has to come there.
fn go_beyond(ball: &mut Ball, distance: f32) {
    for _ in 0..10_000 {
        if ball.x().x > 0.0 && ball.x().length() > distance {
            return;
        }
        ball.step();
    }
    panic!("the ball is still at {}", ball.x());
}

/// Energy per mass in J/kg, with the potential energy 0 at the height of the first facet.
fn energy(ball: &Ball, g: f32) -> f64 {
    f64::from(ball.kinetic_energy(RADIUS) + g * (ball.x().y - RADIUS))
}

/// Two surfaces touch where their gap is 1e-5 of the radius. The next step takes this gap or overlap out: that is a velocity along
/// the normal of at most this many m/s.
fn touching_speed(hz: f64) -> f32 {
    1e-5 * RADIUS * hz as f32
}

/// Asserts that a ball has this speed along a facet with this slope, and no other velocity.
#[track_caller]
fn assert_along(case: &str, ball: &Ball, slope: f32, speed: f32, tolerance: f32) {
    let expected = Vec2::from_angle(slope).extend(0.0) * speed;
    let off = ball.v().distance(expected);
    assert_near(case, off.into(), 0.0, tolerance.into());
}

/// In a valley, a ball that slides without friction loses the velocity along the normal of the new facet: v' = v·cos β.
#[test]
fn a_valley_takes_the_normal_velocity() {
    for hz in [60.0, 240.0] {
        for speed in [0.5, 3.0, 20.0] {
            for degrees in [1.0f32, 5.0, 20.0, 45.0, 70.0, 85.0] {
                let angle = degrees.to_radians();
                let mut ball = ball_on(app(hz), &[angle], Vec3::X * speed, [0.0, 0.0, 0.0]);
                go_beyond(&mut ball, 2.0 * FACET);
                let case = format!("{degrees}° at {speed} m/s and {hz} Hz");
                let tolerance = 1e-6 * speed + 1.1 * touching_speed(hz);
                assert_along(&case, &ball, angle, speed * angle.cos(), tolerance);
            }
        }
    }
}

/// In a valley, a ball that rolls keeps its angular momentum about the point where it meets the new facet, as friction holds it
/// there: m·v·r·cos β + I·v/r = (m·r² + I)·v'/r, so v' = v·(5·cos β + 2)/7. It needs the friction 2/7·tan(β/2).
#[test]
fn a_valley_keeps_the_angular_momentum_of_a_rolling_ball() {
    for hz in [60.0, 240.0] {
        for speed in [0.5, 3.0, 20.0] {
            for degrees in [1.0f32, 5.0, 20.0, 45.0, 70.0, 85.0] {
                let angle = degrees.to_radians();
                let mut ball = ball_on(app(hz), &[angle], Vec3::X * speed, [0.0, 1.0, 1.0]);
                go_beyond(&mut ball, 2.0 * FACET);
                let case = format!("{degrees}° at {speed} m/s and {hz} Hz");
                let expected = speed * (5.0 * angle.cos() + 2.0) / 7.0;
                let tolerance = 1e-6 * speed + 1.1 * touching_speed(hz);
                assert_along(&case, &ball, angle, expected, tolerance);
            }
        }
    }
}

/// On a hollow polygon with n creases, a sliding ball has v' = v·cosⁿ(θ/n) after a turn by θ.
#[test]
fn a_hollow_polygon_takes_speed_at_each_crease() {
    let speed = 3.0;
    for hz in [60.0, 240.0] {
        for degrees in [30.0f32, 90.0, 150.0] {
            for creases in [2, 3, 6, 12, 24] {
                let angle = degrees.to_radians();
                let turn = angle / creases as f32;
                let turns = vec![turn; creases];
                let mut ball = ball_on(app(hz), &turns, Vec3::X * speed, [0.0, 0.0, 0.0]);
                let last_crease: Vec2 = (1..creases)
                    .map(|k| Vec2::from_angle(turn * k as f32) * FACET)
                    .sum();
                let along = Vec2::from_angle(angle);
                while (ball.x().xy() - last_crease).dot(along) < FACET {
                    ball.step();
                }
                let case = format!("{creases} creases, {degrees}° and {hz} Hz");
                let expected = speed * turn.cos().powi(creases as i32);
                // A velocity along the normal of one facet has this part along the next facet.
                let parts = 1.0 + creases as f32 * turn.sin();
                let tolerance = 2e-6 * speed + touching_speed(hz) * parts;
                assert_along(&case, &ball, angle, expected, tolerance);
            }
        }
    }
}

/// Without gravity, a ball flies straight on over a ridge.
#[test]
fn a_ridge_changes_nothing_without_gravity() {
    for hz in [60.0, 240.0] {
        for degrees in [1.0f32, 20.0, 60.0, 85.0] {
            for [mu, rolling] in [[0.0, 0.0], [1.0, 1.0]] {
                let v = Vec3::X * 3.0;
                let turns = [-degrees.to_radians()];
                let mut ball = ball_on(app(hz), &turns, v, [0.5, mu, rolling]);
                go_beyond(&mut ball, 2.0 * FACET);
                let case = format!("{degrees}° at {hz} Hz, friction {mu}");
                assert_along(&case, &ball, 0.0, 3.0, 0.1 * touching_speed(hz));
            }
        }
    }
}

/// Over a ridge, a fast ball (v² > g·r) flies off, lands, and loses the velocity along the normal. Along the slope it has the
/// acceleration g·sin β in the air and on the ground, so it has v·cos β + g·t·sin β after the time t.
#[test]
fn a_fast_ball_flies_off_a_ridge() {
    for hz in [60.0, 240.0] {
        for degrees in [5.0f32, 20.0, 40.0] {
            let (angle, speed) = (degrees.to_radians(), 1.5);
            let mut ball = ball_on(awake(hz), &[-angle], Vec3::X * speed, [0.0, 0.0, 0.0]);
            let (mut time, mut highest) = (0.0, 0f32);
            while ball.x().x < 3.0 * FACET {
                ball.step();
                time += 1.0 / hz as f32;
                let normal = Vec2::new(angle.sin(), angle.cos());
                highest = highest.max(ball.x().xy().dot(normal) - RADIUS);
            }
            let case = format!("{degrees}° at {hz} Hz");
            assert!(highest > 5e-4, "{case}: it did not fly");
            let time_beyond = time - FACET / speed;
            let expected = speed * angle.cos() + G * time_beyond * angle.sin();
            // It leaves at most half a step too early or too late.
            let tolerance = G * angle.sin() * 0.5 / hz as f32;
            assert_along(&case, &ball, -angle, expected, 1.01 * tolerance);
        }
    }
}

/// Over a ridge, a slow ball turns about the edge, presses on it all the time, and keeps its energy. If it slides, it stays in
/// touch up to an angle β with cos β = (2 + v²/(g·r))/3: 45° here.
#[test]
fn a_slow_ball_follows_a_ridge() {
    for hz in [60.0, 240.0] {
        for degrees in [5.0f32, 20.0, 30.0] {
            for [mu, rolling] in [[0.0, 0.0], [1.0, 1.0]] {
                let turns = [-degrees.to_radians()];
                let v = Vec3::X * 0.3;
                let mut ball = ball_on(awake(hz), &turns, v, [0.0, mu, rolling]);
                let before = energy(&ball, G);
                let case = format!("{degrees}° at {hz} Hz, friction {mu}");
                while ball.x().x < 2.0 * FACET {
                    ball.step();
                    assert!(ball.presses(), "{case}: it flies at {}", ball.x());
                }
                assert_near(&case, energy(&ball, G), before, 1e-2 * before);
            }
        }
    }
}

proptest! {
    /// A smooth ball slides into a slope of the angle β, and bounces. It loses what the restitution takes of its velocity along the
    /// normal: E' = E·(1 − (1 − e²)·sin²β). When in a step the impact comes does not matter, nor does the weight that the floor
    /// carries.
    #[test]
    fn a_ball_that_slides_into_a_slope_loses_what_the_impact_takes(
        degrees in 10.0..60.0f32,
        speed in 0.8..8.0f32,
        hz in prop::sample::select(vec![60.0, 120.0, 240.0]),
        e in 0.8..=1.0f32,
        is_mesh in any::<bool>(),
    ) {
        let slope = degrees.to_radians();
        let material = (Restitution(e), Friction(0.0));
        let v = Vec3::X * speed;
        let mut ball = if is_mesh {
            ball_on(awake(hz), &[slope], v, [e, 0.0, 0.0])
        } else {
            let mut app = awake(hz);
            let normal = Quat::from_rotation_z(slope) * Vec3::Y;
            app.world_mut().spawn_batch([Vec3::Y, normal].map(|n| (Plane::new(n), material)));
            let place = Transform::from_xyz(-FACET, RADIUS, 0.0);
            let ball = (Particle::new(RADIUS), material, place, LinearVelocity(v));
            let entity = app.world_mut().spawn(ball).id();
            Ball { app, entity }
        };
        let before = energy(&ball, G);
        // Fast enough to leave the floor, and not to come back in a step.
        prop_assume!((1.0 + e) * speed * slope.sin() * slope.cos() > 3.0 * G / hz as f32);
        for _ in 0..2 * (FACET / speed * hz as f32) as usize + 10 {
            if ball.v().y > 1e-3 {
                break;
            }
            ball.step();
        }
        prop_assert!(ball.v().y > 1e-3, "it has not come to the slope");
        ball.step();
        let expected = before * f64::from(1.0 - (1.0 - e * e) * slope.sin().powi(2));
        assert_near("energy", energy(&ball, G), expected, 2e-3 * before);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 256,
        failure_persistence: None,
        ..default()
    })]

    /// A ball crosses a valley or a ridge in any direction, sliding or rolling, rough or smooth: its energy does not grow.
    ///
    /// With gravity, a crease changes the support of the ball inside a step. The contact stage may carry its weight for up to two
    /// steps too many, which is a velocity w = 2·g·h: that can give w²/2 per mass, which goes to zero with the square of the step.
    #[test]
    fn no_crease_gives_energy(
        degrees in -80.0..80.0f32,
        aside in -60.0..60.0f32,
        speed in 0.2..20.0f32,
        hz in prop::sample::select(vec![30.0, 60.0, 240.0]),
        e in 0.0..=1.0f32,
        mu in 0.0..=1.0f32,
        rolling in prop::sample::select(vec![-1.0, 0.0, 1.0f32]),
        g in prop::sample::select(vec![0.0, G]),
    ) {
        let mut app = awake(hz);
        app.insert_resource(Gravity(Vec3::NEG_Y * g));
        let (slope, aside) = (degrees.to_radians(), aside.to_radians());
        let v = Quat::from_rotation_y(aside) * Vec3::X * speed;
        let mut ball = ball_on(app, &[slope], v, [e, mu, rolling]);
        let before = energy(&ball, g);
        let (mut most, mut lowest) = (before, 0f32);
        let n = (4.0 * FACET / v.x * hz as f32) as usize + 10;
        for _ in 0..n {
            // The facets end there.
            if ball.x().xy().length() > 4.0 * FACET || ball.x().z.abs() > 3.8 {
                break;
            }
            ball.step();
            lowest = lowest.min(ball.x().y - RADIUS);
            most = most.max(energy(&ball, g));
        }
        let rounding = 1e-4 * (before - f64::from(g * lowest));
        let weight = 2.0 * f64::from(g) / hz;
        let support = 0.5 * weight * weight;
        prop_assert!(
            most <= before + rounding + support,
            "energy went from {before} to {most} J/kg: {} of the rounding, {} of the support",
            (most - before) / rounding, (most - before) / support
        );
    }
}

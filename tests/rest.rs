//! Bouncing ends, and what is at rest sleeps.

use std::f32::consts::FRAC_PI_2;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;
use proptest::prelude::*;

const G: f64 = 9.81;

/// The grounds, each with its top at y = 0.
fn grounds() -> Vec<(&'static str, fn(&mut App, f32))> {
    fn spawn(app: &mut App, e: f32, ground: impl Bundle) {
        app.world_mut()
            .spawn((ground, Restitution(e), RigidBody::Static));
    }
    fn at(y: f32) -> Transform {
        Transform::from_xyz(0.0, y, 0.0)
    }
    vec![
        ("plane", |app, e| spawn(app, e, Plane::new(Vec3::Y))),
        ("cuboid", |app, e| {
            spawn(app, e, (Collider::cuboid(4.0, 1.0, 4.0), at(-0.5)))
        }),
        ("cylinder", |app, e| {
            spawn(app, e, (Collider::cylinder(3.0, 1.0), at(-0.5)))
        }),
        ("hull", |app, e| {
            let corners =
                (0..8).map(|k| Vec3::new((k & 1) as f32, (k >> 1 & 1) as f32, (k >> 2) as f32));
            let hull = Collider::convex_hull(corners.map(|x| (x - 0.5) * Vec3::new(6.0, 1.0, 6.0)));
            spawn(app, e, (hull, at(-0.5)));
        }),
        ("mesh", |app, e| {
            let corners = [(-3.1, -3.0), (3.0, -3.0), (3.0, 3.2), (-3.0, 3.0)];
            let corners = corners.map(|(x, z)| Vec3::new(x, 0.0, z));
            let mesh = Collider::trimesh(corners, [[0, 2, 1], [0, 3, 2]], MeshSides::One);
            spawn(app, e, mesh);
        }),
        ("height field", |app, e| {
            let field = Collider::height_field(&[0.0; 64], 8, Vec2::new(7.0, 7.0));
            spawn(app, e, field);
        }),
        ("ball", |app, e| {
            spawn(app, e, (Particle::new(2.0), at(-2.0)))
        }),
        ("capsule", |app, e| {
            let lying = at(-1.0).with_rotation(Quat::from_rotation_z(FRAC_PI_2));
            spawn(app, e, (Capsule::new(1.0, 4.0), lying));
        }),
    ]
}

/// A ball or a lying capsule that is dropped on a ground.
#[derive(Clone, Copy, Debug)]
struct Drop {
    is_ball: bool,
    radius: f32,
    height: f32,
    e: f32,
    hz: f64,
}

impl Drop {
    /// The time in s at which the bounces end: each is e times as long as the one before.
    fn end(&self) -> f64 {
        let (e, fall) = (f64::from(self.e), (2.0 * f64::from(self.height) / G).sqrt());
        fall * (1.0 + e) / (1.0 - e)
    }

    /// When it falls asleep, in s. Nothing is higher than its last apex then.
    fn asleep_at(&self, spawn: fn(&mut App, f32)) -> Option<f64> {
        let mut app = app_with_gravity(self.hz);
        spawn(&mut app, self.e);
        let lying = Quat::from_rotation_z(FRAC_PI_2);
        let place = Transform::from_xyz(0.0, self.radius + self.height, 0.0).with_rotation(lying);
        let mut body = app.world_mut().spawn((place, Restitution(self.e)));
        match self.is_ball {
            true => body.insert(Particle::new(self.radius)),
            false => body.insert(Capsule::new(self.radius, 2.5 * self.radius)),
        };
        let body = body.id();
        let last = (self.hz * (self.end() + 1.0)).ceil() as usize;
        (1..=last).find_map(|step| {
            app.update();
            let is_asleep = get::<Sleep>(&app, body).is_asleep();
            is_asleep.then_some(step as f64 / self.hz)
        })
    }
}

/// A ball, and a capsule that lies, sleep within a second of their last bounce, at sqrt(2·H/g)·(1 + e)/(1 − e), on grounds of any
/// shape. They do not sleep before the bounces are so short that they end within a step.
#[test]
fn bouncing_ends() {
    for (ground, spawn) in grounds() {
        for is_ball in [true, false] {
            for e in [0.0, 0.3, 0.5, 0.7, 0.9, 0.95, 0.99] {
                // Rounding lets a capsule tilt in hundreds of bounces.
                if !is_ball && e > 0.95 {
                    continue;
                }
                let (radius, height, hz) = (0.2, 1.3, 60.0);
                let drop = Drop {
                    is_ball,
                    radius,
                    height,
                    e,
                    hz,
                };
                let asleep = drop.asleep_at(spawn);
                let end = drop.end();
                // Bounces within a step end at once: those that are slower than g·h/2, and the resting speed.
                let slowest = 0.5 * G / hz + 1e-3;
                let least = end - 2.0 * slowest / (G * (1.0 - f64::from(e)));
                let law = format!("{drop:?} on a {ground}: end {end}, asleep {asleep:?}");
                assert!(asleep.is_some_and(|asleep| asleep > least), "{law}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..default() })]

    /// At any rate, of any size, from any height.
    #[test]
    fn a_ball_of_any_size_ends_its_bounces(
        ground in 0..8usize,
        (size, height) in (-2.0..0.0f32, 0.05..2.0f32),
        e in 0.0..0.93f32,
        hz in prop::sample::select(vec![30.0, 60.0, 120.0]),
    ) {
        let drop = Drop { is_ball: true, radius: 10f32.powf(size), height, e, hz };
        let (name, spawn) = grounds()[ground];
        prop_assert!(drop.asleep_at(spawn).is_some(), "{drop:?} on a {name}");
    }
}

/// Grounds that lean by an angle towards X, each through the origin.
fn slopes() -> Vec<(&'static str, fn(&mut App, Quat))> {
    vec![
        ("plane", |app, turn| {
            app.world_mut().spawn(Plane::new(turn * Vec3::Y));
        }),
        ("cuboid", |app, turn| {
            let place = Transform::from_translation(turn * Vec3::NEG_Y * 0.5).with_rotation(turn);
            app.world_mut()
                .spawn((Collider::cuboid(40.0, 1.0, 4.0), place));
        }),
        ("mesh", |app, turn| {
            let corners = [(-3.1, -3.0), (30.0, -3.0), (30.0, 3.2), (-3.0, 3.0)];
            let corners = corners.map(|(x, z)| turn * Vec3::new(x, 0.0, z));
            let mesh = Collider::trimesh(corners, [[0, 2, 1], [0, 3, 2]], MeshSides::One);
            app.world_mut().spawn(mesh);
        }),
        ("plane beside a kinematic box", |app, turn| {
            app.world_mut().spawn(Plane::new(turn * Vec3::Y));
            let place = Transform::from_xyz(-5.0, 5.0, 0.0);
            app.world_mut()
                .spawn((Collider::cuboid(1.0, 1.0, 1.0), RigidBody::Kinematic, place));
        }),
    ]
}

/// What rolls or slides with the acceleration a is not asleep before it is faster than the sleep speed, and goes a·t²/2: on slopes from
/// those that give the sleep speed in ten seconds.
#[test]
fn what_a_gentle_slope_moves_does_not_sleep() {
    for degrees in [0.042f32, 0.1, 0.25, 1.0, 5.0] {
        let angle = degrees.to_radians();
        let turn = Quat::from_rotation_z(-angle);
        let along = turn * Vec3::X;
        for (ground, spawn) in slopes() {
            // A ball, a pair of balls that touch, a capsule across the slope, and a smooth capsule along it.
            for (what, factor) in [
                ("ball", 5.0 / 7.0),
                ("pair", 5.0 / 7.0),
                ("roller", 0.0),
                ("slider", 1.0),
            ] {
                let mut app = app_with_gravity(60.0);
                spawn(&mut app, turn);
                let at = |x: f32, z: f32| Transform::from_translation(turn * Vec3::new(x, 0.1, z));
                let world = app.world_mut();
                let ball = (Particle::new(0.1), Friction(1.0));
                let body = match what {
                    "ball" => world.spawn((ball, at(0.0, 0.0))).id(),
                    "pair" => {
                        world.spawn((ball, at(0.0, 0.2)));
                        world.spawn((ball, at(0.0, 0.0))).id()
                    }
                    "roller" => {
                        let across = at(0.0, 0.0).with_rotation(Quat::from_rotation_x(FRAC_PI_2));
                        world.spawn((Capsule::new(0.1, 0.4), across)).id()
                    }
                    _ => {
                        let down =
                            at(0.0, 0.0).with_rotation(turn * Quat::from_rotation_z(FRAC_PI_2));
                        world
                            .spawn((Capsule::new(0.1, 0.4), Friction(0.0), down))
                            .id()
                    }
                };
                let law = format!("{what} on a {ground}, {degrees}°");
                let seconds = 8;
                for _ in 0..60 * seconds {
                    app.update();
                    assert!(!get::<Sleep>(&app, body).is_asleep(), "{law} sleeps");
                }
                if factor > 0.0 {
                    let way = (position(&app, body) - turn * Vec3::Y * 0.1).dot(along);
                    let expected =
                        0.5 * factor * G * f64::from(angle).sin() * f64::from(seconds * seconds);
                    assert_near(&law, way.into(), expected, 2e-2 * expected);
                }
            }
        }
    }
}

/// Rolling friction holds a ball, and level ground holds it without: both sleep at once, as soon as the delay is over.
#[test]
fn what_stays_sleeps_at_once() {
    for (rolling, degrees) in [(0.1, 0.0f32), (0.0, 0.0), (0.1, 0.25), (0.5, 10.0)] {
        for (ground, spawn) in slopes() {
            let turn = Quat::from_rotation_z(-degrees.to_radians());
            let mut app = app_with_gravity(60.0);
            spawn(&mut app, turn);
            app.insert_resource(CollisionConfig {
                friction: MaterialRule::new(CombineRule::Max, 1.0),
                rolling_friction: MaterialRule::new(CombineRule::Max, rolling),
                ..default()
            });
            let place = Transform::from_translation(turn * Vec3::Y * 0.1);
            let ball = app.world_mut().spawn((Particle::new(0.1), place)).id();
            steps(&mut app, 45);
            let is_asleep = get::<Sleep>(&app, ball).is_asleep();
            assert!(
                is_asleep,
                "on a {ground}, {degrees}°, rolling friction {rolling}"
            );
        }
    }
}

//! Balls and capsules on boxes, hulls, meshes, height fields and lines.

use std::f32::consts::{FRAC_PI_2, PI};

use bevy::prelude::*;
use bevy_impulse_collide::{prelude::*, shape::ColliderProblem};
use laws::*;
use proptest::prelude::*;

const G: f32 = 9.81;
const RADIUS: f32 = 0.1;

/// A level floor of `cells` × `cells` cells, each two triangles of random shape, with this side in m.
fn random_floor(cells: u32, side: f32) -> Collider {
    let (n, step) = (cells + 1, side / cells as f32);
    let mut seed = 1u32;
    let mut random = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 24) as f32 - 0.5
    };
    let vertices: Vec<Vec3> = (0..n * n)
        .map(|k| {
            let at = Vec3::new((k % n) as f32, 0.0, (k / n) as f32) * step;
            let shift = Vec3::new(random(), 0.0, random()) * (0.4 * step);
            at + shift - Vec3::new(1.0, 0.0, 1.0) * (0.5 * side)
        })
        .collect();
    let triangles = (0..cells * cells).flat_map(|k| {
        let a = k / cells * n + k % cells;
        let (b, c, d) = (a + 1, a + n, a + n + 1);
        [[a, c, b], [b, c, d]]
    });
    Collider::trimesh(vertices, triangles, MeshSides::One)
}

/// A square bowl: four slopes of this angle towards the middle, each of two triangles.
fn funnel(half: f32, slope: f32) -> Collider {
    let depth = half * slope.tan();
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let rim = corners.map(|(x, z)| Vec3::new(x * half, 0.0, z * half));
    let low = rim.map(|x| 0.1 * x - Vec3::Y * (0.9 * depth));
    let vertices = rim.into_iter().chain(low);
    let sides = (0..4u32).flat_map(|k| {
        let next = (k + 1) % 4;
        [[k, 4 + k, next], [next, 4 + k, 4 + next]]
    });
    let floor = [[4, 6, 5], [4, 7, 6]];
    Collider::trimesh(vertices, sides.chain(floor), MeshSides::Two)
}

struct Body {
    x: Vec3,
    v: Vec3,
    w: Vec3,
    e: f32,
    mu: f32,
}

impl Body {
    fn at(x: Vec3) -> Self {
        Self {
            x,
            v: Vec3::ZERO,
            w: Vec3::ZERO,
            e: 0.0,
            mu: 0.5,
        }
    }

    fn spawn(self, app: &mut App) -> Entity {
        let motion = (LinearVelocity(self.v), AngularVelocity(self.w));
        let material = (Restitution(self.e), Friction(self.mu));
        let at = Transform::from_translation(self.x);
        app.world_mut()
            .spawn((Particle::new(RADIUS), at, motion, material))
            .id()
    }
}

/// A ball that slides or rolls over the edges of a flat mesh does not feel them.
#[test]
fn flat_mesh_is_smooth() {
    for (speed, mu) in [
        (1.0, 0.0),
        (5.0, 0.0),
        (20.0, 0.0),
        (1.0, 0.5),
        (5.0, 0.5),
        (20.0, 0.5),
    ] {
        let mut app = awake(60.0);
        app.world_mut().spawn(random_floor(71, 60.0));
        let v = Vec3::new(0.8, 0.0, 0.6) * speed;
        let ball = Body {
            v,
            w: if mu > 0.0 {
                Vec3::Y.cross(v) / RADIUS
            } else {
                Vec3::ZERO
            },
            e: 0.5,
            mu,
            ..Body::at(Vec3::new(-22.0, RADIUS, -16.5))
        };
        let ball = ball.spawn(&mut app);
        for _ in 0..(2400.0 / speed) as usize {
            steps(&mut app, 1);
            let dv = velocity(&app, ball).distance(v);
            assert_near("the velocity", dv.into(), 0.0, 2e-6);
            let y = position(&app, ball).y;
            assert_near("the height", y.into(), RADIUS.into(), 1e-5);
        }
    }
}

/// A ball with e = 1 keeps its energy over a thousand bounces on a mesh, on a box and on a hull.
#[test]
fn elastic_bounces_keep_the_energy() {
    let hull = (0..8).map(|k| {
        let side = |bit: u32| (k >> bit & 1) as f32;
        Vec3::new(side(0) * 4.0 - 2.0, side(1) - 1.0, side(2) * 4.0 - 2.0)
    });
    for (collider, top) in [
        (random_floor(20, 4.0), 0.0),
        (Collider::cuboid(4.0, 0.2, 4.0), 0.1),
        (Collider::convex_hull(hull), 0.0),
    ] {
        let mut app = awake(60.0);
        app.world_mut().spawn((collider, Restitution(1.0)));
        let ball = Body {
            e: 1.0,
            mu: 0.0,
            ..Body::at(Vec3::new(0.13, top + RADIUS + 0.1, 0.07))
        };
        let ball = ball.spawn(&mut app);
        let mut bounces = 0;
        while bounces < 1000 {
            steps(&mut app, 1);
            bounces += messages::<Impact>(&app).len();
        }
        let height = position(&app, ball).y - top - RADIUS;
        let energy = 0.5 * velocity(&app, ball).length_squared() + G * height;
        assert_near(
            "the energy",
            energy.into(),
            f64::from(G) * 0.1,
            1e-3 * f64::from(G) * 0.1,
        );
    }
}

/// A ball with e = 1 keeps its energy over a thousand bounces between the slopes of a bowl and walls.
#[test]
fn elastic_bounces_in_a_bowl_keep_the_energy() {
    let mut app = awake(60.0);
    app.world_mut().spawn((funnel(2.0, 0.4), Restitution(1.0)));
    for n in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        let at = Transform::from_translation(n * -1.9);
        app.world_mut().spawn((Plane::new(n), Restitution(1.0), at));
    }
    let ball = Body {
        e: 1.0,
        mu: 0.0,
        ..Body::at(Vec3::new(0.3, 0.5, 0.21))
    };
    let ball = ball.spawn(&mut app);
    let energy =
        |app: &App| 0.5 * velocity(app, ball).length_squared() + G * (position(app, ball).y + 1.0);
    let before = energy(&app);
    let mut bounces = 0;
    while bounces < 1000 {
        steps(&mut app, 1);
        bounces += messages::<Impact>(&app).len();
        assert_near(
            "the energy",
            energy(&app).into(),
            before.into(),
            1e-3 * f64::from(before),
        );
    }
}

/// At 1,000 m/s and 60 Hz, no ball passes a mesh without thickness.
#[test]
fn nothing_tunnels() {
    let mut app = app(60.0);
    app.world_mut().spawn(random_floor(20, 40.0));
    let balls: Vec<Entity> = (0..200)
        .map(|k| {
            let angle = k as f32 * 0.1;
            let direction = Vec3::new(0.3 * angle.cos(), -1.0, 0.3 * angle.sin());
            let x = Vec3::new(
                (k % 20) as f32 - 10.0,
                2.0 + 0.37 * k as f32 % 14.0,
                (k / 20) as f32 - 5.0,
            );
            let ball = Body {
                v: direction.normalize() * 1000.0,
                e: 0.5,
                ..Body::at(x)
            };
            ball.spawn(&mut app)
        })
        .collect();
    steps(&mut app, 10);
    for ball in balls {
        assert!(position(&app, ball).y > 0.0, "{ball} has passed the floor");
    }
}

/// A capsule lies still across the edge of a box, on two boxes, and a ball in a corner of a V of lines.
#[test]
fn bodies_rest() {
    let mut app = awake(60.0);
    app.world_mut().spawn(Collider::cuboid(1.0, 0.2, 1.0));
    let across = Quat::from_rotation_z(FRAC_PI_2);
    let capsule = (
        Capsule::new(RADIUS, 0.6),
        Restitution(0.0),
        Transform::from_xyz(0.3, 0.25, 0.0).with_rotation(across),
    );
    let capsule = app.world_mut().spawn(capsule).id();
    let v = [
        Vec3::new(8.0, 1.0, 0.0),
        Vec3::X * 10.0,
        Vec3::new(12.0, 1.0, 0.0),
    ];
    app.world_mut().spawn(Collider::polyline(v));
    let ball = Body::at(Vec3::new(10.5, 0.6, 0.0)).spawn(&mut app);
    steps(&mut app, 300);
    let before = [capsule, ball].map(|body| position(&app, body));
    steps(&mut app, 600);
    for (body, before) in [capsule, ball].into_iter().zip(before) {
        let moved = position(&app, body).distance(before);
        assert_near("the way at rest", moved.into(), 0.0, 1e-5);
        assert_near(
            "the speed at rest",
            velocity(&app, body).length().into(),
            0.0,
            1e-5,
        );
    }
    assert_near(
        "the capsule's height",
        position(&app, capsule).y.into(),
        0.2,
        1e-4,
    );
    assert_near(
        "the ball is in the middle",
        position(&app, ball).x.into(),
        10.0,
        1e-4,
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..default() })]

    /// A ball and a capsule lie on a long and narrow box wherever they are put down: on the diagonal between its two triangles,
    /// and a little beside it.
    #[test]
    fn nothing_falls_through_between_long_triangles(
        length in 1.0..1000.0f32,
        width in 0.5..8.0f32,
        along in -0.45..0.45f32,
        beside in -7.0..0.0f32,
        is_ball in any::<bool>(),
        sign in prop::sample::select(vec![-1.0f32, 1.0]),
    ) {
        let mut app = app_with_gravity(60.0);
        app.world_mut().spawn((Collider::cuboid(length, 0.2, width), Restitution(0.0)));
        for side in [-1.0, 1.0] {
            let r = 0.05;
            let z = side * along * width + sign * 0.04 * width * 10f32.powf(beside);
            let place = Transform::from_xyz(along * length, 0.1 + r, z);
            let body = match is_ball {
                true => app.world_mut().spawn((Particle::new(r), place)).id(),
                false => {
                    let lies = place.with_rotation(Quat::from_rotation_z(FRAC_PI_2));
                    app.world_mut().spawn((Capsule::new(r, 0.1), lies)).id()
                }
            };
            steps(&mut app, 30);
            let sunk = place.translation.y - position(&app, body).y;
            prop_assert!(sunk.abs() < 0.01 * r, "it sinks by {sunk} m");
        }
    }
}

/// A heap in a funnel of a mesh falls asleep, and keeps its bits.
#[test]
fn a_heap_in_a_funnel_sleeps() {
    let mut app = app_with_gravity(60.0);
    app.world_mut().spawn(funnel(1.5, 0.6));
    let balls: Vec<Entity> = (0..120)
        .map(|k| {
            let shift = 0.01 * (k % 7) as f32;
            let x = Vec3::new(
                (k % 4) as f32 * 0.22 - 0.33 + shift,
                0.1 + 0.22 * (k / 16) as f32,
                (k / 4 % 4) as f32 * 0.22 - 0.33,
            );
            Body {
                e: 0.2,
                mu: 0.3,
                ..Body::at(x)
            }
            .spawn(&mut app)
        })
        .collect();
    steps(&mut app, 900);
    // A ball that spins on the spot sleeps, and turns on.
    let places =
        |app: &App| -> Vec<Vec3> { balls.iter().map(|&ball| position(app, ball)).collect() };
    for &ball in &balls {
        assert!(
            get::<Sleep>(&app, ball).is_asleep(),
            "{ball} is awake at {}",
            position(&app, ball)
        );
        assert!(position(&app, ball).y > -1.5);
    }
    let before = places(&app);
    steps(&mut app, 60);
    assert!(before == places(&app), "a sleeping ball has moved");
    let contacts = app.world().resource::<Contacts>();
    let weight: f32 = contacts
        .iter()
        .filter(|contact| !balls.contains(&contact.a) || !balls.contains(&contact.b))
        .map(|contact| {
            if balls.contains(&contact.a) {
                contact.impulse.y
            } else {
                -contact.impulse.y
            }
        })
        .sum();
    assert_near(
        "the funnel carries the heap",
        weight.into(),
        f64::from(120.0 * G / 60.0),
        0.05 * f64::from(120.0 * G / 60.0),
    );
}

/// A flipper that turns about its end gives a ball the velocity of the point that it hits: v' = (1 + e)·ω·r.
#[test]
fn a_flipper_hits() {
    for (omega, hz) in [(10.0f32, 60.0), (40.0, 60.0), (10.0, 240.0)] {
        let mut app = app(hz);
        let blade = Collider::cuboid(1.0, 0.1, 0.4);
        let place = Isometry3d::from_translation(Vec3::X * 0.5);
        app.world_mut().spawn((
            Collider::compound([(place, &blade)]),
            RigidBody::Kinematic,
            AngularVelocity(Vec3::Z * omega),
            Restitution(0.5),
            Transform::from_rotation(Quat::from_rotation_z(-0.6)),
        ));
        let ball = Body {
            e: 0.5,
            mu: 0.0,
            ..Body::at(Vec3::new(0.7, 0.15, 0.0))
        };
        let ball = ball.spawn(&mut app);
        let mut impacts = Vec::new();
        for _ in 0..(0.3 * hz) as usize {
            steps(&mut app, 1);
            impacts.extend(messages::<Impact>(&app));
        }
        // The blade's upper side, 0.05 m over its axis, is level as it meets the ball.
        assert_eq!(impacts.len(), 1, "{impacts:?}");
        let v = velocity(&app, ball);
        let expected = 1.5 * omega * 0.7;
        assert_near(
            "the velocity",
            v.y.into(),
            expected.into(),
            2e-3 * f64::from(expected),
        );
        assert!(v.x.abs() < 0.01 * expected, "{v}");
    }
}

/// A ball in a drum that turns stays in the drum, and friction lifts it.
#[test]
fn a_drum_turns() {
    let mut app = awake(60.0);
    let sides = 24;
    let on = |k: u32, z: f32| {
        let angle = 2.0 * PI * k as f32 / sides as f32;
        Vec3::new(angle.cos(), angle.sin(), z)
    };
    let vertices: Vec<Vec3> = (0..sides).flat_map(|k| [on(k, -0.5), on(k, 0.5)]).collect();
    let triangles = (0..sides).flat_map(|k| {
        let next = (k + 1) % sides;
        let (a, b, c, d) = (2 * k, 2 * k + 1, 2 * next, 2 * next + 1);
        [[a, b, c], [b, d, c]]
    });
    let drum = Collider::trimesh(vertices, triangles, MeshSides::Two);
    app.world_mut()
        .spawn((drum, RigidBody::Kinematic, AngularVelocity(Vec3::Z * 2.0)));
    let ball = Body {
        mu: 1.0,
        ..Body::at(Vec3::new(0.0, -0.8, 0.0))
    }
    .spawn(&mut app);
    let mut highest = f32::NEG_INFINITY;
    for _ in 0..1200 {
        steps(&mut app, 1);
        let x = position(&app, ball);
        assert!(x.xy().length() < 0.905, "{x} is outside of the drum");
        highest = highest.max(x.y);
    }
    assert!(highest > -0.88);
}

/// A ball that slides off a cylinder leaves it at cos θ = 2/3.
#[test]
fn cylinders_are_round() {
    let way = 1.0 + RADIUS;
    let mut app = awake(60.0);
    let lying =
        Transform::from_rotation(Quat::from_rotation_x(FRAC_PI_2)).with_scale(Vec3::splat(0.5));
    app.world_mut()
        .spawn((Collider::cylinder(2.0, 4.0), lying, Restitution(0.0)));
    let start = Vec3::new(0.1f32.sin(), 0.1f32.cos(), 0.0) * way;
    let ball = Body {
        mu: 0.0,
        ..Body::at(start)
    }
    .spawn(&mut app);
    while position(&app, ball).y > -1.0 {
        steps(&mut app, 1);
    }
    let y = 2.0 / 3.0 * start.y;
    let expected = f64::from((G * y).sqrt() * (y / way));
    assert_near(
        "the horizontal velocity",
        velocity(&app, ball).x.into(),
        expected,
        5e-3 * expected,
    );
}

/// Every problem of a collider is told once, and the rest of the mesh is used.
#[test]
fn bad_meshes_are_told() {
    let mut app = awake(60.0);
    let vertices = [
        Vec3::new(-1.0, 0.0, -1.0),
        Vec3::new(0.0, 0.0, 1.0),
        Vec3::new(1.0, 0.0, -1.0),
        Vec3::new(f32::NAN, 0.0, 0.0),
    ];
    let triangles = [[0, 1, 2], [0, 1, 9], [0, 1, 1], [0, 1, 3]];
    let mesh = Collider::trimesh(vertices, triangles, MeshSides::Solid);
    let mesh = app.world_mut().spawn(mesh).id();
    let empty = app.world_mut().spawn(Collider::polyline([])).id();
    let thin = app.world_mut().spawn(Collider::cuboid(1.0, 0.0, 1.0)).id();
    let line = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let flat = app.world_mut().spawn(Collider::convex_hull(line)).id();
    let far = Transform::from_xyz(50.0, 0.0, 0.0).with_scale(Vec3::new(1.0, 0.0, 1.0));
    let squashed = app
        .world_mut()
        .spawn((Collider::cuboid(1.0, 1.0, 1.0), far))
        .id();
    let ball = Body::at(Vec3::new(0.0, 0.5, -0.3)).spawn(&mut app);
    let mut told = Vec::new();
    for _ in 0..60 {
        steps(&mut app, 1);
        told.extend(
            messages::<BadInput>(&app)
                .iter()
                .map(|bad| (bad.entity, bad.problem)),
        );
    }
    let unusable = |data| InputProblem::of::<Collider>(ProblemReason::UnusableData, data);
    for expected in [
        (mesh, unusable(ColliderProblem::NotFinite(1))),
        (mesh, unusable(ColliderProblem::NoVertex(1))),
        (mesh, unusable(ColliderProblem::Degenerate(1))),
        (mesh, unusable(ColliderProblem::NotClosed)),
        (empty, unusable(ColliderProblem::Empty)),
        (thin, unusable(ColliderProblem::Measure)),
        (flat, unusable(ColliderProblem::NoHull)),
        (
            squashed,
            InputProblem::of_field::<Transform>(
                "scale",
                ProblemReason::NoScale,
                Vec3::new(1.0, 0.0, 1.0),
            ),
        ),
    ] {
        let times = told.iter().filter(|&&problem| problem == expected).count();
        assert_eq!(times, 1, "{expected:?} of {told:?}");
    }
    assert_near(
        "the sound triangle holds the ball",
        position(&app, ball).y.into(),
        0.1,
        1e-4,
    );
}

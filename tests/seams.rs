//! Floors of several solids that lie flush: they are one floor.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;
use proptest::prelude::*;

const G: f32 = 9.81;

/// The floors, each of several pieces with their tops at the height 0. Seams lead through the origin along X and Z.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Floor {
    /// One box.
    One,
    /// Two boxes, side by side along X.
    Two,
    /// Four boxes, with a common corner at the origin.
    Four,
    /// The two boxes as one collider.
    Compound,
    /// The four boxes as one collider.
    CompoundOfFour,
    /// Boxes of 1 m × 1 m in rows.
    Tiles,
    /// The same, as one collider.
    CompoundOfTiles,
    /// The same, as hulls.
    Hulls,
    /// The same, as meshes, each of two triangles.
    Meshes,
    /// The same, as height fields.
    Fields,
    /// Boxes, each of which overlaps the next one.
    Overlapping,
    /// Boxes, hulls, meshes and height fields by turns.
    Mixed,
}

impl Floor {
    const ALL: [Self; 11] = [
        Self::Two,
        Self::Four,
        Self::Compound,
        Self::CompoundOfFour,
        Self::Tiles,
        Self::CompoundOfTiles,
        Self::Hulls,
        Self::Meshes,
        Self::Fields,
        Self::Overlapping,
        Self::Mixed,
    ];

    /// The pieces, each at its place.
    fn pieces(self) -> Vec<(Vec3, Collider)> {
        let two =
            || [-2.0f32, 2.0].map(|x| (Vec3::new(x, -0.5, 0.0), Collider::cuboid(4.0, 1.0, 8.0)));
        let four = || {
            let places = [(-2.0, -2.0), (2.0, -2.0), (-2.0, 2.0), (2.0, 2.0)];
            places.map(|(x, z)| (Vec3::new(x, -0.5, z), Collider::cuboid(4.0, 1.0, 4.0)))
        };
        let tiles = |piece: &dyn Fn(usize) -> (f32, Collider)| -> Vec<(Vec3, Collider)> {
            let numbers = (-4..4).flat_map(|x| (-4..4).map(move |z| (x, z)));
            let tiles = numbers.enumerate().map(|(k, (x, z))| {
                let (depth, collider) = piece(k);
                (Vec3::new(x as f32 + 0.5, -depth, z as f32 + 0.5), collider)
            });
            tiles.collect()
        };
        let cuboid = || (0.25, Collider::cuboid(1.0, 0.5, 1.0));
        let compound = |pieces: Vec<(Vec3, Collider)>| {
            let parts = pieces
                .iter()
                .map(|(x, piece)| (Isometry3d::from_translation(*x), piece));
            vec![(Vec3::ZERO, Collider::compound(parts))]
        };
        let corners = || [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)];
        let hull = || {
            let top = corners().map(|(x, z)| Vec3::new(x, 0.0, z));
            let tip = [Vec3::new(0.0, -0.7, 0.0)];
            (0.0, Collider::convex_hull(top.into_iter().chain(tip)))
        };
        let mesh = || {
            let vertices = corners().map(|(x, z)| Vec3::new(x, 0.0, z));
            let sides = MeshSides::Two;
            (
                0.0,
                Collider::trimesh(vertices, [[0, 2, 1], [1, 2, 3]], sides),
            )
        };
        let field = || (0.0, Collider::height_field(&[0.0; 9], 3, Vec2::ONE));
        match self {
            Self::One => vec![(Vec3::NEG_Y * 0.5, Collider::cuboid(8.0, 1.0, 8.0))],
            Self::Two => two().into(),
            Self::Four => four().into(),
            Self::Compound => compound(two().into()),
            Self::CompoundOfFour => compound(four().into()),
            Self::Tiles => tiles(&|_| cuboid()),
            Self::CompoundOfTiles => compound(tiles(&|_| cuboid())),
            Self::Hulls => tiles(&|_| hull()),
            Self::Meshes => tiles(&|_| mesh()),
            Self::Fields => tiles(&|_| field()),
            Self::Overlapping => tiles(&|_| (0.25, Collider::cuboid(1.3, 0.5, 1.2))),
            Self::Mixed => tiles(&|k| match (k + k / 8) % 4 {
                0 => cuboid(),
                1 => hull(),
                2 => mesh(),
                _ => field(),
            }),
        }
    }
}

/// A floor with a place in the world, and a body on it.
struct World {
    app: App,
    place: Transform,
    body: Entity,
    radius: f32,
}

/// Size, velocity and place of a body in the frame of the floor.
#[derive(Clone, Copy, Debug)]
struct Start {
    radius: f32,
    /// From the centre to an end of the core; zero for a ball.
    half: Vec3,
    x: Vec3,
    v: Vec3,
    material: (Restitution, Friction),
}

impl Start {
    fn slides(radius: f32, half: Vec3, x: Vec3, v: Vec3) -> Self {
        let material = (Restitution(0.0), Friction(0.0));
        Self {
            radius,
            half,
            x,
            v,
            material,
        }
    }
}

impl World {
    /// Gravity pulls the body on the floor.
    fn new(hz: f64, floor: Floor, place: Transform, start: Start) -> Self {
        let mut app = awake(hz);
        app.insert_resource(Gravity(place.rotation * Vec3::NEG_Y * G));
        for (x, piece) in floor.pieces() {
            let at = place * Transform::from_translation(x);
            app.world_mut().spawn((piece, at, start.material));
        }
        let turn = Quat::from_rotation_arc(Vec3::Y, start.half.normalize_or(Vec3::Y));
        let at = place * Transform::from_translation(start.x).with_rotation(turn);
        let v = LinearVelocity(place.rotation * start.v);
        let common = (at, v, start.material);
        let body = if start.half == Vec3::ZERO {
            app.world_mut()
                .spawn((Particle::new(start.radius), common))
                .id()
        } else {
            let length = 2.0 * start.half.length();
            app.world_mut()
                .spawn((Capsule::new(start.radius, length), common))
                .id()
        };
        Self {
            app,
            place,
            body,
            radius: start.radius,
        }
    }

    fn x(&self) -> Vec3 {
        let apart = position(&self.app, self.body) - self.place.translation;
        self.place.rotation.inverse() * apart
    }

    fn v(&self) -> Vec3 {
        self.place.rotation.inverse() * velocity(&self.app, self.body)
    }
}

/// A body slides over a floor from one side of the origin to the other: the greatest change of its velocity, over its speed, and of
/// its height, over its radius.
fn slide(hz: f64, floor: Floor, place: Transform, start: Start) -> (f32, f32) {
    let mut world = World::new(hz, floor, place, start);
    let speed = start.v.length();
    let n = (2.0 * start.x.with_y(0.0).length() / speed * hz as f32).ceil() as usize;
    let (mut change, mut rise) = (0f32, 0f32);
    for _ in 0..n {
        steps(&mut world.app, 1);
        change = change.max((world.v() - start.v).with_y(0.0).length() / speed);
        rise = rise.max((world.x().y - start.x.y).abs() / world.radius);
    }
    (change, rise)
}

#[track_caller]
fn assert_slides(hz: f64, floor: Floor, place: Transform, start: Start) {
    let (change, rise) = slide(hz, floor, place, start);
    assert!(
        change < 1e-5 && rise < 1e-4,
        "{floor:?} at {hz} Hz, {start:?}: the velocity changes by {change} of the speed, the height by {rise} radii"
    );
}

/// A body that slides without friction keeps its velocity and its height.
#[test]
fn a_body_slides_over_seams_as_over_one_floor() {
    for floor in Floor::ALL {
        for (k, speed) in [2.0, 5.0, 10.0, 20.0f32].into_iter().enumerate() {
            for half in [Vec3::ZERO, Vec3::X * 0.3, Vec3::new(0.2, 0.0, -0.3)] {
                let hz = [60.0, 240.0, 30.0, 60.0][k];
                for (angle, aside) in [(0.0, 0.1), (0.0f32, 0.0), (0.35, 0.0), (0.8, 0.013)] {
                    let v = Quat::from_rotation_y(angle) * Vec3::X * speed;
                    let x = -v * (1.5 / speed) + Vec3::new(0.0, 0.15, aside);
                    let start = Start::slides(0.15, half, x, v);
                    assert_slides(hz, floor, Transform::IDENTITY, start);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 96,
        failure_persistence: None,
        ..default()
    })]

    /// The same for any place of the floor.
    #[test]
    fn a_body_slides_over_seams_of_a_turned_floor(
        floor in prop::sample::select(Floor::ALL.to_vec()),
        (turn, about, shift) in (0.0..3.0f32, [-1.0..1.0f32, -1.0..1.0, -1.0..1.0], [-3.0..3.0f32, -3.0..3.0, -3.0..3.0]),
        speed in 2.0..20.0f32,
        angle in 0.0..6.3f32,
        aside in -0.4..0.4f32,
        radius in 0.08..0.3f32,
        (length, along) in (prop::sample::select(vec![0.0, 0.2, 0.6f32]), 0.0..6.3f32),
        hz in prop::sample::select(vec![30.0, 60.0, 240.0]),
    ) {
        let rotation = Quat::from_axis_angle(Vec3::from(about).normalize_or(Vec3::X), turn);
        let place = Transform::from_translation(shift.into()).with_rotation(rotation);
        let towards = Quat::from_rotation_y(angle);
        let x = towards * Vec3::new(-1.5, radius, aside);
        let half = Quat::from_rotation_y(along) * Vec3::X * (0.5 * length);
        let start = Start::slides(radius, half, x, towards * Vec3::X * speed);
        let (change, rise) = slide(hz, floor, place, start);
        prop_assert!(change < 1e-5 && rise < 1e-4, "velocity {change}, height {rise}");
    }
}

/// The velocity after a hit, without gravity: the body falls with `v`, and its lowest point comes to this place on the floor.
fn hit(hz: f64, floor: Floor, start: Start) -> Vec3 {
    let time = 0.05;
    let start = Start {
        x: start.x - start.v * time,
        ..start
    };
    let mut world = World::new(hz, floor, Transform::IDENTITY, start);
    world.app.insert_resource(Gravity::ZERO);
    let n = (2.0 * time * hz as f32).ceil() as usize;
    steps(&mut world.app, n);
    world.v()
}

/// A rough ball that falls on a seam bounces as from one floor: v_y' = −e·v_y, and it rolls after the hit, v_x' = 5/7·v_x.
#[test]
fn a_hit_on_a_seam_gives_one_impulse() {
    for floor in Floor::ALL {
        for hz in [30.0, 60.0, 240.0] {
            for (x, z) in [
                (0.0, 0.0),
                (0.0, 0.3),
                (3e-3, 0.3),
                (-3e-3, 3e-3),
                (1e-4, 0.0),
                (0.02, 0.3),
            ] {
                let start = Start {
                    radius: 0.25,
                    half: Vec3::ZERO,
                    x: Vec3::new(x, 0.25, z),
                    v: Vec3::new(4.0, -4.0, 0.0),
                    material: (Restitution(0.5), Friction(0.3)),
                };
                let v = hit(hz, floor, start);
                let off = v.distance(Vec3::new(20.0 / 7.0, 2.0, 0.0));
                let law = format!("{floor:?} at {hz} Hz, at {x}, {z}: {v}");
                assert_near(&law, off.into(), 0.0, 1e-4);
            }
        }
    }
}

/// So does a rough capsule that falls flat across seams.
#[test]
fn a_capsule_that_falls_flat_on_seams_bounces_as_from_one_floor() {
    for floor in Floor::ALL {
        for half in [Vec3::X * 0.3, Vec3::new(0.2, 0.0, -0.3)] {
            for x in [0.0, 0.07, 0.45] {
                let start = Start {
                    radius: 0.15,
                    half,
                    x: Vec3::new(x, 0.15, 0.1),
                    v: Vec3::new(1.0, -3.0, 0.3),
                    material: (Restitution(0.5), Friction(0.3)),
                };
                let (v, one) = (hit(60.0, floor, start), hit(60.0, Floor::One, start));
                let law = format!("{floor:?}, {half} at {x}: {v}, and {one} from one floor");
                assert_near(&law, v.distance(one).into(), 0.0, 1e-4);
            }
        }
    }
}

/// A ball that rolls keeps its velocity and its height.
#[test]
fn a_ball_rolls_over_seams_as_over_one_floor() {
    for floor in Floor::ALL {
        for (hz, speed, angle) in [(60.0, 2.0, 0.35f32), (60.0, 10.0, 0.0), (30.0, 5.0, 0.8)] {
            let v = Quat::from_rotation_y(angle) * Vec3::X * speed;
            let start = Start {
                material: (Restitution(0.5), Friction(0.5)),
                ..Start::slides(0.15, Vec3::ZERO, -v * (1.5 / speed) + Vec3::Y * 0.15, v)
            };
            let mut world = World::new(hz, floor, Transform::IDENTITY, start);
            let w = AngularVelocity(Vec3::Y.cross(v) / 0.15);
            world.app.world_mut().entity_mut(world.body).insert(w);
            for _ in 0..(3.0 / speed * hz as f32) as usize {
                steps(&mut world.app, 1);
            }
            let law = format!("{floor:?} at {hz} Hz, {v}");
            assert_near(
                &law,
                world.v().distance(v).into(),
                0.0,
                2e-5 * f64::from(speed),
            );
            assert_near(&law, world.x().y.into(), 0.15, 1e-4 * 0.15);
        }
    }
}

/// Two boxes, the second one higher by `step` m and farther by `gap` m, without gravity. A smooth ball of radius 0.15 m slides from
/// the first one.
fn slide_to_another(hz: f64, (step, gap): (f32, f32), speed: f32) -> Vec3 {
    let mut app = app(hz);
    let smooth = (Restitution(0.0), Friction(0.0));
    for x in [
        Vec3::new(-2.0, -0.5, 0.0),
        Vec3::new(2.0 + gap, step - 0.5, 0.0),
    ] {
        let place = Transform::from_translation(x);
        app.world_mut()
            .spawn((Collider::cuboid(4.0, 1.0, 4.0), place, smooth));
    }
    let place = Transform::from_xyz(-1.0, 0.15, 0.0);
    let ball = (
        Particle::new(0.15),
        place,
        smooth,
        LinearVelocity(Vec3::X * speed),
    );
    let ball = app.world_mut().spawn(ball).id();
    steps(&mut app, (1.5 / speed * hz as f32) as usize);
    velocity(&app, ball)
}

/// A step is a step: the ball hits its edge under the angle θ with cos θ = 1 − h/r, and loses the velocity along the edge's normal.
/// A step down is nothing without gravity.
#[test]
fn a_step_is_no_seam() {
    for hz in [60.0, 240.0] {
        for speed in [2.0, 10.0f32] {
            for step in [0.01, 0.05f32] {
                let cosine = 1.0 - step / 0.15;
                let sine = (1.0 - cosine * cosine).sqrt();
                let expected = Vec3::new(cosine * cosine, sine * cosine, 0.0) * speed;
                for gap in [0.0, 0.02] {
                    let v = slide_to_another(hz, (step, gap), speed);
                    let law = format!("a step of {step} m at {speed} m/s and {hz} Hz: {v}");
                    assert_near(
                        &law,
                        v.distance(expected).into(),
                        0.0,
                        5e-4 * f64::from(speed),
                    );
                }
            }
            for (step, gap) in [(-0.01, 0.0), (-0.01, 0.02), (-1e-3, 0.0)] {
                let v = slide_to_another(hz, (step, gap), speed);
                let law =
                    format!("{step} m down, a gap of {gap} m, at {speed} m/s and {hz} Hz: {v}");
                let off = v.distance(Vec3::X * speed);
                assert_near(&law, off.into(), 0.0, 1e-5 * f64::from(speed));
            }
        }
    }
}

/// Flush kinematic colliders are one floor too, where they move together. A collider that leaves is no floor any more.
#[test]
fn seams_move_and_end_with_their_colliders() {
    for half in [Vec3::ZERO, Vec3::X * 0.3] {
        let belt = Vec3::new(0.5, 0.25, -0.5);
        let start = Start::slides(0.15, half, Vec3::new(-1.5, 0.15, 0.1), Vec3::X * 3.0 + belt);
        let mut world = World::new(60.0, Floor::Two, Transform::IDENTITY, start);
        let mut floors = world
            .app
            .world_mut()
            .query_filtered::<Entity, With<Collider>>();
        let floors: Vec<Entity> = floors.iter(world.app.world()).collect();
        for &floor in &floors {
            let moves = (RigidBody::Kinematic, LinearVelocity(belt));
            world.app.world_mut().entity_mut(floor).insert(moves);
        }
        steps(&mut world.app, 60);
        let height = world.x().y - position(&world.app, floors[0]).y - 0.5;
        assert_near("velocity", world.v().distance(start.v).into(), 0.0, 5e-5);
        assert_near("height", height.into(), 0.15, 2e-4 * 0.15);
        // Now the body is over the second floor.
        world.app.world_mut().despawn(floors[1]);
        steps(&mut world.app, 30);
        let fallen = world.v().y - belt.y;
        assert!(fallen < -0.9 * 0.5 * G, "it falls with {fallen} m/s");
    }
}

//! What a flight query foretells is what the step then does.

use std::f32::consts::TAU;

use bevy::{ecs::system::SystemState, prelude::*};
use bevy_impulse_collide::prelude::*;
use laws::*;
use proptest::prelude::*;

const HZ: f64 = 120.0;
const RADIUS: f32 = 0.2;

/// Longest flight in s, and in steps.
const TIME: f32 = 2.0;
const STEPS: usize = 240;

/// A hit that is slower than this part of the speed just grazes: its time hangs on the last digits.
const GRAZING: f32 = 0.2;

/// Difference in m of two points of one impact: the step stops at a gap of 1e-5 radii, and rounds its positions in each step.
const SAME_POINT: f32 = 1e-3;

fn ask<R>(app: &mut App, question: impl FnOnce(&FlightQuery) -> R) -> R {
    let mut state = SystemState::<FlightQuery>::new(app.world_mut());
    let query = state.get(app.world()).expect("the plugin is there");
    question(&query)
}

fn all() -> SpatialFilter {
    SpatialFilter::default()
}

fn vector(size: f32) -> impl Strategy<Value = Vec3> {
    [-size..size, -size..size, -size..size].prop_map(Vec3::from)
}

fn rotation() -> impl Strategy<Value = Quat> {
    vector(3.0).prop_map(Quat::from_scaled_axis)
}

/// A body in the way.
#[derive(Clone, Copy, Debug)]
enum Obstacle {
    Plane,
    Cuboid,
    Cylinder,
    Mesh,
    CurvedPipe,
    StillBall,
    FlyingBall { velocity: Vec3, scale: f32 },
    DrivenBall { velocity: Vec3 },
    DrivenPlane { velocity: Vec3 },
    DrivenCuboid { velocity: Vec3 },
    StillCapsule,
}

fn obstacle() -> impl Strategy<Value = Obstacle> {
    prop_oneof![
        Just(Obstacle::Plane),
        Just(Obstacle::Cuboid),
        Just(Obstacle::Cylinder),
        Just(Obstacle::Mesh),
        Just(Obstacle::CurvedPipe),
        Just(Obstacle::StillBall),
        (vector(3.0), 0.0..2.0f32)
            .prop_map(|(velocity, scale)| Obstacle::FlyingBall { velocity, scale }),
        vector(3.0).prop_map(|velocity| Obstacle::DrivenBall { velocity }),
        vector(1.0).prop_map(|velocity| Obstacle::DrivenPlane { velocity }),
        vector(3.0).prop_map(|velocity| Obstacle::DrivenCuboid { velocity }),
        Just(Obstacle::StillCapsule),
    ]
}

impl Obstacle {
    fn spawn(&self, world: &mut World, place: Transform) -> Entity {
        let driven = |velocity| (RigidBody::Kinematic, LinearVelocity(velocity));
        let cuboid = Collider::cuboid(1.0, 2.0, 1.5);
        match *self {
            Self::Plane => world.spawn((Plane::new(Vec3::Y), place)),
            Self::Cuboid => world.spawn((cuboid, place)),
            Self::Cylinder => world.spawn((Collider::cylinder(0.8, 1.0), place)),
            Self::Mesh => {
                let vertices = (0..25).map(|i| {
                    let height = 0.1 * ((i * 7) % 5) as f32;
                    Vec3::new((i % 5) as f32 - 2.0, height, (i / 5) as f32 - 2.0)
                });
                let cells = (0..16).map(|cell| cell / 4 * 5 + cell % 4);
                let triangles = cells.flat_map(|a| [[a, a + 5, a + 1], [a + 1, a + 5, a + 6]]);
                let mesh = Collider::trimesh(vertices, triangles, MeshSides::Two);
                world.spawn((mesh, place))
            }
            Self::CurvedPipe => world.spawn((curved_pipe(), place)),
            Self::StillBall => world.spawn((Particle::new(0.5), RigidBody::Static, place)),
            Self::FlyingBall { velocity, scale } => world.spawn((
                Particle::new(0.5),
                LinearVelocity(velocity),
                GravityScale(scale),
                place,
            )),
            Self::DrivenBall { velocity } => {
                world.spawn((Particle::new(0.5), driven(velocity), place))
            }
            Self::DrivenPlane { velocity } => {
                world.spawn((Plane::new(Vec3::Y), driven(velocity), place))
            }
            Self::DrivenCuboid { velocity } => world.spawn((cuboid, driven(velocity), place)),
            Self::StillCapsule => world.spawn((Capsule::new(0.3, 1.0), RigidBody::Static, place)),
        }
        .id()
    }
}

/// A pipe with a radius of 1 m along Y, of curved triangles with two sides.
fn curved_pipe() -> Collider {
    const STRIPS: u32 = 24;
    let ring = |k: u32, y: f32| {
        let (sin, cos) = (TAU * k as f32 / STRIPS as f32).sin_cos();
        let out = Vec3::new(cos, 0.0, sin);
        (out + Vec3::Y * y, out)
    };
    let vertices = (0..STRIPS).flat_map(|k| [ring(k, -1.5), ring(k, 1.5)]);
    let triangles = (0..STRIPS).flat_map(|k| {
        let (a, b) = (2 * k, 2 * ((k + 1) % STRIPS));
        [[a, a + 1, b], [b, a + 1, b + 1]]
    });
    Collider::smooth_trimesh(vertices, triangles, MeshSides::Two)
}

/// Whether a ball touches no other body.
fn is_free(app: &mut App, ball: Entity) -> bool {
    let centre = position(app, ball);
    let mut state = SystemState::<SpatialQuery>::new(app.world_mut());
    let query = state.get(app.world()).expect("the plugin is there");
    let others = all().without([ball]);
    query
        .overlap_ball(1.01 * RADIUS, centre, &others)
        .is_empty()
}

/// The first impact of a body in the next steps: the time in s from now, and the impact.
fn first_impact(app: &mut App, body: Entity) -> Option<(f32, Impact)> {
    for step in 0..STEPS {
        app.world_mut().resource_mut::<Messages<Impact>>().clear();
        app.update();
        let impacts = app.world().resource::<Messages<Impact>>();
        let mut impacts = impacts.iter_current_update_messages();
        if let Some(impact) = impacts.find(|impact| impact.other(body).is_some()) {
            let start = step as f64 / HZ;
            return Some((start as f32 + impact.time, *impact));
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..default() })]

    /// The body, the time, the place, the point, the normal and the speed of the first impact are those that were foretold: also
    /// while both bodies fly, and some steps after the start.
    #[test]
    fn a_flight_ends_as_it_was_foretold(
        obstacle in obstacle(),
        place in (vector(2.0), rotation()),
        from in vector(1.0),
        (velocity, scale) in (vector(8.0), -1.0..2.0f32),
        steps_before in 0..10usize,
    ) {
        let mut app = app_with_gravity(HZ);
        let place = Transform::from_translation(place.0).with_rotation(place.1);
        let other = obstacle.spawn(app.world_mut(), place);
        // The flight leads towards the obstacle, but not to its middle.
        let start = from + place.translation - velocity.normalize_or_zero() * 4.0;
        let ball = (Particle::new(RADIUS), LinearVelocity(velocity), GravityScale(scale));
        let ball = app.world_mut().spawn((ball, Transform::from_translation(start))).id();
        let mut impacts_before = 0;
        for _ in 0..steps_before {
            app.update();
            impacts_before += app.world().resource::<Messages<Impact>>().len();
        }
        prop_assume!(impacts_before == 0);
        // A ball that starts in a body may be anywhere in it.
        prop_assume!(is_free(&mut app, ball));
        let (flight, hit) = ask(&mut app, |query| {
            (query.flight_of(ball).unwrap(), query.cast_body(ball, TIME, &all()))
        });
        prop_assert!(flight.position.distance(position(&app, ball)) < 1e-6);
        let happens = first_impact(&mut app, ball);
        match (hit, happens) {
            (None, None) => {}
            (Some(hit), Some((time, impact))) => {
                prop_assert_eq!((hit.entity, impact.other(ball)), (other, Some(other)));
                let speed = hit.approach_speed;
                if speed > GRAZING * hit.velocity.length() && speed > 0.1 {
                    prop_assert!((hit.time - time).abs() * speed < SAME_POINT, "{} is not {time}", hit.time);
                    prop_assert!(hit.point.distance(impact.point) < 10.0 * SAME_POINT, "{hit:?} {impact:?}");
                    prop_assert!(hit.normal.distance(impact.normal_on(ball).unwrap()) < 0.02, "{hit:?} {impact:?}");
                    prop_assert!((speed - impact.approach_speed).abs() < 0.02 * speed, "{hit:?} {impact:?}");
                    prop_assert!(hit.position.distance(hit.flight.at(hit.time)) < 1e-5);
                }
            }
            (Some(hit), None) => {
                let is_late = hit.time > TIME - 0.02;
                let speed = hit.approach_speed;
                prop_assert!(is_late || speed < GRAZING * hit.velocity.length(), "{hit:?} does not come");
            }
            (None, Some((time, impact))) => {
                let grazes = impact.approach_speed < GRAZING * velocity.length();
                prop_assert!(time > TIME - 0.02 || grazes, "at {time} comes {impact:?}");
            }
        }
    }
}

/// A ball is thrown over a plane: t = (v + √(v² + 2·g·h))/g, and it is then at x = u·t.
#[test]
fn a_throw_onto_a_plane_ends_where_the_parabola_does() {
    let mut app = app_with_gravity(HZ);
    let floor = app.world_mut().spawn(Plane::new(Vec3::Y)).id();
    let g = 9.81f64;
    for (height, up, along) in [
        (1.0, 0.0, 2.0),
        (0.0, 6.0, 1.0),
        (50.0, 20.0, 7.0),
        (0.3, -4.0, 0.0),
    ] {
        let flight = Flight {
            position: Vec3::Y * (RADIUS + height),
            velocity: Vec3::new(along, up, 0.0),
            acceleration: Vec3::NEG_Y * 9.81,
        };
        let hit = ask(&mut app, |query| {
            query.cast_ball(RADIUS, &flight, 100.0, &all())
        });
        let hit = hit.expect("the floor is under it");
        let (height, up, along) = (f64::from(height), f64::from(up), f64::from(along));
        let time = (up + (up * up + 2.0 * g * height).sqrt()) / g;
        assert_eq!((hit.entity, hit.normal), (floor, Vec3::Y));
        assert_near("time of flight", hit.time.into(), time, 1e-6 * (1.0 + time));
        assert_near(
            "way",
            hit.point.x.into(),
            along * time,
            1e-5 * (1.0 + along * time),
        );
        assert_near("height of the point", hit.point.y.into(), 0.0, 1e-5);
        let speed = (up * up + 2.0 * g * height).sqrt();
        assert_near("approach", hit.approach_speed.into(), speed, 1e-5 * speed);
    }
}

/// A ball that rolls on a table hits the rail, not the table; without friction it comes when its speed says. It also hits the ball
/// that lies on the table, and the balls that only lie there do not fall through the table.
#[test]
fn a_ball_on_a_table_hits_the_rail() {
    for has_second_ball in [false, true] {
        let mut app = app_with_gravity(HZ);
        let world = app.world_mut();
        let smooth = Friction(0.0);
        world.spawn((
            Collider::cuboid(10.0, 1.0, 10.0),
            smooth,
            Transform::from_xyz(0.0, -0.5, 0.0),
        ));
        let rail = Transform::from_xyz(5.0, 0.0, 0.0);
        let rail = world
            .spawn((Collider::cuboid(1.0, 1.0, 10.0), smooth, rail))
            .id();
        let on_table = |x: f32| Transform::from_xyz(x, RADIUS, 0.0);
        let ball = world
            .spawn((Particle::new(RADIUS), smooth, on_table(0.0)))
            .id();
        let second = has_second_ball.then(|| {
            world
                .spawn((Particle::new(RADIUS), smooth, on_table(2.0)))
                .id()
        });
        for steps_before in [0, 30, 120] {
            steps(&mut app, steps_before);
            let hit = ask(&mut app, |query| {
                let now = query.flight_of(ball).unwrap();
                let shot = Flight {
                    velocity: Vec3::X * 3.0,
                    ..now
                };
                query.cast_thrown(ball, &shot, 5.0, &all())
            });
            let jump = ask(&mut app, |query| {
                let now = query.flight_of(ball).unwrap();
                let shot = Flight {
                    velocity: Vec3::new(0.1, 1.0, 0.0),
                    ..now
                };
                query.cast_thrown(ball, &shot, 5.0, &all())
            });
            let jump = jump.expect("the table is under it");
            assert_near("time of a jump", jump.time.into(), 2.0 / 9.81, 1e-3);
            let hit = hit.expect("something is in the way");
            let way = if has_second_ball {
                2.0 - 2.0 * RADIUS
            } else {
                4.5 - RADIUS
            };
            assert_eq!(hit.entity, second.unwrap_or(rail));
            assert_near(
                "time to the rail",
                hit.time.into(),
                f64::from(way / 3.0),
                1e-4,
            );
        }
    }
}

/// A ball that is thrown up from the ground comes back to it.
#[test]
fn a_ball_that_leaves_the_ground_comes_back() {
    let grounds: [fn(&mut World) -> Entity; 3] = [
        |world| world.spawn(Plane::new(Vec3::Y)).id(),
        |world| {
            let place = Transform::from_xyz(0.0, -0.5, 0.0);
            world.spawn((Collider::cuboid(40.0, 1.0, 40.0), place)).id()
        },
        |world| {
            let field = Collider::height_field(&[0.0; 441], 21, Vec2::splat(40.0));
            world.spawn(field).id()
        },
    ];
    for spawn in grounds {
        let mut app = app_with_gravity(HZ);
        let ground = spawn(app.world_mut());
        let flight = Flight {
            position: Vec3::new(0.1, RADIUS, 0.2),
            velocity: Vec3::new(2.0, 9.81, 1.0),
            acceleration: Vec3::NEG_Y * 9.81,
        };
        let hit = ask(&mut app, |query| {
            query.cast_ball(RADIUS, &flight, 10.0, &all())
        });
        let hit = hit.expect("it comes back");
        assert_eq!(hit.entity, ground);
        assert_near("time", hit.time.into(), 2.0, 1e-4);
    }
}

/// A wall that its `Transform` moves, and a wall that is a part of a moving body, are foretold with their velocities. A filter takes
/// both for kinematic. After four steps each is at the origin.
#[test]
fn a_wall_that_something_else_moves_comes_nearer() {
    const SPEED: f32 = 2.0;
    let of_wall: [fn(&mut World) -> Entity; 3] = [
        |world| {
            let at = Transform::from_xyz(-4.0 / 60.0 * SPEED, 0.0, 0.0);
            let moved = (Collider::cuboid(1.0, 4.0, 4.0), MovedByTransform::default());
            world.spawn((moved, at)).id()
        },
        |world| {
            let velocity = LinearVelocity(Vec3::X * SPEED);
            let carrier = (RigidBody::Kinematic, Collider::cuboid(1.0, 1.0, 1.0));
            let carrier = (
                carrier,
                velocity,
                Transform::from_xyz(-4.0 / 60.0 * SPEED, 9.0, 0.0),
            );
            let carrier = world.spawn(carrier).id();
            let at = Transform::from_xyz(0.0, -9.0, 0.0);
            let part = (Collider::cuboid(1.0, 4.0, 4.0), at, ChildOf(carrier));
            world.spawn(part).id()
        },
        |world| {
            // It turns about a point 9 m above it, in 4 s by 2 rad: at its lowest point it has the speed ω·r.
            let spin = AngularVelocity(Vec3::Z * SPEED / 9.0);
            let carrier = (RigidBody::Kinematic, Collider::cuboid(1.0, 1.0, 1.0));
            let angle = -4.0 / 60.0 * SPEED / 9.0;
            let at = Transform::from_xyz(0.0, 9.0, 0.0).with_rotation(Quat::from_rotation_z(angle));
            let carrier = world.spawn((carrier, spin, at)).id();
            let at = Transform::from_xyz(0.0, -9.0, 0.0);
            let part = (Collider::cuboid(1.0, 4.0, 4.0), at, ChildOf(carrier));
            world.spawn(part).id()
        },
    ];
    for spawn in of_wall {
        let mut app = app(60.0);
        app.add_systems(
            FixedUpdate,
            |mut walls: Query<&mut Transform, With<MovedByTransform>>| {
                for mut wall in &mut walls {
                    wall.translation.x += SPEED / 60.0;
                }
            },
        );
        let wall = spawn(app.world_mut());
        steps(&mut app, 4);
        let flight = Flight {
            position: Vec3::X * (0.5 + RADIUS + 1.0),
            velocity: Vec3::NEG_X * 3.0,
            acceleration: Vec3::ZERO,
        };
        let filter = SpatialFilter::of([RigidBody::Kinematic]);
        let hit = ask(&mut app, |query| {
            query.cast_ball(RADIUS, &flight, 10.0, &filter)
        });
        let hit = hit.expect("the wall comes nearer");
        assert_eq!(hit.entity, wall);
        assert_near("time", hit.time.into(), 1.0 / 5.0, 1e-3);
        let standing = SpatialFilter::of([RigidBody::Static]);
        let hit = ask(&mut app, |query| {
            query.cast_ball(RADIUS, &flight, 10.0, &standing)
        });
        assert_eq!(hit, None);
    }
}

/// A capsule that does not turn is foretold as a ball is: here its lower end comes down first.
#[test]
fn a_capsule_lands_on_its_lower_end() {
    let mut app = app_with_gravity(HZ);
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let rotation = Quat::from_rotation_z(0.5);
    let flight = Flight {
        position: Vec3::Y * 3.0,
        velocity: Vec3::ZERO,
        acceleration: Vec3::NEG_Y * 9.81,
    };
    let hit = ask(&mut app, |query| {
        query.cast_capsule((0.2, 1.0), rotation, &flight, 10.0, &all())
    });
    let height = 3.0 - 0.2 - 0.5 * f64::from(0.5f32.cos());
    let time = (2.0 * height / 9.81).sqrt();
    assert_near("time", hit.expect("the floor").time.into(), time, 1e-6);
    let capsule = (
        Capsule::new(0.2, 1.0),
        Transform::from_xyz(0.0, 3.0, 0.0).with_rotation(rotation),
    );
    let capsule = app.world_mut().spawn(capsule).id();
    let foretold = ask(&mut app, |query| query.cast_body(capsule, 10.0, &all()));
    let (happens, impact) = first_impact(&mut app, capsule).expect("the floor");
    let foretold = foretold.expect("the floor");
    assert_near("time", foretold.time.into(), happens.into(), 1e-4);
    assert!(foretold.point.distance(impact.point) < SAME_POINT);
}

/// A body hits the bodies that its layers let it collide with, and that the filter finds.
#[test]
fn a_flight_passes_what_it_does_not_collide_with() {
    let mut app = app(HZ);
    let wall = |app: &mut App, x: f32, layer: u32| {
        let layers = CollisionLayers::new(LayerMask(layer), LayerMask::ALL);
        let place = Transform::from_xyz(x, 0.0, 0.0);
        let wall = (Collider::cuboid(0.1, 5.0, 5.0), layers, place);
        app.world_mut().spawn(wall).id()
    };
    let [first, second, third] =
        [(1.0, 0b01), (2.0, 0b10), (3.0, 0b10)].map(|(x, layer)| wall(&mut app, x, layer));
    let layers = CollisionLayers::new(LayerMask(0b10), LayerMask(0b10));
    let ball = (Particle::new(RADIUS), LinearVelocity(Vec3::X), layers);
    let ball = app.world_mut().spawn(ball).id();
    ask(&mut app, |query| {
        let cast =
            |filter: &SpatialFilter| query.cast_body(ball, 9.0, filter).map(|hit| hit.entity);
        assert_eq!(cast(&all()), Some(second));
        assert_eq!(cast(&all().without([second])), Some(third));
        let flight = query.flight_of(ball).unwrap();
        let others = all().without([ball]);
        let free = query.cast_ball(RADIUS, &flight, 9.0, &others);
        assert_eq!(free.map(|hit| hit.entity), Some(first));
        assert_eq!(query.cast_ball(RADIUS, &flight, 0.5, &others), None);
    });
}

/// Values that are no numbers foretell nothing.
#[test]
fn bad_values_foretell_nothing() {
    let mut app = app_with_gravity(HZ);
    let plane = app.world_mut().spawn(Plane::new(Vec3::Y)).id();
    app.world_mut()
        .spawn((Particle::new(0.5), LinearVelocity(Vec3::NAN)));
    let good = Flight {
        position: Vec3::new(9.0, 5.0, 0.0),
        velocity: Vec3::X,
        acceleration: Vec3::NEG_Y,
    };
    ask(&mut app, |query| {
        assert_eq!(query.flight_of(plane), None);
        assert_eq!(query.cast_body(plane, 1.0, &all()), None);
        for bad in [f32::NAN, -1.0, f32::INFINITY] {
            assert_eq!(query.cast_ball(bad, &good, 9.0, &all()), None);
        }
        for bad in [f32::NAN, -1.0] {
            assert_eq!(query.cast_ball(0.5, &good, bad, &all()), None);
            assert_eq!(
                query.cast_capsule((0.5, bad), Quat::IDENTITY, &good, 9.0, &all()),
                None
            );
        }
        for bad in [Vec3::NAN, Vec3::INFINITY] {
            for flight in [
                Flight {
                    position: bad,
                    ..good
                },
                Flight {
                    velocity: bad,
                    ..good
                },
                Flight {
                    acceleration: bad,
                    ..good
                },
            ] {
                assert_eq!(query.cast_ball(0.5, &flight, 9.0, &all()), None);
            }
        }
        let endless = query.cast_ball(0.5, &good, f32::INFINITY, &all());
        assert_eq!(endless.map(|hit| hit.time), Some(3.0));
        let huge = Flight {
            velocity: Vec3::MAX,
            ..good
        };
        query.cast_ball(0.5, &huge, f32::MAX, &all());
    });
}

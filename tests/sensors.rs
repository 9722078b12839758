//! Sensors: bodies enter and leave them at their own times, never lost and never doubled, and nothing else changes.

use std::collections::BTreeSet;

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_impulse_collide::prelude::*;
use laws::*;
use proptest::prelude::*;

const HZ: f64 = 60.0;

/// What a sensor has told, with times in seconds from the start of the app's physics.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Crossing {
    time: f64,
    sensor: Entity,
    body: Entity,
    enters: bool,
    by_despawn: bool,
}

#[derive(Resource, Default)]
struct Told(Vec<Crossing>);

/// An app that keeps all that sensors tell.
fn sensing(mut app: App) -> App {
    fn keep(
        time: Res<Time>,
        mut entered: MessageReader<SensorEntered>,
        mut left: MessageReader<SensorLeft>,
        mut told: ResMut<Told>,
    ) {
        let start = time.elapsed_secs_f64() - time.delta_secs_f64();
        let mut now: Vec<Crossing> = left
            .read()
            .map(|it| Crossing {
                time: start + f64::from(it.time),
                sensor: it.sensor,
                body: it.body,
                enters: false,
                by_despawn: it.by_despawn,
            })
            .collect();
        now.extend(entered.read().map(|it| Crossing {
            time: start + f64::from(it.time),
            sensor: it.sensor,
            body: it.body,
            enters: true,
            by_despawn: false,
        }));
        now.sort_by(|one, other| {
            let order = one.time.total_cmp(&other.time);
            order.then(other.by_despawn.cmp(&one.by_despawn))
        });
        told.0.extend(now);
    }
    app.init_resource::<Told>()
        .add_systems(FixedPostUpdate, keep.after(ImpulseSystems::WriteBack));
    app
}

fn told(app: &App) -> Vec<Crossing> {
    app.world().resource::<Told>().0.clone()
}

/// Asserts that one body has crossed a sensor at these times, first inwards.
#[track_caller]
fn assert_crossings(app: &App, expected: &[f64], tolerance: f64) {
    let told = told(app);
    let times: Vec<f64> = told.iter().map(|it| it.time).collect();
    assert_eq!(times.len(), expected.len(), "{times:?}, not {expected:?}");
    for (k, (crossing, &time)) in told.iter().zip(expected).enumerate() {
        assert_eq!(crossing.enters, k % 2 == 0);
        assert_near("time of the crossing", crossing.time, time, tolerance);
    }
}

/// A sensor whose surface meets X at `low` and `high`, or at `low` only if it has no far side.
fn sensor(kind: usize, low: f32, high: f32) -> (Collider, Transform) {
    let (middle, size) = (0.5 * (low + high), high - low);
    let at = Transform::from_xyz(middle, 0.0, 0.0);
    let square = [
        Vec3::new(0.0, -9.0, -9.0),
        Vec3::new(0.0, 9.0, -9.0),
        Vec3::new(0.0, 0.0, 9.0),
    ];
    match kind {
        0 => (Collider::cuboid(size, 4.0, 4.0), at),
        1 => (
            Collider::cuboid(4.0, size, 4.0),
            at.with_rotation(Quat::from_rotation_z(1.5 * std::f32::consts::PI)),
        ),
        2 => (Collider::cylinder(0.5 * size, 4.0), at),
        // Surfaces without an inside: a ball is in while it touches them.
        3 => (
            Collider::trimesh(square, [[0, 1, 2]], MeshSides::Two),
            Transform::from_xyz(low, 0.0, 0.0),
        ),
        _ => (
            Collider::segment(Vec3::NEG_Y, Vec3::Y),
            Transform::from_xyz(low, 0.0, 0.0),
        ),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..default() })]

    /// A goal counts every ball, at 1 m/s and at 1,000 m/s, when its surface touches the goal's and when it has left: t = s/v.
    #[test]
    fn a_ball_crosses_a_sensor_at_its_own_times(
        kind in 0..7usize,
        speed in 1.0..1000.0f32,
        start in 0.5..20.0f32,
        size in 0.02..3.0f32,
        as_capsule in any::<bool>(),
    ) {
        let mut app = sensing(app(HZ));
        let r = 0.1;
        let (low, high) = (0.0, size);
        let world = app.world_mut();
        match kind {
            5 => world.spawn((Sensor, RigidBody::Static, Particle::new(0.5 * size), Transform::from_xyz(0.5 * size, 0.0, 0.0))),
            6 => world.spawn((Sensor, RigidBody::Static, Capsule::new(0.5 * size, 3.0), Transform::from_xyz(0.5 * size, 0.0, 0.0))),
            _ => world.spawn((Sensor, sensor(kind, low, high))),
        };
        let motion = (LinearVelocity(Vec3::X * speed), Transform::from_xyz(-start, 0.0, 0.0));
        if as_capsule {
            world.spawn((Capsule::new(r, 0.4), motion));
        } else {
            world.spawn((Particle::new(r), motion));
        }
        let thin = matches!(kind, 3 | 4);
        let end = if thin { low } else { high };
        let path = f64::from(start + end + r);
        let v = f64::from(speed);
        let n = (path / v * HZ).ceil() as usize + 2;
        steps(&mut app, n);
        let times = [f64::from(start + low - r) / v, path / v];
        assert_crossings(&app, &times, 2e-5 * f64::from(start + end) / v + 1e-6);
    }

    /// In a uniform field, the time is that of the parabola: h − r = g·t²/2.
    #[test]
    fn a_falling_ball_enters_a_half_space_on_its_parabola(height in 0.3..20.0f32, hz in 20.0..240.0f64) {
        let mut app = sensing(app_with_gravity(hz));
        app.world_mut().spawn((Sensor, Plane::new(Vec3::Y)));
        app.world_mut().spawn((Particle::new(0.1), Transform::from_xyz(0.0, height, 0.0)));
        let time = (2.0 * f64::from(height - 0.1) / 9.81).sqrt();
        steps(&mut app, (time * hz).ceil() as usize + 3);
        assert_crossings(&app, &[time], 1e-5);
    }

    /// A ball flies into a goal, bounces off the wall in it, and leaves: all in one step if it is fast.
    #[test]
    fn an_impact_in_a_sensor_turns_the_way(speed in 2.0..900.0f32, depth in 0.15..2.0f32, e in 0.2..1.0f32) {
        let mut app = sensing(app(HZ));
        let r = 0.1;
        let material = (Restitution(e), Friction(0.0));
        app.world_mut().spawn((Plane::new(Vec3::NEG_X), material, Transform::from_xyz(depth, 0.0, 0.0)));
        app.world_mut().spawn((Sensor, Collider::cuboid(2.0, 4.0, 4.0), Transform::from_xyz(1.0, 0.0, 0.0)));
        app.world_mut().spawn((Particle::new(r), material, LinearVelocity(Vec3::X * speed), Transform::from_xyz(-1.0, 0.0, 0.0)));
        let (v, e) = (f64::from(speed), f64::from(e));
        let to_wall = f64::from(1.0 + depth - r) / v;
        let times = [f64::from(1.0 - r) / v, to_wall + f64::from(depth) / (e * v)];
        steps(&mut app, (times[1] * HZ).ceil() as usize + 2);
        assert_crossings(&app, &times, 2e-5 * times[1] + 1e-6);
    }

    /// A sensor that moves and turns: a bar sweeps round over a ball that rests, and over the same angle at each turn.
    #[test]
    fn a_turning_bar_sweeps_over_a_ball(spin in 0.5..30.0f32, distance in 1.0..2.5f32) {
        let mut app = sensing(app(240.0));
        let r = 0.1;
        app.world_mut().spawn((Sensor, Capsule::new(r, 6.0), RigidBody::Kinematic, AngularVelocity(Vec3::Z * spin)));
        app.world_mut().spawn((Particle::new(r), Transform::from_xyz(distance, 0.0, 0.0)));
        // The bar stands along Y. Its axis is 2·r from the ball at this angle from X.
        let (angle, w) = (f64::from(2.0 * r / distance).asin(), f64::from(spin));
        let quarter = std::f64::consts::FRAC_PI_2;
        let times: Vec<f64> = (0..3)
            .flat_map(|k| {
                let middle = quarter * f64::from(2 * k + 1);
                [(middle - angle) / w, (middle + angle) / w]
            })
            .collect();
        steps(&mut app, (times[5] * 240.0).ceil() as usize + 2);
        assert_crossings(&app, &times, 1e-4 / w + 1e-5);
    }

    /// Bodies come, go, sleep and are put somewhere else. Each body enters before it leaves, and the sensors know what is inside.
    #[test]
    fn nothing_is_lost_and_nothing_doubled(
        kinds in prop::collection::vec((0..4usize, -2.0..2.0f32, 0.3..1.5f32), 1..4),
        deeds in prop::collection::vec((0..6u8, any::<prop::sample::Index>(), -3.0..3.0f32, 1..25usize), 1..25),
    ) {
        let mut app = sensing(app_with_gravity(HZ));
        app.world_mut().spawn(Plane::new(Vec3::Y));
        for (k, normal) in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z].into_iter().enumerate() {
            app.world_mut().spawn((Plane::new(normal), Transform::from_translation(normal * (-3.0 - 0.1 * k as f32))));
        }
        let mut sensors: Vec<Entity> = kinds
            .iter()
            .map(|&(kind, x, size)| {
                let at = Transform::from_xyz(x, 0.5 * size, 0.1);
                let world = app.world_mut();
                match kind {
                    0 => world.spawn((Sensor, RigidBody::Static, Particle::new(size), at)),
                    1 => world.spawn((Sensor, Collider::cuboid(size, size, 2.0 * size), at)),
                    2 => world.spawn((Sensor, RigidBody::Kinematic, Capsule::new(0.5 * size, size), AngularVelocity(Vec3::Z), at)),
                    _ => world.spawn((Sensor, Plane::new(Vec3::X), at)),
                }
                .id()
            })
            .collect();
        let mut bodies: Vec<Entity> = Vec::new();
        for (deed, which, x, n) in deeds {
            let place = Transform::from_xyz(x, 0.2 + x.abs(), 0.3 * x);
            match deed {
                0 | 1 => bodies.push(app.world_mut().spawn((Particle::new(0.1), LinearVelocity(Vec3::X * (20.0 * x)), place)).id()),
                2 => bodies.push(app.world_mut().spawn((Capsule::new(0.1, 0.3), LinearVelocity(Vec3::Z * (20.0 * x)), place)).id()),
                3 if !bodies.is_empty() => {
                    let body = bodies.swap_remove(which.index(bodies.len()));
                    app.world_mut().despawn(body);
                }
                4 if !bodies.is_empty() => {
                    let body = bodies[which.index(bodies.len())];
                    app.world_mut().entity_mut(body).insert(place);
                }
                5 if sensors.len() > 1 => {
                    let sensor = sensors.swap_remove(which.index(sensors.len()));
                    app.world_mut().despawn(sensor);
                }
                _ => {}
            }
            steps(&mut app, n);
            // The inside of sensors, found from what they told.
            let mut inside = BTreeSet::new();
            for crossing in told(&app) {
                let pair = (crossing.sensor, crossing.body);
                let is_new = if crossing.enters { inside.insert(pair) } else { inside.remove(&pair) };
                prop_assert!(is_new, "{crossing:?} comes twice");
            }
            let known = app.world().resource::<Sensors>();
            let known: BTreeSet<(Entity, Entity)> = sensors
                .iter()
                .flat_map(|&sensor| known.inside(sensor).map(move |body| (sensor, body)))
                .collect();
            prop_assert_eq!(&known, &inside);
            // And from where the bodies are now, a little larger and a little smaller.
            for &sensor in &sensors {
                for &body in &bodies {
                    let [surely, perhaps] = [-1e-3, 1e-3].map(|margin| overlaps(&mut app, sensor, body, margin));
                    let is_inside = inside.contains(&(sensor, body));
                    prop_assert!(!surely || is_inside, "{body} is in {sensor}");
                    prop_assert!(perhaps || !is_inside, "{body} is not in {sensor}");
                }
            }
        }
    }
}

/// Whether a body that is larger by `margin` m touches a sensor.
fn overlaps(app: &mut App, sensor: Entity, body: Entity, margin: f32) -> bool {
    let transform = *app.world().get::<Transform>(body).expect("it is there");
    let (radius, length) = match app.world().get::<Capsule>(body) {
        Some(capsule) => (capsule.radius, capsule.length),
        None => (0.1, 0.0),
    };
    let find = move |query: SpatialQuery| {
        let filter = SpatialFilter::default().with_sensors();
        query.overlap_capsule(radius + margin, length, transform.to_isometry(), &filter)
    };
    let found = app.world_mut().run_system_once(find).expect("it runs");
    found.contains(&sensor)
}

/// A heap falls, comes to rest and sleeps in the same bits with sensors in it and without. A sensor that moves may change the order
/// in which pairs are found, as every body does.
#[test]
fn a_sensor_changes_nothing() {
    let run = |are_sensors: bool| {
        let mut app = app_with_gravity(HZ);
        app.world_mut().spawn((Plane::new(Vec3::Y), Friction(0.3)));
        let bodies: Vec<Entity> = (0..60)
            .map(|k| {
                let k = k as f32;
                let place = Transform::from_xyz((k * 1.7).sin(), 0.5 + 0.15 * k, (k * 2.3).cos());
                let material = (Restitution(0.3), Friction(0.3));
                let world = app.world_mut();
                if (k as u32).is_multiple_of(3) {
                    world.spawn((Capsule::new(0.1, 0.2), material, place)).id()
                } else {
                    world.spawn((Particle::new(0.15), material, place)).id()
                }
            })
            .collect();
        if are_sensors {
            let world = app.world_mut();
            world.spawn((Sensor, Collider::cuboid(1.0, 0.5, 1.0)));
            world.spawn((Sensor, Plane::new(Vec3::NEG_Y)));
            world.spawn((Sensor, Particle::new(0.5), RigidBody::Static));
            world.spawn((Sensor, Capsule::new(0.5, 1.0), RigidBody::Kinematic));
        }
        steps(&mut app, 400);
        let is_any_inside = app
            .world_mut()
            .run_system_once(|sensors: Res<Sensors>, all: Query<Entity, With<Sensor>>| {
                all.iter()
                    .any(|sensor| sensors.inside(sensor).next().is_some())
            })
            .expect("it runs");
        assert_eq!(is_any_inside, are_sensors);
        let state = |&body: &Entity| {
            let transform = get::<Transform>(&app, body);
            let bits = |v: Vec3| v.to_array().map(f32::to_bits);
            (
                bits(transform.translation),
                transform.rotation.to_array().map(f32::to_bits),
                bits(velocity(&app, body)),
                bits(spin(&app, body)),
                get::<Sleep>(&app, body).is_asleep(),
            )
        };
        bodies.iter().map(state).collect::<Vec<_>>()
    };
    assert_eq!(run(true), run(false));
}

/// A dynamic sensor falls through a floor, and its own fall does not end at a static plane.
#[test]
fn a_sensor_falls_through_everything() {
    let mut app = app_with_gravity(HZ);
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let falls = app
        .world_mut()
        .spawn((
            Sensor,
            Particle::new(0.1),
            Transform::from_xyz(0.0, 1.0, 0.0),
        ))
        .id();
    steps(&mut app, 60);
    assert_near(
        "fall",
        f64::from(position(&app, falls).y),
        1.0 - 0.5 * 9.81,
        1e-3,
    );
}

/// What sleeps in a sensor stays in it without a word. A sensor that is put over a heap finds the heap, and does not wake it.
#[test]
fn a_sleeping_body_is_in_the_sensor() {
    let mut app = sensing(app_with_gravity(HZ));
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let ball = app
        .world_mut()
        .spawn((Particle::new(0.1), Transform::from_xyz(0.0, 0.1, 0.0)))
        .id();
    steps(&mut app, 120);
    assert!(get::<Sleep>(&app, ball).is_asleep());
    let zone = app
        .world_mut()
        .spawn((Sensor, Collider::cuboid(1.0, 1.0, 1.0)))
        .id();
    steps(&mut app, 60);
    let entered = told(&app);
    assert_eq!(
        (entered.len(), entered[0].body, entered[0].enters),
        (1, ball, true)
    );
    assert!(get::<Sleep>(&app, ball).is_asleep());
    // The layers let it go.
    app.world_mut()
        .entity_mut(zone)
        .insert(CollisionLayers::new(LayerMask::NONE, LayerMask::NONE));
    steps(&mut app, 2);
    let left = told(&app);
    assert_eq!(
        (left.len(), left[1].enters, left[1].by_despawn),
        (2, false, false)
    );
}

/// A sensor or a body that is despawned ends the visit, and says so.
#[test]
fn a_visit_ends_with_its_sensor_or_its_body() {
    for is_sensor_gone in [true, false] {
        let mut app = sensing(app(HZ));
        let zone = app
            .world_mut()
            .spawn((Sensor, Collider::cuboid(1.0, 1.0, 1.0)))
            .id();
        let ball = app.world_mut().spawn(Particle::new(0.1)).id();
        steps(&mut app, 2);
        assert!(app.world().resource::<Sensors>().around(ball).eq([zone]));
        let gone = if is_sensor_gone { zone } else { ball };
        app.world_mut().despawn(gone);
        steps(&mut app, 3);
        let told = told(&app);
        assert_eq!(
            (told.len(), told[1].enters, told[1].by_despawn),
            (2, false, true)
        );
        assert_eq!(app.world().resource::<Sensors>().inside(zone).count(), 0);
    }
}

/// An observer on a sensor hears of its own visits only.
#[test]
fn a_sensor_that_asks_gets_entity_events() {
    #[derive(Resource, Default)]
    struct Heard(Vec<(Entity, bool)>);
    let mut app = sensing(app(HZ));
    app.init_resource::<Heard>();
    let at = |x: f32| Transform::from_xyz(x, 0.0, 0.0);
    let [asks, _silent] = [1.0, 3.0].map(|x| {
        app.world_mut()
            .spawn((Sensor, Collider::cuboid(1.0, 1.0, 1.0), at(x)))
            .id()
    });
    app.world_mut()
        .entity_mut(asks)
        .insert(CollisionEvents)
        .observe(|on: On<SensorEntered>, mut heard: ResMut<Heard>| heard.0.push((on.sensor, true)))
        .observe(|on: On<SensorLeft>, mut heard: ResMut<Heard>| heard.0.push((on.sensor, false)));
    app.world_mut()
        .spawn((Particle::new(0.1), LinearVelocity(Vec3::X * 10.0)));
    steps(&mut app, 40);
    assert_eq!(told(&app).len(), 4);
    assert_eq!(
        app.world().resource::<Heard>().0,
        [(asks, true), (asks, false)]
    );
}

/// A ray passes a sensor, unless it asks for sensors.
#[test]
fn a_query_finds_a_sensor_only_if_it_asks() {
    let mut app = app(HZ);
    let at = |x: f32| Transform::from_xyz(x, 0.0, 0.0);
    let zone = (Sensor, Collider::cuboid(1.0, 1.0, 1.0), at(2.0));
    let zone = app.world_mut().spawn(zone).id();
    let wall = app.world_mut().spawn((Particle::new(0.5), at(5.0))).id();
    let mut first = |filter: SpatialFilter| {
        let cast = move |query: SpatialQuery| {
            query.cast_ray(Ray3d::new(Vec3::ZERO, Dir3::X), 9.0, &filter)
        };
        let hit = app.world_mut().run_system_once(cast).expect("it runs");
        hit.expect("there is a wall").entity
    };
    assert_eq!(first(SpatialFilter::default()), wall);
    assert_eq!(first(SpatialFilter::default().with_sensors()), zone);
    app.world_mut().entity_mut(zone).remove::<Sensor>();
    let hit = app
        .world_mut()
        .run_system_once(|query: SpatialQuery| {
            query.cast_ray(Ray3d::new(Vec3::ZERO, Dir3::X), 9.0, &default())
        })
        .expect("it runs");
    assert_eq!(hit.expect("there is a wall").entity, zone);
}

//! A world that is put back to a snapshot has the same future, to the bit.

use bevy::prelude::*;
use bevy_impulse_collide::{prelude::*, snapshot::PhysicsSnapshot};
use laws::*;
use proptest::prelude::*;

/// Balls and capsules of several sizes and materials fall into a box, some beside a mixer, a box and a cone.
fn heap(count: usize, substeps: u32) -> App {
    let mut app = app_with_gravity(60.0);
    app.insert_resource(CollisionConfig {
        substeps,
        ..default()
    });
    spawn_heap(app.world_mut(), count);
    app
}

fn spawn_heap(world: &mut World, count: usize) {
    world.spawn(Plane::new(Vec3::Y));
    for side in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        world.spawn((Plane::new(side), Transform::from_translation(-1.2 * side)));
    }
    let turned = Transform::from_xyz(0.5, 0.2, 0.5).with_rotation(Quat::from_rotation_y(0.5));
    world.spawn((Collider::cuboid(0.6, 0.4, 0.6), Friction(0.6), turned));
    world.spawn((
        Collider::cone(0.4, 0.6),
        Transform::from_xyz(-0.5, 0.3, -0.5),
    ));
    world.spawn((
        Collider::cuboid(1.0, 0.1, 0.1),
        RigidBody::Kinematic,
        AngularVelocity(Vec3::Y),
        Transform::from_xyz(0.0, 0.6, 0.0),
    ));
    for i in 0..count {
        let turn = i as f32 * 2.4;
        let place = Transform::from_xyz(0.9 * turn.cos(), 0.9 + 0.06 * i as f32, 0.9 * turn.sin());
        let body = if i % 3 == 0 {
            let place = place.with_rotation(Quat::from_rotation_x(turn));
            world.spawn((Capsule::new(0.09, 0.25), place)).id()
        } else {
            world.spawn((Particle::new(0.11), place)).id()
        };
        if i % 4 == 0 {
            let material = (
                Restitution(0.8),
                RollingFriction(0.01),
                SpinningFriction(0.01),
            );
            world.entity_mut(body).insert(material);
        }
    }
}

type Motion = (
    Transform,
    LinearVelocity,
    AngularVelocity,
    Acceleration,
    Sleep,
);

/// Every number that a step writes to the components, as text that tells 0 from −0.
fn motions(app: &mut App) -> Vec<String> {
    let mut all = app.world_mut().query::<(
        Entity,
        &Transform,
        &LinearVelocity,
        &AngularVelocity,
        &Acceleration,
        &Sleep,
    )>();
    let all = all.iter(app.world());
    let motion = all.map(|(entity, &x, &v, &w, &a, &sleep)| {
        let motion: Motion = (x, v, w, a, sleep);
        format!("{entity} {motion:?}")
    });
    motion.collect()
}

fn contacts(app: &App) -> Vec<Contact> {
    app.world().resource::<Contacts>().iter().copied().collect()
}

/// The messages that the physics has written since the last call.
fn messages(app: &mut App) -> Vec<String> {
    fn all<M: Message + std::fmt::Debug>(world: &mut World, list: &mut Vec<String>) {
        let messages = world
            .resource_mut::<Messages<M>>()
            .drain()
            .collect::<Vec<_>>();
        list.extend(messages.iter().map(|message| format!("{message:?}")));
    }
    let (mut list, world) = (Vec::new(), app.world_mut());
    all::<Impact>(world, &mut list);
    all::<CollisionStarted>(world, &mut list);
    all::<CollisionEnded>(world, &mut list);
    all::<SensorEntered>(world, &mut list);
    all::<SensorLeft>(world, &mut list);
    list
}

/// What a world shows after each of some steps.
fn future(app: &mut App, n: usize) -> Vec<(Vec<String>, Vec<Contact>, Vec<String>)> {
    messages(app);
    let shown = (0..n).map(|_| {
        steps(app, 1);
        (motions(app), contacts(app), messages(app))
    });
    shown.collect()
}

fn assert_same<T: PartialEq>(one: &[T], other: &[T]) {
    assert_eq!(one.len(), other.len());
    let first = one.iter().zip(other).position(|(one, other)| one != other);
    assert_eq!(first, None, "the first step that differs");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..default() })]

    /// In flight, in the middle of impacts, and while bodies fall asleep.
    #[test]
    fn a_restored_world_has_the_same_future(
        before in 1..260usize,
        substeps in 1..4u32,
        astray in 1..40usize,
        kick in -4.0..4f32,
    ) {
        let mut app = heap(80, substeps);
        steps(&mut app, before);
        let snapshot = PhysicsSnapshot::take(app.world_mut());
        let (shown, listed) = (motions(&mut app), contacts(&app));
        let first = future(&mut app, 30);

        // The world goes another way.
        let mut all = app.world_mut().query::<&mut LinearVelocity>();
        for mut v in all.iter_mut(app.world_mut()) {
            v.x += kick;
        }
        steps(&mut app, astray);

        prop_assert!(snapshot.restore(app.world_mut()).is_exact());
        prop_assert_eq!(&motions(&mut app), &shown);
        prop_assert_eq!(&contacts(&app), &listed);
        assert_same(&future(&mut app, 30), &first);
    }
}

/// Joints of all kinds, while they move, at their limits, and while dolls fall on each other.
#[test]
fn machines_have_the_same_future() {
    for before in [1, 40, 130, 400, 900] {
        let mut app = app_with_gravity(60.0);
        spawn_machines(app.world_mut(), 3);
        // One that sleeps.
        let lamp = (Particle::new(0.1), Transform::from_xyz(2.5, 1.0, 2.5));
        let lamp = app.world_mut().spawn(lamp).id();
        (app.world_mut()).spawn(Joint::distance(None, lamp).at(Vec3::new(2.5, 2.0, 2.5)));
        steps(&mut app, before);
        let snapshot = PhysicsSnapshot::take(app.world_mut());
        let first = future(&mut app, 30);
        steps(&mut app, 25);
        assert!(snapshot.restore(app.world_mut()).is_exact());
        assert_same(&future(&mut app, 30), &first);
    }
}

/// Snapshots at every step, and back and forth, as rollback does it.
#[test]
fn a_world_that_goes_back_again_and_again_ends_in_the_same_bits() {
    let ends = [0, 1, 3, 7].map(|back| {
        let mut app = heap(60, 1);
        let mut snapshots = vec![PhysicsSnapshot::take(app.world_mut())];
        for frame in 1..150usize {
            steps(&mut app, 1);
            snapshots.push(PhysicsSnapshot::take(app.world_mut()));
            if back > 0 && frame > back {
                let from = frame - back;
                snapshots[from].restore(app.world_mut());
                for snapshot in &mut snapshots[from + 1..] {
                    steps(&mut app, 1);
                    *snapshot = PhysicsSnapshot::take(app.world_mut());
                }
            }
        }
        motions(&mut app)
    });
    assert!(ends.windows(2).all(|two| two[0] == two[1]));
}

/// A large world is sorted by place, on several threads.
#[test]
fn a_large_world_has_the_same_future() {
    let mut app = heap(1500, 1);
    steps(&mut app, 140);
    let snapshot = PhysicsSnapshot::take(app.world_mut());
    let first = future(&mut app, 20);
    steps(&mut app, 150);
    assert!(snapshot.restore(app.world_mut()).is_exact());
    assert_same(&future(&mut app, 20), &first);
}

/// A heap at rest sleeps after the snapshot as before it, and what hits it wakes it.
#[test]
fn sleepers_sleep_on_and_wake_alike() {
    let mut app = app_with_gravity(60.0);
    app.world_mut().spawn(Plane::new(Vec3::Y));
    for k in 0..5 {
        let place = Transform::from_xyz(0.3 * k as f32, 0.1, 0.0);
        app.world_mut()
            .spawn((Particle::new(0.15), Friction(0.5), place));
    }
    steps(&mut app, 300);
    let asleep = |app: &mut App| {
        let mut all = app.world_mut().query::<&Sleep>();
        all.iter(app.world())
            .filter(|sleep| sleep.is_asleep())
            .count()
    };
    assert_eq!(asleep(&mut app), 5);
    let snapshot = PhysicsSnapshot::take(app.world_mut());
    let mut balls = app.world_mut().query_filtered::<Entity, With<Particle>>();
    let balls: Vec<Entity> = balls.iter(app.world()).collect();
    let balls: [Entity; 5] = balls.try_into().expect("there are five");
    let pass = |app: &mut App| {
        let striker = app.world_mut().spawn((
            Particle::new(0.15),
            LinearVelocity(Vec3::X * 3.0),
            Transform::from_xyz(-1.0, 0.15, 0.0),
        ));
        let striker = striker.id();
        steps(app, 5);
        assert_eq!(asleep(app), 5);
        let shown = (0..60).map(|_| {
            steps(app, 1);
            balls.map(|ball| {
                (
                    get::<Transform>(app, ball),
                    get::<LinearVelocity>(app, ball),
                )
            })
        });
        let shown: Vec<_> = shown.collect();
        assert!(asleep(app) < 5);
        app.world_mut().despawn(striker);
        shown
    };
    let first = pass(&mut app);
    let restored = snapshot.restore(app.world_mut());
    assert!(restored.is_exact());
    assert_eq!(pass(&mut app), first);
}

/// Bodies that have come or gone since the snapshot are told, and the others are put back.
#[test]
fn a_restored_world_tells_which_bodies_have_come_and_gone() {
    let mut app = app_with_gravity(60.0);
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let ball = |k: usize| {
        (
            Particle::new(0.2),
            Transform::from_xyz(0.0, 0.2 + 0.4 * k as f32, 0.0),
        )
    };
    let [low, high] = [0, 1].map(|k| app.world_mut().spawn(ball(k)).id());
    steps(&mut app, 200);
    let height = position(&app, high).y;
    assert!(get::<Sleep>(&app, high).is_asleep());
    let snapshot = PhysicsSnapshot::take(app.world_mut());
    app.world_mut().despawn(low);
    let new = app.world_mut().spawn(ball(7)).id();
    steps(&mut app, 30);
    assert!(position(&app, high).y < height - 0.1);
    let restored = snapshot.restore(app.world_mut());
    assert_eq!((restored.missing, restored.unknown), (vec![low], vec![new]));
    assert_eq!(position(&app, high).y, height);
    // What held the ball is gone: it wakes and falls.
    steps(&mut app, 30);
    assert!(position(&app, high).y < height - 0.1);
}

/// A body that was despawned after the last step lets go of the sleepers on it, and its touches end, also after a snapshot.
#[test]
fn a_snapshot_knows_what_has_just_gone() {
    let mut app = app_with_gravity(60.0);
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let ball = |k: usize| {
        (
            Particle::new(0.2),
            Transform::from_xyz(0.0, 0.2 + 0.4 * k as f32, 0.0),
        )
    };
    let [low, high] = [0, 1].map(|k| app.world_mut().spawn(ball(k)).id());
    steps(&mut app, 200);
    let height = position(&app, high).y;
    app.world_mut().despawn(low);
    let snapshot = PhysicsSnapshot::take(app.world_mut());
    let first = future(&mut app, 30);
    assert!(position(&app, high).y < height - 0.1);
    assert!(
        first[0]
            .2
            .iter()
            .any(|message| message.contains("by_despawn: true"))
    );
    assert!(snapshot.restore(app.world_mut()).is_exact());
    assert_same(&future(&mut app, 30), &first);
}

/// Capsules that grow and divide: a snapshot between a division and the next step.
#[test]
fn a_colony_grows_alike_again() {
    let mut app = app(60.0);
    app.world_mut().spawn((
        Capsule::new(0.5, 1.0),
        Growth::new(1.0, 1.0),
        Division {
            bend: 0.1,
            ..Division::new(2.0)
        },
        LinearDamping(5.0),
        AngularDamping(5.0),
    ));
    steps(&mut app, 1);
    let count = |app: &mut App| {
        app.world_mut()
            .query::<&Capsule>()
            .iter(app.world())
            .count()
    };
    while count(&mut app) < 16 {
        steps(&mut app, 1);
    }
    let lengths = |app: &mut App| {
        let mut all = app
            .world_mut()
            .query::<(&Capsule, &Mass, &Growth, &Transform)>();
        let all = all.iter(app.world()).map(|capsule| format!("{capsule:?}"));
        all.collect::<Vec<_>>()
    };
    let snapshot = PhysicsSnapshot::take(app.world_mut());
    steps(&mut app, 20);
    let first = lengths(&mut app);
    assert_eq!(count(&mut app), 16);
    assert!(snapshot.restore(app.world_mut()).is_exact());
    steps(&mut app, 20);
    assert_eq!(lengths(&mut app), first);
}

/// The step that a user calls is the step of the fixed schedule.
#[test]
fn a_step_by_hand_is_a_step_of_the_clock() {
    let mut by_clock = heap(30, 2);
    let mut by_hand = heap(30, 2);
    by_hand.world_mut().resource_mut::<StepControl>().paused = true;
    let length = by_hand.world().resource::<Time<Fixed>>().timestep();
    let clock = *by_hand.world().resource::<Time>();
    steps(&mut by_clock, 100);
    for _ in 0..100 {
        bevy_impulse_collide::step(by_hand.world_mut(), length);
    }
    assert_eq!(motions(&mut by_hand), motions(&mut by_clock));
    assert_eq!(
        by_hand.world().resource::<Time>().elapsed(),
        clock.elapsed()
    );
    assert_eq!(by_hand.world().resource::<StepControl>().pending_steps, 0);
}

/// The order of bodies does not depend on their entities if they have an order of their own.
#[test]
fn ordered_bodies_end_in_the_same_bits_with_any_entities() {
    let hash = |order: &[u64]| {
        let mut app = app_with_gravity(60.0);
        app.world_mut().spawn((Plane::new(Vec3::Y), BodyOrder(0)));
        for &k in order {
            let turn = k as f32 * 2.4;
            let place = Vec3::new(0.3 * turn.cos(), 0.3 + 0.1 * k as f32, 0.3 * turn.sin());
            let place = Transform::from_translation(place);
            app.world_mut()
                .spawn((Particle::new(0.15), BodyOrder(k), place));
        }
        steps(&mut app, 200);
        measure(&mut app).state_hash
    };
    let forth: Vec<u64> = (1..60).collect();
    let back: Vec<u64> = (1..60).rev().collect();
    assert_eq!(hash(&forth), hash(&back));
}

/// Memory of a snapshot of a heap of equal balls, each of which touches about six others.
#[test]
fn a_snapshot_of_a_heap_takes_at_most_160_bytes_a_body() {
    let mut app = dense_heap(2000);
    steps(&mut app, 60);
    let contacts = app.world().resource::<Contacts>().len();
    assert!(contacts > 5000, "{contacts} contacts");
    let snapshot = PhysicsSnapshot::take(app.world_mut());
    let bytes = snapshot.bytes() / snapshot.len();
    assert!(
        bytes <= 160,
        "{bytes} bytes a body, with {contacts} contacts"
    );
}

/// Balls in a box, in layers, a little apart.
fn dense_heap(count: usize) -> App {
    let mut app = app_with_gravity(60.0);
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let side = (count as f32).cbrt().ceil();
    for normal in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        let wall = Transform::from_translation(-0.11 * side * normal);
        app.world_mut().spawn((Plane::new(normal), wall));
    }
    for i in 0..count {
        let (layer, row, column) = cell(i, side as usize);
        // A shift from layer to layer: the balls do not stand on each other as towers.
        let shift = 0.02 * (i as f32 * 2.4).sin();
        let place = Vec3::new(
            (row as f32 - 0.5 * side + 0.5) * 0.21 + shift,
            0.1 + layer as f32 * 0.2,
            (column as f32 - 0.5 * side + 0.5) * 0.21 - shift,
        );
        app.world_mut()
            .spawn((Particle::new(0.1), Transform::from_translation(place)));
    }
    app
}

fn cell(i: usize, side: usize) -> (usize, usize, usize) {
    (i / (side * side), i / side % side, i % side)
}

/// Times on this machine: `cargo test -p laws --test snapshots -- --ignored --nocapture times`.
#[test]
#[ignore = "it measures times"]
fn times() {
    let mut app = dense_heap(10_000);
    steps(&mut app, 60);
    let contacts = app.world().resource::<Contacts>().len();
    let clock = |work: &mut dyn FnMut()| {
        let start = std::time::Instant::now();
        work();
        start.elapsed().as_secs_f64() * 1e3
    };
    // The least time: others may use the machine too.
    let least = |times: Vec<f64>| times.into_iter().fold(f64::INFINITY, f64::min);
    let mut rounds = [const { Vec::new() }; 4];
    let mut bytes = 0;
    for _ in 0..40 {
        rounds[0].push(clock(&mut || steps(&mut app, 1)));
        let mut snapshot = PhysicsSnapshot::default();
        rounds[1].push(clock(&mut || {
            snapshot = PhysicsSnapshot::take(app.world_mut())
        }));
        rounds[2].push(clock(&mut || steps(&mut app, 1)));
        rounds[3].push(clock(&mut || {
            snapshot.restore(app.world_mut());
        }));
        bytes = snapshot.bytes() / snapshot.len();
        steps(&mut app, 1);
    }
    let [step, take, step_anew, restore] = rounds.map(least);
    println!("10,000 balls, {contacts} contacts, {bytes} bytes a body");
    println!("step {step:.2} ms, after a snapshot {step_anew:.2} ms");
    println!("take {take:.2} ms, restore {restore:.2} ms");
}

/// Sensors, hooks, pivots, belts, and bodies that follow their `Transform` go back and on again too.
#[test]
fn what_else_the_future_depends_on_comes_back() {
    /// The number of the step, which a game puts back itself.
    #[derive(Resource, Clone, Copy, Default)]
    struct Beat(u32);
    fn let_through(mut pairs: ResMut<NearPairs>) {
        for pair in pairs.iter_mut().filter(|pair| pair.gap > 0.0) {
            pair.is_ignored = pair.normal.y.abs() < 0.9;
            pair.friction = Some(0.2);
        }
    }
    /// A platform that goes up and down, and stands between.
    fn lift(mut beat: ResMut<Beat>, mut lifts: Query<&mut Transform, With<MovedByTransform>>) {
        beat.0 += 1;
        let phase = (beat.0 % 40).min(20);
        for mut transform in &mut lifts {
            transform.translation.y = 0.8 + 0.02 * phase.abs_diff(10) as f32;
        }
    }
    let mut app = heap(40, 1);
    app.init_resource::<Beat>()
        .add_systems(PairHooks, let_through)
        .add_systems(FixedUpdate, lift);
    let world = app.world_mut();
    let at = |x: f32, y: f32| Transform::from_xyz(x, y, 0.2);
    let zone = (Sensor, Collider::cuboid(1.0, 0.4, 2.0), at(0.3, 0.5));
    let zone = world.spawn(zone).id();
    let platform = Collider::cuboid(0.5, 0.1, 2.0);
    world.spawn((CollisionHooks, platform, at(0.6, 0.9)));
    world.spawn((
        Collider::cuboid(0.8, 0.1, 0.1),
        RigidBody::Kinematic,
        Pivot(Vec3::X * 0.4),
        AngularVelocity(Vec3::Y * 3.0),
        at(-0.2, 0.4),
    ));
    // A ball sleeps under a rule, and a child of a parent in another place falls.
    world.spawn((
        CollisionHooks,
        Collider::cuboid(0.5, 0.5, 0.5),
        at(5.0, 0.0),
    ));
    world.spawn((Particle::new(0.1), at(5.0, 0.35)));
    let turned = at(0.4, 1.0).with_rotation(Quat::from_rotation_z(0.3));
    let parent = world.spawn(turned.with_scale(Vec3::splat(1.3))).id();
    world.spawn((Particle::new(0.1), ChildOf(parent), at(0.0, 1.0)));
    let tumbling = (
        Inertia::new(Vec3::new(0.01, 0.02, 0.025)),
        AngularVelocity(Vec3::splat(4.0)),
    );
    world.spawn((Capsule::new(0.1, 0.2), tumbling, at(-0.5, 2.0)));
    let belt = (Collider::cuboid(0.6, 0.2, 0.6), SurfaceVelocity(Vec3::X));
    world.spawn((belt, at(-0.6, 0.1)));
    let platform = (MovedByTransform::default(), Collider::cuboid(0.5, 0.1, 0.5));
    world.spawn((platform, at(-0.7, 0.8)));
    steps(&mut app, 90);
    // A ball passes the platform just now, and one is in the sensor.
    let is_busy = |app: &App| {
        let rules = app.world().resource::<NearPairs>();
        let inside = app.world().resource::<Sensors>().inside(zone).count();
        rules.iter().any(|pair| pair.is_ignored) && inside > 0
    };
    let waited = (0..200).find(|_| {
        let is_busy = is_busy(&app);
        if !is_busy {
            app.update();
        }
        is_busy
    });
    assert!(waited.is_some(), "nothing passes the platform");
    let beat = *app.world().resource::<Beat>();
    let snapshot = PhysicsSnapshot::take(app.world_mut());
    let first = future(&mut app, 60);
    snapshot.restore(app.world_mut());
    app.insert_resource(beat);
    let again = future(&mut app, 60);
    assert_same(&first, &again);
}

/// What a user writes after a step is no motion of the step: both worlds start it anew.
#[test]
fn what_a_user_has_changed_before_a_snapshot_goes_on_alike() {
    let mut app = heap(60, 1);
    for before in [40, 200] {
        steps(&mut app, before);
        let world = app.world_mut();
        let mut all = world.query_filtered::<
            (&mut LinearVelocity, &mut AngularVelocity, &mut Transform),
            Or<(With<Particle>, With<Capsule>)>,
        >();
        for (k, (mut v, mut w, mut place)) in all.iter_mut(world).enumerate() {
            match k % 6 {
                0 => v.x += 1.0,
                1 => w.y += 3.0,
                2 => place.translation.y += 0.05,
                _ => (),
            }
        }
        let snapshot = PhysicsSnapshot::take(app.world_mut());
        let first = future(&mut app, 60);
        snapshot.restore(app.world_mut());
        let again = future(&mut app, 60);
        assert_same(&first, &again);
    }
}

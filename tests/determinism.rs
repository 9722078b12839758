//! The same world gives the same bits, run after run.

use std::{env, process::Command};

use bevy::{
    prelude::*,
    tasks::{ComputeTaskPool, TaskPoolBuilder},
};
use bevy_impulse_collide::{forget_past, prelude::*, solver::SimdLimit};
use laws::*;

fn heap() -> App {
    let mut app = app_with_gravity(60.0);
    app.world_mut().spawn(Plane::new(Vec3::Y));
    for side in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        app.world_mut()
            .spawn((Plane::new(side), Transform::from_translation(-side)));
    }
    for i in 0..120 {
        let turn = i as f32 * 2.4;
        let place = Transform::from_xyz(0.6 * turn.cos(), 0.3 + 0.1 * i as f32, 0.6 * turn.sin());
        if i % 3 == 0 {
            let place = place.with_rotation(Quat::from_rotation_x(turn));
            app.world_mut().spawn((Capsule::new(0.1, 0.3), place));
        } else {
            app.world_mut().spawn((Particle::new(0.15), place));
        }
    }
    app
}

fn hash_after_400_steps(mut app: App) -> u64 {
    steps(&mut app, 400);
    measure(&mut app).state_hash
}

#[test]
fn two_runs_give_the_same_bits() {
    assert_eq!(hash_after_400_steps(heap()), hash_after_400_steps(heap()));
}

/// A step reads the changed bodies again, and continues with its own state of the other bodies.
#[test]
fn what_is_read_again_is_what_was_written() {
    fn touch(
        mut bodies: Query<(&mut Transform, &mut LinearVelocity, &mut AngularVelocity)>,
        mut step: Local<usize>,
    ) {
        for (i, (mut transform, mut velocity, mut spin)) in bodies.iter_mut().enumerate() {
            if (i + *step).is_multiple_of(3) {
                transform.set_changed();
                velocity.set_changed();
                spin.set_changed();
            }
        }
        *step += 1;
    }
    let mut touched = heap();
    touched.add_systems(FixedFirst, touch);
    assert_eq!(hash_after_400_steps(touched), hash_after_400_steps(heap()));
}

type State = (
    Transform,
    LinearVelocity,
    AngularVelocity,
    Acceleration,
    Sleep,
);

#[test]
fn a_world_put_back_has_the_same_future() {
    let mut app = heap();
    steps(&mut app, 100);
    let mut all = app.world_mut().query::<(
        Entity,
        &Transform,
        &LinearVelocity,
        &AngularVelocity,
        &Acceleration,
        &Sleep,
    )>();
    let then: Vec<(Entity, State)> = all
        .iter(app.world())
        .map(|(entity, x, v, w, a, sleep)| (entity, (*x, *v, *w, *a, *sleep)))
        .collect();
    let future = |app: &mut App| {
        for (entity, state) in &then {
            app.world_mut().entity_mut(*entity).insert(*state);
        }
        forget_past(app.world_mut());
        steps(app, 100);
        measure(app).state_hash
    };
    assert_eq!(future(&mut app), future(&mut app));
}

/// A heap large enough for several threads to work on: balls of all sizes and capsules that fall on each other under their
/// own gravity.
fn planet_hash() -> u64 {
    let mut app = app(60.0);
    app.insert_resource(SelfGravity::default());
    for i in 0..2500 {
        let turn = i as f32 * 2.399_963;
        let height = 1.0 - (i as f32 + 0.5) / 1250.0;
        let around = Vec3::new(turn.cos(), 0.0, turn.sin()) * (1.0 - height * height).sqrt();
        let distance = 4.0 + 10.0 * (i as f32 * 0.618).fract();
        let place = Transform::from_translation(distance * (around + height * Vec3::Y));
        let motion = LinearVelocity(0.2 * Vec3::Y.cross(place.translation) - place.translation);
        let radius = 0.2 + 0.3 * (i as f32 * 0.377).fract();
        if i % 20 == 0 {
            app.world_mut()
                .spawn((Capsule::new(radius, 0.5), place, motion));
        } else {
            app.world_mut()
                .spawn((Particle::new(radius), place, motion));
        }
    }
    steps(&mut app, 60);
    assert!(app.world().resource::<Contacts>().len() > 5000);
    measure(&mut app).state_hash
}

/// A field of capsules that grow, divide and push each other apart, solved as one system by several threads.
fn colony_hash() -> u64 {
    let mut app = app(60.0);
    let mut config = app.world_mut().resource_mut::<CollisionConfig>();
    config.stages.impulse_jolt = false;
    config.contact_method = ContactMethod::Global(GlobalSolver {
        iterations: 50,
        ..default()
    });
    for i in 0..900 {
        let place = Vec3::new(1.1 * (i % 30) as f32, 2.2 * (i / 30) as f32, 0.0);
        let tilt = Quat::from_rotation_z(0.4 * (i as f32 * 0.618).fract());
        app.world_mut().spawn((
            Capsule::new(0.5, 1.0),
            Growth::new(1.0, 1.0).with_inertia(100.0),
            Division {
                bend: 0.1,
                ..Division::new(1.2 + 0.4 * (i as f32 * 0.377).fract())
            },
            LinearDamping(100.0),
            AngularDamping(100.0),
            Transform::from_translation(place).with_rotation(tilt),
        ));
    }
    steps(&mut app, 40);
    let cells = measure(&mut app);
    assert!(cells.bodies > 1500 && cells.touching > 3000, "{cells:?}");
    cells.state_hash
}

/// Balls and capsules with drag fall into a bowl of a mesh, onto a turning bar, a cone, a cylinder and the corner of a box.
fn bowl_hash() -> u64 {
    let mut app = app_with_gravity(60.0);
    let world = app.world_mut();
    // No sine of the C library: it may have other bits on another processor.
    let corner = |k: u32| {
        let [x, z] = [k % 13, k / 13].map(|n| 0.5 * n as f32 - 3.0);
        Vec3::new(x, 0.15 * (x * x + z * z), z)
    };
    let cells = (0..12u32).flat_map(|row| (0..12u32).map(move |column| 13 * row + column));
    let triangles = cells.flat_map(|k| [[k, k + 13, k + 1], [k + 1, k + 13, k + 14]]);
    let vertices = (0..169).map(corner);
    world.spawn(Collider::trimesh(vertices, triangles, MeshSides::One));
    world.spawn((
        Collider::cuboid(3.0, 0.2, 0.2),
        RigidBody::Kinematic,
        AngularVelocity(Vec3::new(0.1, 1.5, 0.0)),
        Transform::from_xyz(0.0, 1.2, 0.0),
    ));
    world.spawn((Collider::cone(0.5, 0.8), Transform::from_xyz(1.2, 1.0, 0.3)));
    world.spawn((
        Collider::cylinder(0.4, 0.8),
        Transform::from_xyz(-1.2, 1.0, 0.3),
    ));
    let turned = Quat::from_xyzw(0.1, 0.7, 0.1, 0.7);
    let corner = Transform::from_xyz(0.2, 1.0, 1.3).with_rotation(turned);
    world.spawn((Collider::cuboid(0.8, 0.8, 0.8), corner));
    for i in 0..80 {
        let k = i as f32;
        let at = Vec3::new(
            (0.37 * k).fract() - 0.5,
            1.0 + 0.12 * k,
            (0.71 * k).fract() - 0.5,
        );
        let drag = (LinearDamping(0.1), AngularDamping(0.2));
        let place = Transform::from_translation(at * Vec3::new(3.0, 1.0, 3.0));
        match i % 3 {
            0 => world.spawn((Capsule::new(0.1, 0.3), drag, place)),
            _ => world.spawn((Particle::new(0.12), drag, place)),
        };
    }
    steps(&mut app, 240);
    measure(&mut app).state_hash
}

/// Dolls, a chain, a car and a door: more joined bodies than one task solves.
fn machines_hash() -> u64 {
    let mut app = app_with_gravity(60.0);
    spawn_machines(app.world_mut(), 8);
    steps(&mut app, 200);
    measure(&mut app).state_hash
}

const THREADS: &str = "THREADS_OF_THE_DETERMINISM_TEST";

/// A process has one task pool, made once: so each number of threads has a process of its own.
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let hashes: Vec<String> = [1, 2, 4]
        .map(|threads| {
            let run = Command::new(env::current_exe().expect("a test knows its own file"))
                .args(["--exact", "with_the_threads_it_is_told", "--ignored"])
                .arg("--nocapture")
                .env(THREADS, threads.to_string())
                .output()
                .expect("a test can run itself");
            let output = String::from_utf8_lossy(&run.stdout).into_owned();
            let hash = output.lines().find_map(|line| line.split_once("hash "));
            let (_, hash) = hash.unwrap_or_else(|| panic!("{threads} threads: {output}"));
            hash.to_owned()
        })
        .into();
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
}

#[test]
#[ignore = "run by any_number_of_threads_gives_the_same_bits"]
fn with_the_threads_it_is_told() {
    let threads = env::var(THREADS).ok().and_then(|text| text.parse().ok());
    let threads = threads.unwrap_or(1);
    let pool = || TaskPoolBuilder::new().num_threads(threads).build();
    let pool = ComputeTaskPool::get_or_init(pool);
    if cfg!(feature = "multi_threaded") {
        assert_eq!(pool.thread_num(), threads);
    }
    let hashes = [planet_hash(), colony_hash(), bowl_hash(), machines_hash()];
    println!(
        "hash {}",
        hashes.map(|hash| format!("{hash:016x}")).join(" ")
    );
}

#[test]
fn a_flat_scene_stays_flat() {
    let mut app = app_with_gravity(60.0);
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let balls: Vec<_> = (0..20)
        .map(|i| {
            let place = Transform::from_xyz(0.3 * (i % 5) as f32, 0.2 + 0.45 * i as f32, 0.0);
            app.world_mut().spawn((Particle::new(0.2), place)).id()
        })
        .collect();
    steps(&mut app, 600);
    for ball in balls {
        assert_eq!(position(&app, ball).z, 0.0);
        assert_eq!(velocity(&app, ball).z, 0.0);
    }
}

#[test]
fn a_flat_planet_stays_flat() {
    for method in [GravityMethod::Direct, GravityMethod::default()] {
        let mut app = app(100.0);
        app.insert_resource(SelfGravity {
            constant: 500.0,
            method,
            ..default()
        });
        let balls: Vec<_> = (0..150)
            .map(|i| {
                let turn = i as f32 * 2.399_963;
                let distance = 8.0 * (i as f32 + 1.0).sqrt();
                let x = Vec3::new(turn.cos(), turn.sin(), 0.0) * distance;
                let radius = 0.5 + 1.5 * (i as f32 * 0.377).fract();
                let motion = LinearVelocity(0.1 * Vec3::Z.cross(x));
                app.world_mut()
                    .spawn((
                        Particle::new(radius),
                        Mass(radius * radius),
                        motion,
                        // Far from the origin, where lever arms are rounded.
                        Transform::from_translation(x + Vec3::new(400.0, -250.0, 0.0)),
                    ))
                    .id()
            })
            .collect();
        steps(&mut app, 1500);
        for ball in balls {
            assert_eq!(position(&app, ball).z, 0.0, "{method:?}");
            assert_eq!(velocity(&app, ball).z, 0.0, "{method:?}");
            assert_eq!(spin(&app, ball).truncate(), Vec2::ZERO, "{method:?}");
        }
    }
}

/// SSE2, SSE4.2, AVX2 and what else the processor has.
#[test]
fn any_vector_instructions_give_the_same_bits() {
    let hashes = SimdLimit::ALL.map(|limit| {
        limit.set();
        (
            hash_after_400_steps(heap()),
            planet_hash(),
            colony_hash(),
            bowl_hash(),
            machines_hash(),
        )
    });
    SimdLimit::Best.set();
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
}

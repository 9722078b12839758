//! A world that was saved as a Bevy scene and loaded in another app goes on to the same bits as the first.

use bevy::{
    ecs::entity::EntityHashMap,
    prelude::*,
    world_serialization::{DynamicWorld, DynamicWorldBuilder, serde::WorldDeserializer},
};
use bevy_impulse_collide::{
    prelude::*,
    snapshot::{PhysicsState, save_physics},
};
use laws::*;
use serde::de::DeserializeSeed;

fn colliders() -> Vec<Collider> {
    let wave = |x: f32, z: f32| Vec3::new(x, 0.05 * (3.0 * x).sin(), z);
    let vertices = [(-1.0, -1.0), (-1.0, 1.0), (0.3, -1.0), (0.3, 1.0)].map(|(x, z)| {
        let slope = Vec3::new(-0.15 * (3.0f32 * x).cos(), 1.0, 0.0);
        (wave(x, z), slope)
    });
    let box_and_cylinder = [
        (
            Isometry3d::from_xyz(0.5, 0.2, 0.5),
            &Collider::cuboid(0.6, 0.4, 0.6),
        ),
        (
            Isometry3d::from_xyz(0.6, 0.2, -0.6),
            &Collider::cylinder(0.2, 0.5),
        ),
    ];
    vec![
        Collider::compound(box_and_cylinder),
        Collider::cone(0.4, 0.6),
        Collider::smooth_trimesh(vertices, [[0, 1, 2], [2, 1, 3]], MeshSides::Two),
        Collider::convex_hull(
            (0..9).map(|k| 0.2 * Vec3::new((k % 3) as f32, (k / 3) as f32, (k % 2) as f32)),
        ),
        Collider::polyline([Vec3::ZERO, Vec3::X, Vec3::new(1.0, 0.0, 1.0)]),
        Collider::height_field(&[0.0, 0.1, 0.0, 0.1, 0.2, 0.1], 3, Vec2::splat(0.8)),
    ]
}

fn app_to_save() -> App {
    let mut app = app_with_gravity(60.0);
    app.register_type::<Transform>();
    app
}

/// A heap of all shapes and materials.
fn heap(count: usize) -> App {
    let mut app = app_to_save();
    app.insert_resource(CollisionConfig {
        substeps: 2,
        ..default()
    });
    let world = app.world_mut();
    world.spawn(Plane::new(Vec3::Y));
    for side in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        world.spawn((Plane::new(side), Transform::from_translation(-1.2 * side)));
    }
    for (k, collider) in colliders().into_iter().enumerate() {
        let place = Transform::from_xyz(0.2 * k as f32 - 0.5, 0.3, 0.3 - 0.1 * k as f32);
        world.spawn((collider, place));
    }
    let mixer = (RigidBody::Kinematic, AngularVelocity(Vec3::Y));
    let place = Transform::from_xyz(0.0, 0.7, 0.0);
    world.spawn((Collider::cuboid(1.0, 0.1, 0.1), mixer, place));
    for i in 0..count {
        let turn = i as f32 * 2.4;
        let place = Transform::from_xyz(0.9 * turn.cos(), 0.9 + 0.06 * i as f32, 0.9 * turn.sin());
        let body = match i % 3 {
            0 => {
                let place = place.with_rotation(Quat::from_rotation_x(turn));
                world
                    .spawn((Capsule::new(0.09, 0.25), Density(700.0), place))
                    .id()
            }
            _ => world.spawn((Particle::new(0.11), Mass(2.0), place)).id(),
        };
        match i % 4 {
            0 => {
                let material = (
                    Restitution(0.8),
                    RollingFriction(0.01),
                    SpinningFriction(0.01),
                );
                world.entity_mut(body).insert(material)
            }
            1 => world
                .entity_mut(body)
                .insert((LinearDamping(0.1), GravityScale(0.9))),
            _ => world.entity_mut(body).insert(Friction(0.5)),
        };
    }
    app
}

/// The world as text: the bodies and the resources of the physics.
fn save(app: &mut App) -> String {
    save_physics(app.world_mut());
    let mut bodies = app.world_mut().query_filtered::<Entity, With<Transform>>();
    let bodies: Vec<Entity> = bodies.iter(app.world()).collect();
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let world = DynamicWorldBuilder::from_world(app.world(), &registry)
        .deny_all_resources()
        .allow_resource::<CollisionConfig>()
        .allow_resource::<Gravity>()
        .allow_resource::<PhysicsState>()
        .extract_entities(bodies.into_iter())
        .extract_resources()
        .build();
    world
        .serialize(&registry)
        .expect("everything can be written")
}

/// The body of each saved body.
fn load(app: &mut App, text: &str) -> EntityHashMap<Entity> {
    let world = {
        let registry = app.world().resource::<AppTypeRegistry>().read();
        let mut text = ron::de::Deserializer::from_str(text).expect("it is RON");
        let reader = WorldDeserializer {
            type_registry: &registry,
            load_from_path: &mut NoAssets,
        };
        reader
            .deserialize(&mut text)
            .expect("everything can be read")
    };
    let mut bodies = EntityHashMap::default();
    let world: DynamicWorld = world;
    world
        .write_to_world(app.world_mut(), &mut bodies)
        .expect("all types are known");
    bodies
}

struct NoAssets;

impl bevy::asset::LoadFromPath for NoAssets {
    fn load_from_path_erased(
        &mut self,
        _: std::any::TypeId,
        _: bevy::asset::AssetPath<'static>,
    ) -> bevy::asset::UntypedHandle {
        unreachable!("bodies have no assets")
    }
}

/// Entities whose order is not that of their spawning.
fn shuffle_entities(app: &mut App) {
    let entities: Vec<Entity> = (0..64)
        .map(|_| app.world_mut().spawn_empty().id())
        .collect();
    for k in 0..64 {
        app.world_mut().despawn(entities[k * 37 % 64]);
    }
}

fn motion(app: &App, body: Entity) -> String {
    let body = app.world().entity(body);
    let motion = (
        body.get::<Transform>(),
        body.get::<LinearVelocity>(),
        body.get::<AngularVelocity>(),
        body.get::<Acceleration>(),
        body.get::<Sleep>(),
        body.get::<Mass>(),
    );
    format!("{motion:?}")
}

fn assert_same_future(mut app: App, steps_before: usize, steps_after: usize) {
    steps(&mut app, steps_before);
    let text = save(&mut app);
    let mut loaded = app_to_save();
    shuffle_entities(&mut loaded);
    let bodies = load(&mut loaded, &text);
    for step in 0..steps_after {
        for (&one, &other) in &bodies {
            assert_eq!(motion(&app, one), motion(&loaded, other), "step {step}");
        }
        steps(&mut app, 1);
        steps(&mut loaded, 1);
    }
    assert!(app.world().get_resource::<PhysicsState>().is_none());
    assert!(loaded.world().get_resource::<PhysicsState>().is_none());
}

#[test]
fn a_loaded_world_goes_on_to_the_same_bits() {
    for steps_before in [1, 40, 90, 400] {
        assert_same_future(heap(80), steps_before, 60);
    }
}

/// A large world is not in the order of its entities.
#[test]
fn a_large_loaded_world_goes_on_to_the_same_bits() {
    assert_same_future(heap(1300), 140, 20);
}

/// A world at rest sleeps on in another app, and its messages do not begin anew.
#[test]
fn a_loaded_world_sleeps_on() {
    let mut app = heap(20);
    steps(&mut app, 1500);
    let asleep = |app: &mut App| {
        let mut all = app.world_mut().query::<&Sleep>();
        all.iter(app.world())
            .filter(|sleep| sleep.is_asleep())
            .count()
    };
    let before = asleep(&mut app);
    assert!(before > 5, "{before} sleep");
    let text = save(&mut app);
    let mut loaded = app_to_save();
    load(&mut loaded, &text);
    steps(&mut app, 1);
    steps(&mut loaded, 1);
    assert_eq!(asleep(&mut loaded), asleep(&mut app));
    let started = |app: &App| app.world().resource::<Messages<CollisionStarted>>().len();
    let ended = |app: &App| app.world().resource::<Messages<CollisionEnded>>().len();
    // Without the saved touches, each of them would begin with the first step.
    assert!(
        started(&loaded) < before,
        "{} touches began",
        started(&loaded)
    );
    assert!(ended(&loaded) < before, "{} touches ended", ended(&loaded));
}

/// What is written and read again is the same surface, and a file with an index too large is no surface.
#[test]
fn a_collider_comes_back_from_a_file() {
    for collider in colliders() {
        let text = ron::to_string(&collider).expect("it can be written");
        let again: Collider = ron::from_str(&text).expect("it can be read");
        assert_eq!(ron::to_string(&again).expect("it can be written"), text);
        let lines = |collider: &Collider| {
            let surface = collider.geometry().expect("it has a surface");
            surface
                .edges()
                .map(|line| format!("{line:?}"))
                .collect::<Vec<_>>()
        };
        assert_eq!(lines(&again), lines(&collider));
    }
    let text = ron::to_string(&Collider::cuboid(1.0, 1.0, 1.0)).expect("it can be written");
    let broken = text.replacen("triangles:[(0,", "triangles:[(99,", 1);
    assert_ne!(broken, text);
    assert!(ron::from_str::<Collider>(&broken).is_err());
}

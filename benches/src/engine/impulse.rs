//! This plugin.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{BevyEngine, Engine, all_threads, bevy_app::minimal_app};
use crate::scene::{Body, GRAVITY, LIMB_DAMPING, Scene, SceneKind, TurnLimits};

/// Substeps of a world with limbs, as the guide advises.
const LIMB_SUBSTEPS: u32 = 4;

/// 10,000 balls that lie still in a box, in an app with this plugin, on all threads.
pub fn heap_at_rest() -> BevyEngine {
    const BALLS: usize = 10_000;
    const SETTLING_STEPS: usize = 400;
    let mut engine = spawn(&Scene::new(BALLS, SceneKind::default()), all_threads());
    for _ in 0..SETTLING_STEPS {
        engine.step();
    }
    engine
}

/// The scene in an app with this plugin, on `threads` threads.
pub fn spawn(scene: &Scene, threads: usize) -> BevyEngine {
    let physics = ImpulseCollidePlugin { interpolate: false };
    let mut app = minimal_app(threads, physics);
    app.insert_resource(Gravity(Vec3::NEG_Y * GRAVITY));
    let mut config = CollisionConfig::default();
    if scene.joints.iter().any(|joint| joint.limits.is_some()) {
        config.substeps = LIMB_SUBSTEPS;
    }
    if !scene.may_sleep {
        config.sleep_speed = 0.0;
    }
    app.insert_resource(config);
    let material = (
        Friction(scene.material.friction),
        Restitution(scene.material.restitution),
    );
    let world = app.world_mut();
    if let Some(mesh) = &scene.mesh {
        let (vertices, triangles) = (mesh.vertices.clone(), mesh.triangles.clone());
        let collider = match &mesh.normals {
            Some(normals) if !mesh.plain_edges => {
                let vertices = vertices.into_iter().zip(normals.clone());
                Collider::smooth_trimesh(vertices, triangles, MeshSides::One)
            }
            _ => Collider::trimesh(vertices, triangles, MeshSides::One),
        };
        world.spawn((collider, material));
    } else {
        world.spawn_batch(scene.half_spaces.clone().into_iter().map(move |solid| {
            let place = Transform::from_translation(solid.point);
            (Plane::new(solid.normal), material, place)
        }));
    }
    let common = move |body: &Body| {
        let place = Transform::from_translation(body.position).with_rotation(body.rotation);
        (Density(body.shape.density), material, place)
    };
    // Runs of one kind are spawned at once.
    let mut bodies: Vec<Entity> = Vec::with_capacity(scene.bodies.len());
    for run in (scene.bodies).chunk_by(|a, b| a.shape.is_capsule() == b.shape.is_capsule()) {
        let of_kind = run.to_vec().into_iter();
        if run[0].shape.is_capsule() {
            let capsule = |body: Body| Capsule::new(body.shape.radius, body.shape.length);
            bodies
                .extend(world.spawn_batch(of_kind.map(move |body| (capsule(body), common(&body)))));
        } else {
            let ball = |body: Body| Particle::new(body.shape.radius);
            bodies.extend(world.spawn_batch(of_kind.map(move |body| (ball(body), common(&body)))));
        }
    }
    for joint in &scene.joints {
        let a = joint.a.map(|i| bodies[i]);
        let ball = Joint::spherical(a, bodies[joint.b]).at(joint.point);
        match joint.limits {
            None => world.spawn(ball),
            Some(TurnLimits { axis, swing, twist }) => world.spawn((
                ball.along(axis),
                SwingLimit(swing),
                JointLimits::new(-twist, twist),
                JointDamping(LIMB_DAMPING),
            )),
        };
    }
    BevyEngine::new(app, scene, &bodies, |body| {
        body.get::<LinearVelocity>().map(|v| v.0)
    })
}

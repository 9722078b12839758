//! `avian3d`, with six substeps, its default.

use avian3d::prelude::{
    Collider, ColliderDensity, Friction, Gravity, JointCollisionDisabled, JointDamping,
    LinearVelocity, PhysicsPlugins, Restitution, RigidBody, SleepingDisabled, SphericalJoint,
    TrimeshFlags,
};
use bevy::prelude::*;

use super::{BevyEngine, bevy_app::minimal_app};
use crate::scene::{GRAVITY, LIMB_DAMPING, Scene};

/// The scene in an app with Avian's plugins, on `threads` threads.
pub(super) fn spawn(scene: &Scene, threads: usize) -> BevyEngine {
    let mut app = minimal_app(threads, PhysicsPlugins::default());
    app.insert_resource(Gravity(Vec3::NEG_Y * GRAVITY));
    let material = (
        Friction::new(scene.material.friction),
        Restitution::new(scene.material.restitution),
    );
    let world = app.world_mut();
    if let Some(mesh) = &scene.mesh {
        let (vertices, triangles) = (mesh.vertices.clone(), mesh.triangles.clone());
        let flags = if mesh.plain_edges {
            TrimeshFlags::MERGE_DUPLICATE_VERTICES
        } else {
            TrimeshFlags::FIX_INTERNAL_EDGES
        };
        let shape = Collider::trimesh_with_config(vertices, triangles, flags);
        world.spawn((RigidBody::Static, shape, material));
    }
    let half_spaces = scene.half_spaces.iter();
    let half_spaces = half_spaces.filter(|_| scene.mesh.is_none());
    let half_spaces = half_spaces.map(|solid| {
        let (place, shape) = if scene.prefers_boxes {
            let (centre, half) = solid.thick_box();
            let size = 2.0 * half;
            (centre, Collider::cuboid(size.x, size.y, size.z))
        } else {
            (solid.point, Collider::half_space(solid.normal))
        };
        let place = Transform::from_translation(place);
        (RigidBody::Static, shape, material, place)
    });
    world.spawn_batch(half_spaces.collect::<Vec<_>>());
    let bodies = scene.bodies.clone().into_iter().map(move |body| {
        let shape = body.shape;
        (
            RigidBody::Dynamic,
            if shape.is_capsule() {
                Collider::capsule(shape.radius, shape.length)
            } else {
                Collider::sphere(shape.radius)
            },
            ColliderDensity(shape.density),
            material,
            Transform::from_translation(body.position).with_rotation(body.rotation),
        )
    });
    let bodies: Vec<Entity> = world.spawn_batch(bodies).collect();
    let mut fixed = None;
    for joint in &scene.joints {
        let [a, b] = joint.sides().map(|i| match i {
            Some(i) => bodies[i],
            None => *fixed
                .get_or_insert_with(|| world.spawn((RigidBody::Static, Transform::default())).id()),
        });
        let [to_a, to_b] = joint.anchors(&scene.bodies);
        let [of_a, of_b] = joint.frames(&scene.bodies, SphericalJoint::DEFAULT_TWIST_AXIS);
        let mut ball = SphericalJoint::new(a, b)
            .with_local_anchor1(to_a)
            .with_local_anchor2(to_b)
            .with_local_basis1(of_a)
            .with_local_basis2(of_b);
        if let Some(limits) = joint.limits {
            ball = ball
                .with_swing_limits(-limits.swing, limits.swing)
                .with_twist_limits(-limits.twist, limits.twist);
        }
        let mut joint_of = world.spawn((ball, JointCollisionDisabled));
        if joint.limits.is_some() {
            joint_of.insert(JointDamping {
                linear: 0.0,
                angular: LIMB_DAMPING,
            });
        }
    }
    if !scene.may_sleep {
        world.insert_batch(bodies.iter().map(|&body| (body, SleepingDisabled)));
    }
    BevyEngine::new(app, scene, &bodies, |body| {
        body.get::<LinearVelocity>().map(|v| v.0)
    })
}

//! `rapier3d`, without Bevy.

use bevy::math::{Quat, Vec3};
use rapier3d::prelude::{
    ColliderBuilder, PhysicsWorld, Pose, RigidBodyBuilder, RigidBodyHandle, Rotation, SharedShape,
    TriMeshFlags, Vector,
};

use super::Engine;
use crate::scene::{Body, DENSITY, GRAVITY, HZ, Scene, Shape};

/// A world and its bodies, with their shapes.
pub(super) struct Rapier {
    world: PhysicsWorld,
    bodies: Vec<(RigidBodyHandle, Shape)>,
}

impl Rapier {
    /// The scene in a new world that steps on `threads` threads.
    pub fn spawn(scene: &Scene, threads: usize) -> Result<Self, String> {
        let mut world = PhysicsWorld::default();
        world
            .physics_pipeline
            .configure_thread_pool(threads)
            .map_err(|problem| format!("cannot start {threads} threads: {problem}"))?;
        world.gravity = Vector::new(0.0, -GRAVITY, 0.0);
        world.integration_parameters.dt = (1.0 / HZ) as f32;
        let material = |collider: ColliderBuilder| {
            collider
                .friction(scene.material.friction)
                .restitution(scene.material.restitution)
        };
        if let Some(mesh) = &scene.mesh {
            let vertices = mesh.vertices.iter().map(|&x| vector(x)).collect();
            let flags = if mesh.plain_edges {
                TriMeshFlags::empty()
            } else {
                TriMeshFlags::FIX_INTERNAL_EDGES
            };
            let shape = SharedShape::trimesh_with_flags(vertices, mesh.triangles.clone(), flags)
                .map_err(|problem| problem.to_string())?;
            world.insert(
                RigidBodyBuilder::fixed(),
                material(ColliderBuilder::new(shape)),
            );
        }
        let half_spaces = scene.half_spaces.iter().filter(|_| scene.mesh.is_none());
        for solid in half_spaces {
            let (place, shape) = if scene.prefers_boxes {
                let (centre, half) = solid.thick_box();
                (centre, SharedShape::cuboid(half.x, half.y, half.z))
            } else {
                (solid.point, SharedShape::halfspace(vector(solid.normal)))
            };
            let body = RigidBodyBuilder::fixed().translation(vector(place));
            world.insert(body, material(ColliderBuilder::new(shape)));
        }
        let bodies = scene.bodies.iter().map(|body| {
            let shape = body.shape;
            let collider = if shape.length > 0.0 {
                ColliderBuilder::capsule_y(0.5 * shape.length, shape.radius)
            } else {
                ColliderBuilder::ball(shape.radius)
            };
            let place = Pose::from_parts(vector(body.position), rotation(body.rotation));
            let body = RigidBodyBuilder::dynamic()
                .pose(place)
                .can_sleep(scene.may_sleep);
            (
                world.insert(body, material(collider.density(DENSITY))).0,
                shape,
            )
        });
        Ok(Self {
            bodies: bodies.collect(),
            world,
        })
    }
}

impl Engine for Rapier {
    fn step(&mut self) {
        self.world.step();
    }

    fn bodies(&self) -> Result<Vec<Body>, String> {
        let read = |&(handle, shape): &(RigidBodyHandle, Shape)| {
            let body = self.world.bodies.get(handle)?;
            Some(Body {
                shape,
                position: Vec3::from_array(body.translation().to_array()),
                rotation: Quat::from_array(body.rotation().to_array()),
                velocity: Vec3::from_array(body.linvel().to_array()),
            })
        };
        let bodies: Option<Vec<Body>> = self.bodies.iter().map(read).collect();
        bodies.ok_or_else(|| "a body is gone".to_owned())
    }
}

/// Rapier may use another version of the same vector type.
fn vector(v: Vec3) -> Vector {
    Vector::from_array(v.to_array())
}

fn rotation(rotation: Quat) -> Rotation {
    Rotation::from_array(rotation.to_array())
}

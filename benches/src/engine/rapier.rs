//! `rapier3d`, without Bevy.

use bevy::math::{Quat, Vec3};
use rapier3d::prelude::{
    ColliderBuilder, JointAxis, PhysicsWorld, Pose, RigidBodyBuilder, RigidBodyHandle, Rotation,
    SharedShape, SphericalJointBuilder, TriMeshFlags, Vector,
};

use super::Engine;
use crate::scene::{Body, GRAVITY, HZ, Scene, Shape, TurnLimits};

/// A world and its bodies, with their shapes.
pub(super) struct Rapier {
    world: PhysicsWorld,
    bodies: Vec<(RigidBodyHandle, Shape)>,
}

impl Rapier {
    /// The scene in a new world that steps on `threads` threads. Its joints are of multibodies, or held by impulses.
    pub fn spawn(scene: &Scene, threads: usize, has_multibodies: bool) -> Result<Self, String> {
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
            let collider = if shape.is_capsule() {
                ColliderBuilder::capsule_y(0.5 * shape.length, shape.radius)
            } else {
                ColliderBuilder::ball(shape.radius)
            };
            let place = Pose::from_parts(vector(body.position), rotation(body.rotation));
            let body = RigidBodyBuilder::dynamic()
                .pose(place)
                .can_sleep(scene.may_sleep);
            (
                world
                    .insert(body, material(collider.density(shape.density)))
                    .0,
                shape,
            )
        });
        let bodies: Vec<(RigidBodyHandle, Shape)> = bodies.collect();
        let mut fixed = None;
        for joint in &scene.joints {
            let [a, b] = joint.sides().map(|i| match i {
                Some(i) => bodies[i].0,
                None => *fixed.get_or_insert_with(|| world.insert_body(RigidBodyBuilder::fixed())),
            });
            let [to_a, to_b] = joint.anchors(&scene.bodies);
            let [of_a, of_b] = joint.frames(&scene.bodies, Vec3::X);
            let mut ball = SphericalJointBuilder::new()
                .contacts_enabled(false)
                .local_frame1(Pose::from_parts(vector(to_a), rotation(of_a)))
                .local_frame2(Pose::from_parts(vector(to_b), rotation(of_b)));
            if let Some(TurnLimits { swing, twist, .. }) = joint.limits {
                ball = ball.limits(JointAxis::AngX, [-twist, twist]);
                for axis in [JointAxis::AngY, JointAxis::AngZ] {
                    ball = ball.limits(axis, [-swing, swing]);
                }
            }
            // A multibody has no loops: what closes one is held by impulses, as without multibodies.
            let is_done = has_multibodies && world.insert_multibody_joint(a, b, ball).is_some();
            if !is_done {
                world.insert_impulse_joint(a, b, ball);
            }
        }
        Ok(Self { bodies, world })
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

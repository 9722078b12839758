//! `rapier3d`, without Bevy.

use bevy::math::Vec3;
use rapier3d::prelude::{
    ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, SharedShape, Vector,
};

use super::Engine;
use crate::scene::{Ball, DENSITY, FRICTION, GRAVITY, HZ, RESTITUTION, Scene};

/// A world and its balls, with their radii.
pub(super) struct Rapier {
    world: PhysicsWorld,
    balls: Vec<(RigidBodyHandle, f32)>,
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
        for solid in scene.half_spaces {
            let (place, shape) = if scene.prefers_boxes {
                let (centre, half) = solid.thick_box();
                (centre, SharedShape::cuboid(half.x, half.y, half.z))
            } else {
                (solid.point, SharedShape::halfspace(vector(solid.normal)))
            };
            let body = RigidBodyBuilder::fixed().translation(vector(place));
            world.insert(body, material(ColliderBuilder::new(shape)));
        }
        let balls = scene.balls.iter().map(|ball| {
            let body = RigidBodyBuilder::dynamic()
                .translation(vector(ball.position))
                .can_sleep(false);
            let collider = ColliderBuilder::ball(ball.radius).density(DENSITY);
            (world.insert(body, material(collider)).0, ball.radius)
        });
        Ok(Self {
            balls: balls.collect(),
            world,
        })
    }
}

impl Engine for Rapier {
    fn step(&mut self) {
        self.world.step();
    }

    fn balls(&self) -> Result<Vec<Ball>, String> {
        let read = |&(handle, radius): &(RigidBodyHandle, f32)| {
            let body = self.world.bodies.get(handle)?;
            Some(Ball {
                radius,
                position: Vec3::from_array(body.translation().to_array()),
                velocity: Vec3::from_array(body.linvel().to_array()),
            })
        };
        let balls: Option<Vec<Ball>> = self.balls.iter().map(read).collect();
        balls.ok_or_else(|| "a ball is gone".to_owned())
    }
}

fn material(collider: ColliderBuilder) -> ColliderBuilder {
    collider.friction(FRICTION).restitution(RESTITUTION)
}

/// Rapier may use another version of the same vector type.
fn vector(v: Vec3) -> Vector {
    Vector::from_array(v.to_array())
}

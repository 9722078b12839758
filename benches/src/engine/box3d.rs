//! Box3D, in C, with the substeps that its documentation advises.

use bevy::math::{Quat, Vec3};
use box3d_sys as sys;

use super::Engine;
use crate::scene::{Body, GRAVITY, HZ, Scene, Shape, TurnLimits};

/// Parts of a step.
const SUBSTEPS: i32 = 4;

/// A world and its bodies, with their shapes.
pub(super) struct Box3d {
    world: sys::b3WorldId,
    bodies: Vec<(sys::b3BodyId, Shape)>,
}

impl Box3d {
    /// The scene in a new world that steps on `threads` threads. Box3D has no half-spaces: floor and walls are always boxes.
    pub fn spawn(scene: &Scene, threads: usize) -> Self {
        // SAFETY: the functions copy the definitions, which their own defaults have filled. The ids are those of living objects.
        unsafe {
            let mut world = sys::b3DefaultWorldDef();
            world.gravity = vector(Vec3::NEG_Y * GRAVITY);
            world.enableSleep = scene.may_sleep;
            world.workerCount = u32::try_from(threads).unwrap_or(u32::MAX);
            let world = sys::b3CreateWorld(&raw const world);
            let mut material = sys::b3DefaultShapeDef();
            material.baseMaterial.friction = scene.material.friction;
            material.baseMaterial.restitution = scene.material.restitution;
            if let Some(mesh) = &scene.mesh {
                let mut vertices: Vec<_> = mesh.vertices.iter().map(|&x| vector(x)).collect();
                let corners = mesh.triangles.as_flattened().iter();
                let mut corners: Vec<i32> = corners.map(|&i| i as i32).collect();
                let surface = sys::b3MeshDef {
                    vertices: vertices.as_mut_ptr(),
                    indices: corners.as_mut_ptr(),
                    vertexCount: vertices.len() as i32,
                    triangleCount: mesh.triangles.len() as i32,
                    weldVertices: true,
                    weldTolerance: 1e-4,
                    identifyEdges: !mesh.plain_edges,
                    ..std::mem::zeroed()
                };
                let data = sys::b3CreateMesh(&raw const surface, std::ptr::null_mut(), 0);
                let fixed = sys::b3DefaultBodyDef();
                let body = sys::b3CreateBody(world, &raw const fixed);
                sys::b3CreateMeshShape(body, &raw const material, data, vector(Vec3::ONE));
            }
            let half_spaces = scene.half_spaces.iter();
            for solid in half_spaces.filter(|_| scene.mesh.is_none()) {
                let (centre, half) = solid.thick_box();
                let mut fixed = sys::b3DefaultBodyDef();
                fixed.position = vector(centre);
                let body = sys::b3CreateBody(world, &raw const fixed);
                let hull = sys::b3MakeBoxHull(half.x, half.y, half.z);
                sys::b3CreateHullShape(body, &raw const material, &raw const hull.base);
            }
            let bodies = scene.bodies.iter().map(|body| {
                let shape = body.shape;
                let mut dynamic = sys::b3DefaultBodyDef();
                dynamic.type_ = sys::b3BodyType_b3_dynamicBody;
                dynamic.position = vector(body.position);
                dynamic.rotation = quaternion(body.rotation);
                let id = sys::b3CreateBody(world, &raw const dynamic);
                let half = Vec3::Y * (0.5 * shape.length);
                let radius = shape.radius;
                material.density = shape.density;
                if shape.is_capsule() {
                    let capsule = sys::b3Capsule {
                        center1: vector(-half),
                        center2: vector(half),
                        radius,
                    };
                    sys::b3CreateCapsuleShape(id, &raw const material, &raw const capsule);
                } else {
                    let center = vector(Vec3::ZERO);
                    let ball = sys::b3Sphere { center, radius };
                    sys::b3CreateSphereShape(id, &raw const material, &raw const ball);
                }
                (id, shape)
            });
            let bodies: Vec<(sys::b3BodyId, Shape)> = bodies.collect();
            let mut fixed = None;
            for joint in &scene.joints {
                let of = joint.sides().map(|i| match i {
                    Some(i) => bodies[i].0,
                    None => *fixed.get_or_insert_with(|| {
                        let fixed = sys::b3DefaultBodyDef();
                        sys::b3CreateBody(world, &raw const fixed)
                    }),
                });
                let anchors = joint.anchors(&scene.bodies);
                let frames = joint.frames(&scene.bodies, Vec3::Z);
                let [on_a, on_b] = [0, 1].map(|k| sys::b3Transform {
                    p: vector(anchors[k]),
                    q: quaternion(frames[k]),
                });
                let mut ball = sys::b3DefaultSphericalJointDef();
                (ball.base.bodyIdA, ball.base.bodyIdB) = (of[0], of[1]);
                (ball.base.localFrameA, ball.base.localFrameB) = (on_a, on_b);
                if let Some(TurnLimits { swing, twist, .. }) = joint.limits {
                    (ball.enableConeLimit, ball.coneAngle) = (true, swing);
                    ball.enableTwistLimit = true;
                    (ball.lowerTwistAngle, ball.upperTwistAngle) = (-twist, twist);
                }
                sys::b3CreateSphericalJoint(world, &raw const ball);
            }
            Self { bodies, world }
        }
    }
}

impl Drop for Box3d {
    fn drop(&mut self) {
        // SAFETY: the world lives until here.
        unsafe { sys::b3DestroyWorld(self.world) }
    }
}

impl Engine for Box3d {
    fn step(&mut self) {
        // SAFETY: the world lives.
        unsafe { sys::b3World_Step(self.world, (1.0 / HZ) as f32, SUBSTEPS) }
    }

    fn bodies(&self) -> Result<Vec<Body>, String> {
        let read = |&(id, shape): &(sys::b3BodyId, Shape)| {
            // SAFETY: bodies live as long as their world.
            let (x, v, q) = unsafe {
                (
                    sys::b3Body_GetPosition(id),
                    sys::b3Body_GetLinearVelocity(id),
                    sys::b3Body_GetRotation(id),
                )
            };
            Body {
                shape,
                position: Vec3::new(x.x, x.y, x.z),
                rotation: Quat::from_xyzw(q.v.x, q.v.y, q.v.z, q.s),
                velocity: Vec3::new(v.x, v.y, v.z),
            }
        };
        Ok(self.bodies.iter().map(read).collect())
    }
}

fn quaternion(q: Quat) -> sys::b3Quat {
    sys::b3Quat {
        v: vector(q.xyz()),
        s: q.w,
    }
}

fn vector(v: Vec3) -> sys::b3Vec3 {
    sys::b3Vec3 {
        x: v.x,
        y: v.y,
        z: v.z,
    }
}

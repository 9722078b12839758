//! A smooth ball in a half-pipe that is a mesh: the scene, and the law that the ball keeps.

use std::f32::consts::{FRAC_PI_4, PI};

use bevy::math::{Quat, Vec3};

use crate::scene::{Body, DENSITY, GRAVITY, HZ, Material, Mesh, Scene, Shape};

/// Inner radius of the pipe, in m. Its axis is z.
const PIPE_RADIUS: f32 = 2.0;
/// Half the pipe's length, in m.
const HALF_LENGTH: f32 = 1.0;
/// In m.
const BALL_RADIUS: f32 = 0.1;
/// Of the ball's centre about the pipe's axis, from the lowest point, at the start.
const ANGLE: f32 = FRAC_PI_4;
/// Radius of the arc that the ball's centre moves on, in m.
const ARC_RADIUS: f32 = PIPE_RADIUS - BALL_RADIUS;

/// A way out of the pipe.
#[derive(Clone, Copy, Debug)]
pub enum Exit {
    /// Past an end: the ball has left its plane.
    End,
    /// Through the mesh, or over the rim.
    Wall,
}

/// The ball at rest on the wall of a pipe of `facets` strips. Nothing brakes it.
pub fn scene(facets: u32, plain_edges: bool) -> Scene {
    Scene {
        half_spaces: Vec::new(),
        prefers_boxes: true,
        mesh: Some(mesh(facets, plain_edges)),
        material: Material {
            friction: 0.0,
            restitution: 0.0,
        },
        may_sleep: false,
        bodies: vec![Body {
            shape: Shape {
                radius: BALL_RADIUS,
                length: 0.0,
                density: DENSITY,
            },
            position: ARC_RADIUS * Vec3::new(-ANGLE.sin(), -ANGLE.cos(), 0.0),
            rotation: Quat::IDENTITY,
            velocity: Vec3::ZERO,
        }],
        joints: Vec::new(),
    }
}

fn mesh(facets: u32, plain_edges: bool) -> Mesh {
    let mut mesh = Mesh {
        plain_edges,
        ..Mesh::default()
    };
    let normals = mesh.normals.insert(Vec::new());
    for k in 0..=facets {
        let (sin, cos) = (PI * k as f32 / facets as f32).sin_cos();
        let inward = Vec3::new(cos, sin, 0.0);
        for z in [-HALF_LENGTH, HALF_LENGTH] {
            mesh.vertices.push(-PIPE_RADIUS * inward + Vec3::Z * z);
            normals.push(inward);
        }
    }
    mesh.triangles = (0..facets)
        .map(|k| 2 * k)
        .flat_map(|a| [[a, a + 1, a + 2], [a + 1, a + 3, a + 2]])
        .collect();
    mesh
}

/// Height of the ball's centre over its place when it touches the bottom, in m.
pub fn height(ball: &Body) -> f32 {
    ball.position.y + ARC_RADIUS
}

/// Height at each turning point by conservation of energy, in m.
pub fn turning_height() -> f32 {
    ARC_RADIUS * (1.0 - ANGLE.cos())
}

/// How the ball has left the pipe, if it has.
pub fn exit(ball: &Body) -> Option<Exit> {
    if ball.position.z.abs() > HALF_LENGTH {
        Some(Exit::End)
    } else if ball.position.truncate().length() > PIPE_RADIUS {
        Some(Exit::Wall)
    } else {
        None
    }
}

/// Steps of a swing there and back: those of a pendulum, by the series of its period in the angle up to the fourth power.
pub fn steps_per_swing() -> usize {
    let small = 2.0 * PI * (ARC_RADIUS / GRAVITY).sqrt();
    let series = 1.0 + ANGLE.powi(2) / 16.0 + 11.0 * ANGLE.powi(4) / 3072.0;
    (f64::from(small * series) * HZ).round() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_face_the_axis_as_their_normals_do() {
        let mesh = mesh(32, false);
        let normals = mesh.normals.expect("it is a smooth pipe");
        for triangle in mesh.triangles {
            let [a, b, c] = triangle.map(|i| mesh.vertices[i as usize]);
            let front = (b - a).cross(c - a).normalize();
            for i in triangle.map(|i| i as usize) {
                let radius = mesh.vertices[i].truncate().length();
                assert!((radius - PIPE_RADIUS).abs() < 1e-6);
                assert!(mesh.vertices[i].truncate().dot(normals[i].truncate()) < -1.99);
                assert!(front.dot(normals[i]) > 0.99);
            }
        }
    }

    #[test]
    fn ball_starts_at_the_turning_height_and_touches() {
        let ball = scene(32, false).bodies[0];
        assert!((height(&ball) - turning_height()).abs() < 1e-6);
        assert!((ball.position.length() + BALL_RADIUS - PIPE_RADIUS).abs() < 1e-6);
        assert!(exit(&ball).is_none());
    }

    #[test]
    fn swing_takes_as_long_as_a_pendulums() {
        // The period is that of a small swing over the arithmetic-geometric mean of 1 and cos(angle/2) (Gauss).
        let (mut a, mut b) = (1.0, (0.5 * ANGLE).cos());
        for _ in 0..5 {
            (a, b) = (0.5 * (a + b), (a * b).sqrt());
        }
        let period = 2.0 * PI * (ARC_RADIUS / GRAVITY).sqrt() / a;
        assert!((steps_per_swing() as f64 - f64::from(period) * HZ).abs() < 1.0);
    }
}

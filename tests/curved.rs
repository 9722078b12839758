//! Balls on smooth surfaces.

use std::f32::consts::PI;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;

const G: f32 = 9.81;

/// The inside of the lower half of a cylinder along Z, with this radius, in strips.
fn half_pipe(radius: f32, facets: u32, length: f32) -> Collider {
    let on = move |k: u32, z: f32| {
        let angle = PI * k as f32 / facets as f32;
        let out = Vec3::new(-angle.cos(), -angle.sin(), 0.0);
        (out * radius + Vec3::Z * z, -out)
    };
    let vertices = (0..=facets).flat_map(move |k| [on(k, -0.5 * length), on(k, 0.5 * length)]);
    let triangles = (0..facets).flat_map(|k| {
        let (a, b, c, d) = (2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 3);
        [[a, b, c], [b, d, c]]
    });
    Collider::smooth_trimesh(vertices, triangles, MeshSides::One)
}

#[test]
fn half_pipe_energy() {
    let (big, r) = (2.0, 0.1);
    for facets in [32, 128, 1024] {
        for mu in [0.0, 0.8] {
            let mut app = awake(60.0);
            app.world_mut().spawn((half_pipe(big, facets, 2.0), Friction(mu), Restitution(0.0)));
            let at = Vec3::new(-(PI / 4.0).sin(), -(PI / 4.0).cos(), 0.0) * (big - r);
            let body = app.world_mut().spawn((
                Particle::new(r), Mass(1.0), Friction(mu), Restitution(0.0),
                Transform::from_translation(at),
            )).id();
            let bottom = -(big - r);
            let energy = |app: &App| {
                let (v, w) = (velocity(app, body), spin(app, body));
                0.5 * v.length_squared() + 0.2 * r * r * w.length_squared() + G * (position(app, body).y - bottom)
            };
            let mut top = 0f32;
            for second in 1..=60 {
                for _ in 0..60 {
                    steps(&mut app, 1);
                    if second >= 57 { top = top.max(position(&app, body).y - bottom); }
                }
                if [1, 10, 30, 60].contains(&second) {
                    println!("{facets} mu {mu} t {second}: height {:.5} top {top:.5} x {}", energy(&app) / G, position(&app, body));
                }
            }
        }
    }
}

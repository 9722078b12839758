//! Balls and capsules on boxes, hulls, meshes, height fields and lines.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;

const G: f32 = 9.81;

/// A level floor of `cells` × `cells` cells, each two triangles of random shape, with this side in m.
fn random_floor(cells: u32, side: f32) -> Collider {
    let (n, step) = (cells + 1, side / cells as f32);
    let mut seed = 1u32;
    let mut random = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 24) as f32 - 0.5
    };
    let vertices: Vec<Vec3> = (0..n * n)
        .map(|k| {
            let at = Vec3::new((k % n) as f32, 0.0, (k / n) as f32) * step;
            let shift = Vec3::new(random(), 0.0, random()) * (0.4 * step);
            at + shift - Vec3::new(1.0, 0.0, 1.0) * (0.5 * side)
        })
        .collect();
    let triangles = (0..cells * cells).flat_map(|k| {
        let a = k / cells * n + k % cells;
        let (b, c, d) = (a + 1, a + n, a + n + 1);
        [[a, c, b], [b, c, d]]
    });
    Collider::trimesh(vertices, triangles, MeshSides::One)
}

fn ball(app: &mut App, radius: f32, x: Vec3, v: Vec3, w: Vec3, e: f32, mu: f32) -> Entity {
    let at = Transform::from_translation(x);
    let motion = (LinearVelocity(v), AngularVelocity(w));
    let material = (Restitution(e), Friction(mu));
    app.world_mut()
        .spawn((Particle::new(radius), at, motion, material))
        .id()
}

#[test]
fn flat_mesh_is_smooth() {
    for (speed, mu) in [(1.0, 0.0), (5.0, 0.0), (20.0, 0.0), (1.0, 0.5), (5.0, 0.5), (20.0, 0.5)] {
        let mut app = awake(60.0);
        app.world_mut().spawn(random_floor(71, 60.0));
        let (r, v) = (0.1, Vec3::new(0.8, 0.0, 0.6) * speed);
        let w = if mu > 0.0 { Vec3::Y.cross(v) / r } else { Vec3::ZERO };
        let start = Vec3::new(-0.4, 0.0, -0.3) * 55.0 + Vec3::Y * r;
        let body = ball(&mut app, r, start, v, w, 0.5, mu);
        let (mut dv, mut dy) = (0f32, 0f32);
        let n = (50.0 / speed * 60.0) as usize;
        for _ in 0..n.min(1200) {
            steps(&mut app, 1);
            if velocity(&app, body).distance(v) > 1e-5 && dv < 1e-5 { println!("{} {} {:?}", position(&app, body), velocity(&app, body)-v, messages::<Impact>(&app)); }
            dv = dv.max(velocity(&app, body).distance(v));
            dy = dy.max((position(&app, body).y - r).abs());
        }
        println!("speed {speed} mu {mu}: dv {dv:e} dy/r {:e} at {}", dy / r, position(&app, body));
    }
}

#[test]
fn elastic_bounces_keep_the_energy() {
    for which in 0..3 {
        let mut app = awake(60.0);
        let collider = match which {
            0 => random_floor(20, 4.0),
            1 => Collider::cuboid(4.0, 0.2, 4.0),
            _ => Collider::convex_hull((0..8).map(|k| {
                Vec3::new((k & 1) as f32 * 4.0 - 2.0, (k >> 1 & 1) as f32 - 1.0, (k >> 2) as f32 * 4.0 - 2.0)
            })),
        };
        app.world_mut().spawn((collider, Restitution(1.0)));
        let top = [0.0, 0.1, 0.0][which];
        let body = ball(&mut app, 0.1, Vec3::new(0.13, top + 0.6, 0.07), Vec3::ZERO, Vec3::ZERO, 1.0, 0.0);
        let energy = |app: &App| 0.5 * velocity(app, body).length_squared() + G * (position(app, body).y - top - 0.1);
        let before = energy(&app);
        let mut bounces = 0;
        for _ in 0..40_000 {
            steps(&mut app, 1);
            bounces += messages::<Impact>(&app).len();
            if bounces >= 1000 { break; }
        }
        println!("which {which}: {bounces} bounces, energy {before} -> {} at {}", energy(&app), position(&app, body));
    }
}

#[test]
fn nothing_tunnels() {
    let mut app = app(60.0);
    app.world_mut().spawn(random_floor(20, 40.0));
    let mut balls = Vec::new();
    for k in 0..200 {
        let angle = k as f32 * 0.1;
        let v = Vec3::new(angle.cos() * 0.3, -1.0, angle.sin() * 0.3).normalize() * 1000.0;
        let x = Vec3::new((k % 20) as f32 - 10.0, 2.0 + 0.37 * k as f32 % 14.0, (k / 20) as f32 - 5.0);
        balls.push(ball(&mut app, 0.1, x, v, Vec3::ZERO, 0.5, 0.3));
    }
    steps(&mut app, 10);
    let lost = balls.iter().filter(|&&ball| position(&app, ball).y < 0.0).count();
    println!("lost {lost}");
    assert_eq!(lost, 0);
}

#[test]
fn capsule_rests_on_a_box() {
    let mut app = awake(60.0);
    app.world_mut().spawn(Collider::cuboid(1.0, 0.2, 1.0));
    let capsule = app.world_mut().spawn((
        Capsule::new(0.1, 0.6),
        Transform::from_xyz(0.3, 0.25, 0.0).with_rotation(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2)),
        Restitution(0.0), Friction(0.5),
    )).id();
    for k in 0..10 {
        steps(&mut app, 30);
        println!("{k}: {} {}", position(&app, capsule), velocity(&app, capsule));
    }
}

#[test]
fn ball_on_a_segment_and_in_a_v() {
    let mut app = awake(60.0);
    app.world_mut().spawn(Collider::polyline([Vec3::new(-2.0, 1.0, 0.0), Vec3::ZERO, Vec3::new(2.0, 1.0, 0.0)]));
    let body = ball(&mut app, 0.1, Vec3::new(0.5, 0.6, 0.0), Vec3::ZERO, Vec3::ZERO, 0.0, 0.3);
    for k in 0..10 {
        steps(&mut app, 60);
        println!("{k}: {} {} {}", position(&app, body), velocity(&app, body), spin(&app, body));
    }
}

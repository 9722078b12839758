//! Balls on smooth surfaces: a mesh with normals is as round as what it stands for.

use std::f32::consts::{FRAC_PI_4, PI, TAU};

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;

const G: f32 = 9.81;
const RADIUS: f32 = 0.1;
const MASS: f32 = 1.0;

/// A strip along a curve in the x–y plane, of this length along Z. The curve gives the points of the surface and the normals for a
/// parameter from 0 to 1.
fn strip(facets: u32, length: f32, curve: impl Fn(f32) -> (Vec3, Vec3)) -> Collider {
    let on = |k: u32, z: f32| {
        let (x, n) = curve(k as f32 / facets as f32);
        (x + Vec3::Z * z, n)
    };
    let vertices: Vec<(Vec3, Vec3)> = (0..=facets)
        .flat_map(|k| [on(k, -0.5 * length), on(k, 0.5 * length)])
        .collect();
    let triangles = (0..facets).flat_map(|k| {
        let (a, b, c, d) = (2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 3);
        [[a, b, c], [b, d, c]]
    });
    Collider::smooth_trimesh(vertices, triangles, MeshSides::One)
}

/// The inside of a cylinder along Z around the origin, from one angle to another. Angle 0 is the bottom; angles grow towards +X.
fn pipe(radius: f32, facets: u32, from: f32, to: f32) -> Collider {
    strip(facets, 20.0, |part| {
        let angle = from + (to - from) * part;
        let out = Vec3::new(angle.sin(), -angle.cos(), 0.0);
        (out * radius, -out)
    })
}

/// A surface of revolution about Y. The profile gives the point and the normal in the x–y plane for a parameter from 0 to 1.
fn smooth_revolved(rings: u32, sectors: u32, profile: impl Fn(f32) -> (Vec3, Vec3)) -> Collider {
    let mut vertices = Vec::new();
    for ring in 0..=rings {
        let (x, n) = profile(ring as f32 / rings as f32);
        for sector in 0..sectors {
            let turn = Quat::from_rotation_y(TAU * sector as f32 / sectors as f32);
            vertices.push((turn * x, turn * n));
        }
    }
    let mut triangles = Vec::new();
    for ring in 0..rings {
        for sector in 0..sectors {
            let next = (sector + 1) % sectors;
            let (a, b) = (ring * sectors + sector, ring * sectors + next);
            let (c, d) = (a + sectors, b + sectors);
            triangles.extend([[a, b, c], [b, d, c]]);
        }
    }
    Collider::smooth_trimesh(vertices, triangles, MeshSides::Two)
}

/// A ball of 1 kg on a collider. With friction it rolls: its spin is right for its velocity on a surface with `normal`.
fn ball_on(hz: f64, surface: Collider, mu: f32, x: Vec3, v: Vec3, normal: Vec3) -> Ball {
    let w = if mu > 0.0 {
        normal.cross(v) / RADIUS
    } else {
        Vec3::ZERO
    };
    let motion = (LinearVelocity(v), AngularVelocity(w));
    let at = Transform::from_translation(x);
    let ball = (Particle::new(RADIUS), Mass(MASS), motion, at);
    Ball::on(awake(hz), surface, (Restitution(0.0), Friction(mu)), ball)
}

/// Energy in J, with the potential energy of height 0 at the origin.
fn energy(ball: &Ball) -> f32 {
    MASS * (ball.kinetic_energy(RADIUS) + G * ball.x().y)
}

/// Lets a ball swing in half-pipes of several facets, sliding and rolling, and asserts that it keeps its height.
fn swing(minutes: u32, energy_tolerance: f64, height_tolerance: f64) {
    let way = 2.0 - RADIUS;
    let bottom = -way;
    let start = Vec3::new(-FRAC_PI_4.sin(), -FRAC_PI_4.cos(), 0.0) * way;
    let height = f64::from(start.y - bottom);
    for (facets, mu) in [
        (32, 0.0),
        (32, 0.8),
        (128, 0.0),
        (128, 0.8),
        (1024, 0.0),
        (1024, 0.8),
    ] {
        let pipe = pipe(2.0, facets, -0.5 * PI, 0.5 * PI);
        let mut ball = ball_on(60.0, pipe, mu, start, Vec3::ZERO, Vec3::Y);
        let mut top = 0f32;
        for step in 0..minutes * 60 * 60 {
            ball.step();
            let energy = energy(&ball) / (MASS * G) - bottom;
            assert_near(
                "the energy",
                energy.into(),
                height,
                energy_tolerance * height,
            );
            if step >= (minutes * 60 - 3) * 60 {
                top = top.max(ball.x().y - bottom);
            }
        }
        println!(
            "{facets} facets, friction {mu}: {top} m after {minutes} min, {height} m at the start"
        );
        assert_near("the height", top.into(), height, height_tolerance * height);
        let z = ball.x().z.abs();
        assert!(minutes > 1 || z < 1e-3, "it leaves its plane: {z}");
    }
}

/// A ball that slides, or rolls, in a half-pipe swings as high after a minute as at the start, however coarse the mesh is.
#[test]
fn half_pipe_keeps_the_height() {
    swing(1, 2.5e-3, 1e-3);
}

#[test]
#[ignore = "it takes some minutes: `cargo test -p laws --test curved -- --ignored --nocapture`"]
fn half_pipe_keeps_the_height_for_an_hour() {
    swing(60, 1e-2, 1e-2);
}

/// A ball that slides off a round hill leaves it at cos θ = 2/3. From there its horizontal velocity stays.
#[test]
fn a_ball_leaves_a_sphere() {
    let way = 1.0 + RADIUS;
    let sphere = smooth_revolved(24, 48, |part| {
        let angle = 0.01 + 2.0 * part;
        let out = Vec3::new(angle.sin(), angle.cos(), 0.0);
        (out, out)
    });
    let angle = 0.1f32;
    let start = Vec3::new(angle.sin(), angle.cos(), 0.0) * way;
    let mut ball = ball_on(60.0, sphere, 0.0, start, Vec3::ZERO, Vec3::Y);
    while ball.x().y > -1.0 {
        ball.step();
    }
    // v² = 2·g·(y₀ − y) and v² = g·y, with the height y over the middle of the sphere.
    let y = 2.0 / 3.0 * start.y;
    let expected = (G * y).sqrt() * (y / way);
    let v = ball.v();
    assert_near(
        "the horizontal velocity",
        v.x.into(),
        expected.into(),
        5e-3 * f64::from(expected),
    );
    assert!(v.z.abs() < 1e-2);
}

/// A ball stays on in a loop from v² = 5·g·(R − r) if it slides, and from v² = 27/7·g·(R − r) if it rolls: as if it came from a
/// height of 2.5 or 2.7 times R − r. Below that it falls off.
#[test]
fn loop_the_loop() {
    let big = 0.8;
    let way = big - RADIUS;
    for (mu, least_squared) in [(0.0, 5.0 * G * way), (2.0, 27.0 / 7.0 * G * way)] {
        for (part, goes_round) in [(1.01, true), (0.99, false)] {
            let pipe = pipe(big, 64, -PI, PI);
            let v = Vec3::X * (least_squared * part).sqrt();
            let mut ball = ball_on(240.0, pipe, mu, Vec3::NEG_Y * way, v, Vec3::Y);
            let (mut lost, mut is_back) = (0, false);
            while !is_back && lost < 5 {
                ball.step();
                lost += u32::from(!ball.presses());
                is_back = ball.x().x < 0.0 && ball.x().y < -0.9 * way;
            }
            let went_round = lost == 0;
            assert_eq!(
                went_round, goes_round,
                "{mu} {part}: {lost} steps in the air"
            );
        }
    }
}

/// On a cycloid the time of a swing does not depend on its width (C. Huygens, 1659): T = 2π·√(4·a·(1 + I/(m·r²))/g).
#[test]
fn tautochrone() {
    let a = 0.5f32;
    // The surface lies under the way of the centre.
    let centre = |phi: f32| Vec3::new(a * (phi + phi.sin()), -a * (1.0 + phi.cos()), 0.0);
    let normal = |phi: f32| Vec3::new(-(0.5 * phi).sin(), (0.5 * phi).cos(), 0.0);
    for (mu, inertia) in [(0.0, 1.0), (2.0, 1.4)] {
        for phi in [-0.4f32, -1.2, -2.2] {
            let track = strip(256, 2.0, |part| {
                let phi = 2.6 * (2.0 * part - 1.0);
                (centre(phi) - normal(phi) * RADIUS, normal(phi))
            });
            let mut ball = ball_on(60.0, track, mu, centre(phi), Vec3::ZERO, normal(phi));
            let (mut crossings, mut before, mut time) = (Vec::new(), ball.x().x, 0.0);
            while crossings.len() < 21 {
                ball.step();
                let x = ball.x().x;
                if before < 0.0 && x >= 0.0 {
                    crossings.push(time + f64::from(-before / (x - before)) / 60.0);
                }
                time += 1.0 / 60.0;
                before = x;
            }
            let period = (crossings[20] - crossings[0]) / 20.0;
            let expected = TAU * (4.0 * a * inertia / G).sqrt();
            assert_near(
                "a swing",
                period,
                expected.into(),
                1e-3 * f64::from(expected),
            );
        }
    }
}

/// A ball that runs round in a bowl keeps its energy and its angular momentum about the axis.
#[test]
fn a_bowl_keeps_energy_and_angular_momentum() {
    let bowl = smooth_revolved(24, 48, |part| {
        let angle = 0.02 + 1.5 * part;
        let out = Vec3::new(angle.sin(), -angle.cos(), 0.0);
        (out * 2.0, -out)
    });
    let way = 2.0 - RADIUS;
    let start = Vec3::new(1f32.sin(), -1f32.cos(), 0.0) * way;
    let mut ball = ball_on(60.0, bowl, 0.0, start, Vec3::new(0.0, 0.0, 2.0), Vec3::Y);
    let about_y = |ball: &Ball| f64::from(ball.x().cross(ball.v()).y);
    let (before, momentum) = (energy(&ball) + MASS * G * way, about_y(&ball));
    for _ in 0..60 * 60 {
        ball.step();
        let now = energy(&ball) + MASS * G * way;
        assert_near(
            "the energy",
            now.into(),
            before.into(),
            3e-3 * f64::from(before),
        );
        assert_near(
            "the angular momentum",
            about_y(&ball),
            momentum,
            2e-3 * momentum.abs(),
        );
    }
}

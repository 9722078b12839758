//! The painting on the playfield: a ringed planet under a night sky, rays, and arrows that show the shots.

use std::f32::consts::{FRAC_PI_2, TAU};

use bevy::{math::vec2, prelude::*};
use scene_kit::picture::picture;

use crate::pinball::machine::{
    Side,
    measures::{
        BANK, BUMPER_RADIUS, BUMPERS, HALF_LENGTH, HALF_WIDTH, LANE_ENDS, LANE_POSTS, MIDDLE,
        flipper, inlane_guide, ramp, slingshot,
    },
};

/// Metres of a pixel.
const PIXEL: f32 = 8e-4;

const NIGHT: Vec3 = Vec3::new(0.045, 0.050, 0.22);
const MIST: Vec3 = Vec3::new(0.10, 0.28, 0.48);
const DUSK: Vec3 = Vec3::new(0.34, 0.05, 0.24);
const SUN: Vec3 = Vec3::new(0.95, 0.40, 0.10);
const CREAM: Vec3 = Vec3::new(0.96, 0.86, 0.66);
const RUST: Vec3 = Vec3::new(0.72, 0.25, 0.10);
const TEAL: Vec3 = Vec3::new(0.06, 0.55, 0.60);
const INK: Vec3 = Vec3::new(0.015, 0.012, 0.035);

/// Where the planet is, and its radius.
const PLANET: (Vec2, f32) = (vec2(MIDDLE + 0.012, 0.085), 0.066);

/// The playfield's picture. Outside of the arch it is clear.
pub(super) fn playfield() -> Image {
    let size = (2.0 * vec2(HALF_WIDTH, HALF_LENGTH) / PIXEL).as_uvec2();
    let strokes = strokes();
    picture(size, |at| {
        let at = (2.0 * at - 1.0) * vec2(HALF_WIDTH, HALF_LENGTH);
        let color = strokes
            .iter()
            .fold(background(at), |under, stroke| stroke.over(under, at));
        let arch = vec2(0.0, HALF_WIDTH - HALF_LENGTH);
        let is_inside = at.y > arch.y || at.distance(arch) < HALF_WIDTH + 0.004;
        let [r, g, b] = color.to_array();
        Srgba::new(r, g, b, if is_inside { 1.0 } else { 0.0 })
    })
}

/// How much of a pixel is covered by a shape whose edge is at this distance, negative inside.
fn cover(distance: f32) -> f32 {
    (0.5 - distance / PIXEL).clamp(0.0, 1.0)
}

/// Sky, rays, stars and the planet.
fn background(at: Vec2) -> Vec3 {
    let down = ((at.y + HALF_LENGTH) / (2.0 * HALF_LENGTH)).clamp(0.0, 1.0);
    let mut color = NIGHT.lerp(DUSK, down * down);

    // Mist: waves across waves.
    let wave = |x: f32, y: f32, bend: f32| (17.0 * x + 2.0 * (11.0 * y + bend).sin()).sin();
    let mist = 0.5 + 0.25 * wave(at.x + 0.6 * at.y, at.x, 0.7) + 0.25 * wave(at.y, 1.7 * at.x, 2.0);
    color = color.lerp(MIST, 0.75 * (1.0 - down) * mist * mist);

    // Rays from between the flippers.
    let from = at - vec2(MIDDLE, flipper::Z + 0.05);
    let angle = from.to_angle();
    let ray = (0.5 + 0.5 * (20.0 * (angle + FRAC_PI_2)).cos()).powi(2);
    let glow = (-from.length() / 0.26).exp();
    color = color.lerp(SUN, (0.55 * ray + 0.25) * glow);

    // Stars: one in most cells of a grid, at a place that its number gives.
    let cell = (at / 0.023).floor();
    let noise = |seed: f32| {
        let x = (cell.x * 127.1 + cell.y * 311.7 + seed * 74.7).sin() * 43_758.547;
        x - x.floor()
    };
    let star = (cell + 0.2 + 0.6 * vec2(noise(1.0), noise(2.0))) * 0.023;
    let radius = 0.0003 + 0.0011 * noise(3.0).powi(4);
    color = color.lerp(CREAM, (1.0 - down) * cover(at.distance(star) - radius));

    let (centre, radius) = PLANET;
    let from = at - centre;
    let tilted = Vec2::from_angle(0.35).rotate(from);
    let ring = vec2(tilted.x, 3.4 * tilted.y).length() / radius;
    let rings = |color: Vec3| {
        let is_gap = (1.74..1.82).contains(&ring);
        let band = (0.5 + 0.5 * (60.0 * ring).sin()) * 0.3 + 0.6;
        if (1.35..2.15).contains(&ring) && !is_gap {
            color.lerp(CREAM.lerp(TEAL, ring - 1.3), band)
        } else {
            color
        }
    };
    if tilted.y < 0.0 {
        color = rings(color);
    }
    let bend = tilted.y + 0.004 * (55.0 * tilted.x).sin();
    let stripe = 0.5 + 0.5 * (190.0 * bend).sin() * (60.0 * bend).cos();
    let shade = (1.0 - 0.65 * (from - vec2(-0.02, -0.025)).length() / radius).clamp(0.1, 1.0);
    let planet = RUST.lerp(CREAM, stripe) * shade;
    color = color.lerp(planet, cover(from.length() - radius));
    if tilted.y >= 0.0 {
        color = rings(color);
    }
    color
}

/// A painted shape: an outline of ink around a colour.
struct Stroke {
    color: Vec3,
    shape: Shape,
}

enum Shape {
    /// Between two radii about a point.
    Ring(Vec2, [f32; 2]),
    /// Along a line, with this half width.
    Line([Vec2; 2], f32),
    /// A triangle.
    Triangle([Vec2; 3]),
}

impl Stroke {
    fn over(&self, under: Vec3, at: Vec2) -> Vec3 {
        const INK_WIDTH: f32 = 0.0012;
        let distance = match &self.shape {
            Shape::Ring(centre, [inner, outer]) => {
                let r = at.distance(*centre);
                (r - outer).max(inner - r)
            }
            Shape::Line([a, b], half) => {
                let way = b - a;
                let part = ((at - a).dot(way) / way.length_squared()).clamp(0.0, 1.0);
                at.distance(a + part * way) - half
            }
            Shape::Triangle(corners) => (0..3)
                .map(|i| {
                    let (a, b) = (corners[i], corners[(i + 1) % 3]);
                    (at - a).dot((b - a).normalize_or_zero().perp())
                })
                .fold(f32::NEG_INFINITY, f32::max),
        };
        if distance > 0.01 {
            return under;
        }
        under
            .lerp(INK, cover(distance - INK_WIDTH))
            .lerp(self.color, cover(distance))
    }
}

/// An arrow head at a point, as long as this along a direction. Its corners run counter-clockwise as seen from above.
fn arrow(color: Vec3, at: Vec2, direction: Vec2, length: f32) -> Stroke {
    let side = 0.55 * length * direction.perp();
    let corners = [at + direction * length, at - side, at + side];
    Stroke {
        color,
        shape: Shape::Triangle(corners),
    }
}

fn strokes() -> Vec<Stroke> {
    let mut strokes = Vec::new();
    let mut add = |color, shape| strokes.push(Stroke { color, shape });
    for (at, color) in BUMPERS.into_iter().zip([TEAL, SUN, TEAL]) {
        let r = BUMPER_RADIUS;
        add(color, Shape::Ring(at, [r + 0.006, r + 0.013]));
        add(CREAM, Shape::Ring(at, [r + 0.017, r + 0.0185]));
    }
    for side in Side::BOTH {
        let [end, bend, top] = inlane_guide(side);
        let shift = vec2(-side.sign() * 0.022, 0.0);
        add(CREAM, Shape::Line([top + shift, bend + shift], 0.0008));
        add(
            CREAM,
            Shape::Line(
                [bend + shift, end.lerp(bend, 0.3) + vec2(0.0, -0.02)],
                0.0008,
            ),
        );
        let corners = slingshot(side);
        for i in 0..3 {
            add(TEAL, Shape::Line([corners[i], corners[(i + 1) % 3]], 0.014));
        }
    }
    for posts in LANE_POSTS.windows(2) {
        let x = 0.5 * (posts[0] + posts[1]);
        let [top, bottom] = LANE_ENDS.map(|z| vec2(x, z));
        add(RUST, Shape::Line([top, bottom], 0.012));
    }
    let up = Vec2::NEG_Y;
    for step in 0..3 {
        let z = ramp::ENDS[0] + 0.03 + 0.026 * step as f32;
        strokes.push(arrow(
            TEAL,
            vec2(ramp::X[1] + 0.008 * step as f32, z),
            up,
            0.017,
        ));
        let orbit = BANK[1] + vec2(0.024, 0.008 - 0.035 * step as f32);
        strokes.push(arrow(SUN, orbit, (BANK[0] - BANK[1]).normalize(), 0.017));
    }
    // Around the middle of the rays: twelve small stars of the clock.
    for hour in 0..12 {
        let direction = Vec2::from_angle(TAU * hour as f32 / 12.0);
        let at = PLANET.0 + 0.155 * direction * vec2(1.0, 0.8);
        strokes.push(Stroke {
            color: CREAM * 0.6,
            shape: Shape::Ring(at, [0.0, 0.0016]),
        });
    }
    strokes
}

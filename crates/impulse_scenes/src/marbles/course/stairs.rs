//! The stairs under the mixer, and the collector at their end.

use bevy::prelude::*;

use super::{Form, Look, Piece, vessels::bowl_place};
use crate::marbles::{
    path::turned,
    sheet::{revolved, rounded},
};

const STEPS: u32 = 8;
const WIDTH: f32 = 0.11;
const TREAD: f32 = 0.05;
const RISER: f32 = 0.022;
/// Slope of each tread in rad, so that no marble stays.
const SLOPE: f32 = 0.06;
const WALL: f32 = 0.06;

const COLLECTOR_RADIUS: f32 = 0.12;
const COLLECTOR_HOLE: f32 = 0.024;
const COLLECTOR_DEPTH: f32 = 0.08;

/// Middle of the surface of a step. The bowl's hole is over the first one.
fn step(k: u32) -> Vec3 {
    let k = k as f32;
    let fall = RISER + TREAD * libm::tanf(SLOPE);
    bowl_place() + Vec3::new(0.01 - TREAD * k, -0.07 - fall * k, 0.0)
}

pub(super) fn gate() -> (Vec3, Vec3) {
    let (first, last) = (step(2), step(STEPS - 1));
    let half = 0.5 * (first - last).abs() + Vec3::new(TREAD, 0.05, 0.5 * WIDTH);
    (first.midpoint(last), half)
}

/// Middle of the collector's rim.
fn collector_place() -> Vec3 {
    step(STEPS) + Vec3::new(-0.055, -0.01, 0.0)
}

/// Middle of the collector's hole.
pub(in crate::marbles) fn outlet() -> Vec3 {
    collector_place() - COLLECTOR_DEPTH * Vec3::Y
}

pub(super) fn pieces() -> Vec<Piece> {
    const THICKNESS: f32 = 0.03;
    let tilt = turned(Vec3::Z, SLOPE);
    let mut blocks: Vec<(Vec3, Isometry3d)> = (0..STEPS)
        .map(|k| {
            let size = Vec3::new(TREAD + 0.004, THICKNESS, WIDTH);
            let middle = step(k) - tilt * Vec3::Y * (0.5 * THICKNESS);
            (size, Isometry3d::new(middle, tilt))
        })
        .collect();
    let (first, last) = (step(0), step(STEPS - 1));
    let end = Vec3::new(-0.5 * TREAD, 0.0, 0.0);
    let back = Vec3::new(0.004, 2.0 * WALL, WIDTH);
    let back_place = first + Vec3::new(0.5 * TREAD, 0.5 * WALL, 0.0);
    blocks.push((back, Isometry3d::from_translation(back_place)));
    let (high, low) = (first - end, last + end);
    let way = low - high;
    let along = turned(Vec3::Z, libm::atan2f(-way.y, -way.x));
    let wall = |side: f32| {
        let size = Vec3::new(way.length(), 2.0 * WALL, 0.004);
        let middle = high.midpoint(low) + Vec3::new(0.0, 0.0, side * 0.5 * WIDTH);
        (size, Isometry3d::new(middle, along))
    };
    blocks.push(wall(-1.0));
    let collector = rounded(
        &[
            Vec2::new(COLLECTOR_RADIUS, 0.0),
            Vec2::new(COLLECTOR_HOLE, 0.012 - COLLECTOR_DEPTH),
            Vec2::new(COLLECTOR_HOLE, -COLLECTOR_DEPTH),
        ],
        0.01,
    );
    vec![
        Piece::new(Form::Blocks(blocks), Look::Stairs, Transform::IDENTITY),
        Piece::new(
            Form::Blocks(vec![wall(1.0)]),
            Look::Glass,
            Transform::IDENTITY,
        ),
        Piece::new(
            Form::Sheet(revolved(&collector)),
            Look::Funnel,
            Transform::from_translation(collector_place()),
        ),
    ]
}

pub(super) fn posts() -> Vec<Vec3> {
    let under = |k: u32| step(k) - 0.02 * Vec3::Y;
    let collector = collector_place() + Vec3::new(0.0, 0.0, -COLLECTOR_RADIUS - 0.006);
    vec![under(1), under(STEPS - 2), collector]
}

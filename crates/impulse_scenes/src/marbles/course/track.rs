//! The track from the lift to the jump: a spiral, a loop, a ramp. And the way of the lift itself.

use std::f32::consts::{FRAC_PI_2, TAU};

use bevy::prelude::*;

use super::{Form, Look, MARBLE, MOUTH_FLOOR, Piece};
use crate::marbles::{path::Path, sheet::Channel};

/// Where the lift ends and the spiral begins: the lowest line of the channel.
const TOP: Vec3 = Vec3::new(-0.62, 1.84, 0.0);

/// The rims are higher than the middle, so a marble stays in it in a fast bend.
const CHANNEL: Channel = Channel {
    radius: 0.015,
    reach: 1.75,
};

const SPIRAL_RADIUS: f32 = 0.18;
const SPIRAL_TURNS: f32 = 3.0;
const SPIRAL_SLOPE: f32 = 0.06;

const LOOP_RADIUS: f32 = 0.085;
/// The marble leaves the loop so far to the right of its way in, in m.
const LOOP_SHIFT: f32 = 0.05;

/// Slope of the jump in rad.
const JUMP: f32 = 0.3;

fn spiral() -> Path {
    Path::new(TOP, Vec3::X)
        .climb(0.2, -SPIRAL_SLOPE)
        .straight(0.32)
        .turn(SPIRAL_RADIUS, SPIRAL_TURNS * TAU)
        .straight(0.05)
}

/// A marble stays on a loop of radius R from the height 2.7·(R − r) over its bottom, with r the marble's radius: it must have v² =
/// g·(R − r) at the top, and the energy of a ball that rolls is 7/10·m·v². This chute is twice as high as that, with the spiral
/// before it.
fn to_loop() -> Path {
    const STEEP: f32 = 0.5;
    spiral()
        .climb(0.15, SPIRAL_SLOPE - STEEP)
        .straight(0.2)
        .climb(0.15, STEEP)
}

fn whole() -> Path {
    to_loop()
        .loop_round(LOOP_RADIUS, LOOP_SHIFT)
        .straight(0.06)
        .climb(0.2, JUMP)
        .straight(0.01)
}

pub(super) fn piece() -> Piece {
    let sheet = CHANNEL.along(&whole());
    Piece::new(Form::Sheet(sheet), Look::Track, Transform::IDENTITY)
}

/// Where marbles fly off the ramp.
pub(super) fn lip() -> Vec3 {
    whole().end().at
}

pub(super) fn spiral_gate() -> (Vec3, Vec3) {
    (spiral().end().at, Vec3::splat(0.03))
}

pub(super) fn loop_gate() -> (Vec3, Vec3) {
    let start = to_loop().end();
    let top = start.at + 2.0 * LOOP_RADIUS * start.up + 0.5 * LOOP_SHIFT * start.right();
    (top, Vec3::splat(0.03))
}

pub(super) fn posts() -> Vec<Vec3> {
    let spiral_axis = TOP + Vec3::new(0.32, -0.05, -SPIRAL_RADIUS);
    let (start, lip) = (to_loop().end().at, lip());
    vec![spiral_axis, start - 0.004 * Vec3::Y, lip - 0.004 * Vec3::Y]
}

/// The way of a marble's centre in the lift: from under the tray's mouth to the left, up, and over onto the track.
pub(in crate::marbles) fn lift() -> Path {
    const BEND: f32 = 0.05;
    let bottom = MOUTH_FLOOR - 0.03;
    let top = TOP.y + MARBLE;
    Path::new(Vec3::new(0.0, bottom, 0.0), Vec3::NEG_X)
        .straight(-TOP.x)
        .climb(BEND, FRAC_PI_2)
        .straight(top - bottom - 2.0 * BEND)
        .climb(BEND, FRAC_PI_2)
        .straight(0.02)
}

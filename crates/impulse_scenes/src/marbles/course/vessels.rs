//! What is round about an axis: the funnel, the bowl with the mixer, and the tray under everything.

use std::f32::consts::TAU;

use bevy::prelude::*;

use super::{Form, Look, Piece, track::lip};
use crate::marbles::{
    path::turned,
    sheet::{Sheet, revolved, rounded},
};

/// Radius of the tray in m; no marble is ever farther from the axis.
pub(in crate::marbles) const TRAY_RADIUS: f32 = 0.95;
/// Height of the tray's wall in m.
const TRAY_WALL: f32 = 0.1;
/// Slope of the tray in rad, towards its middle.
const TRAY_SLOPE: f32 = 0.16;
/// Radius in m of the pit in the tray's middle, where the lift takes marbles.
pub(in crate::marbles) const MOUTH_RADIUS: f32 = 0.05;
/// Height of the pit's floor in m.
pub(in crate::marbles) const MOUTH_FLOOR: f32 = -0.03;

/// Thickness of the pit's floor in m.
const PIT_FLOOR: f32 = 0.01;

/// Height in m of the tray's surface at a distance from the axis.
pub(in crate::marbles) fn tray_height(distance: f32) -> f32 {
    (distance - MOUTH_RADIUS) * libm::tanf(TRAY_SLOPE)
}

const FUNNEL_RADIUS: f32 = 0.18;
const FUNNEL_HOLE: f32 = 0.028;
const FUNNEL_DEPTH: f32 = 0.14;
const FUNNEL_WALL: f32 = 0.05;
/// The funnel is lined with felt, or marbles would circle in it for a minute.
const FELT: f32 = 0.3;

const BOWL_RADIUS: f32 = 0.2;
const BOWL_HOLE: f32 = 0.03;
/// Slope of the bowl in rad, towards its hole.
const BOWL_SLOPE: f32 = 0.24;
const BOWL_WALL: f32 = 0.045;

/// Angular velocity of the mixer in rad/s.
const MIXER_SPEED: f32 = 2.4;
const ARMS: u32 = 3;
/// Height of the mixer's blades over the bowl in m: less than a marble's radius, so no marble is pressed down.
const CLEARANCE: f32 = 0.004;

/// Middle of the funnel's rim. Marbles come in beside its axis, and circle.
fn funnel_place() -> Vec3 {
    lip() + Vec3::new(0.25, -0.09, -0.07)
}

/// Middle of the bowl, at the height of its hole. The funnel's hole is over the bowl's slope.
pub(in crate::marbles) fn bowl_place() -> Vec3 {
    funnel_place() + Vec3::new(-0.12, -FUNNEL_DEPTH - 0.16, 0.0)
}

pub(super) fn funnel_gate() -> (Vec3, Vec3) {
    let half = Vec3::new(FUNNEL_RADIUS, 0.5 * FUNNEL_DEPTH, FUNNEL_RADIUS);
    (funnel_place() - half.y * Vec3::Y, half)
}

pub(super) fn bowl_gate() -> (Vec3, Vec3) {
    let half = Vec3::new(BOWL_RADIUS, 0.04, BOWL_RADIUS);
    (bowl_place() + half.y * Vec3::Y, half)
}

pub(super) fn pieces() -> Vec<Piece> {
    let at = |x: Vec3| Transform::from_translation(x);
    let mixer = Piece {
        turn: MIXER_SPEED,
        ..Piece::new(Form::Blocks(mixer()), Look::Mixer, at(bowl_place()))
    };
    let funnel = Piece {
        rolling_friction: FELT,
        ..Piece::new(Form::Sheet(funnel()), Look::Funnel, at(funnel_place()))
    };
    vec![
        funnel,
        Piece::new(Form::Sheet(bowl()), Look::Bowl, at(bowl_place())),
        mixer,
        Piece::new(Form::Sheet(tray()), Look::Tray, at(Vec3::ZERO)),
        // The pit's floor: one flat part, for the marbles that wait on it for the lift.
        Piece::new(
            Form::Post(MOUTH_RADIUS + 0.002, PIT_FLOOR),
            Look::Tray,
            at(Vec3::Y * (MOUTH_FLOOR - 0.5 * PIT_FLOOR)),
        ),
    ]
}

/// The height is −k·(1/r − 1/R), as the potential of a planet: marbles circle as planets would.
fn funnel() -> Sheet {
    const ROWS: u32 = 24;
    let k = FUNNEL_DEPTH / (1.0 / FUNNEL_HOLE - 1.0 / FUNNEL_RADIUS);
    let well: Vec<Vec2> = (0..=ROWS)
        .map(|row| {
            let part = row as f32 / ROWS as f32;
            let r = FUNNEL_RADIUS * libm::powf(FUNNEL_HOLE / FUNNEL_RADIUS, part);
            Vec2::new(r, -k * (1.0 / r - 1.0 / FUNNEL_RADIUS))
        })
        .collect();
    let wall = Vec2::new(FUNNEL_RADIUS, FUNNEL_WALL);
    let mut curve = rounded(&[wall, well[0], well[2]], 0.015);
    curve.extend(&well[3..]);
    revolved(&curve)
}

fn bowl() -> Sheet {
    let rim = bowl_height(BOWL_RADIUS);
    let curve = rounded(
        &[
            Vec2::new(BOWL_RADIUS, rim + BOWL_WALL),
            Vec2::new(BOWL_RADIUS, rim),
            Vec2::new(BOWL_HOLE, 0.0),
            Vec2::new(BOWL_HOLE, -0.015),
        ],
        0.012,
    );
    revolved(&curve)
}

fn bowl_height(r: f32) -> f32 {
    (r - BOWL_HOLE) * libm::tanf(BOWL_SLOPE)
}

/// Blades along the bowl's slope, on spokes from an axle over the hole. Between blades, axle and wall there is room for a marble.
fn mixer() -> Vec<(Vec3, Isometry3d)> {
    let blade = Vec3::new(0.125, 0.034, 0.006);
    let middle = 0.11;
    let height = bowl_height(middle) + (CLEARANCE + 0.5 * blade.y) / libm::cosf(BOWL_SLOPE);
    let spoke = Vec3::new(middle, 0.008, 0.006);
    let spoke_height = height + 0.5 * blade.y;
    let axle = Vec3::new(0.014, 0.05, 0.014);
    let arms = (0..ARMS).flat_map(|k| {
        let turn = turned(Vec3::Y, TAU * k as f32 / ARMS as f32);
        let place = |x: f32, y: f32, tilt: f32| {
            let rotation = turn * turned(Vec3::Z, tilt);
            Isometry3d::new(turn * Vec3::new(x, y, 0.0), rotation)
        };
        [
            (blade, place(middle, height, BOWL_SLOPE)),
            (spoke, place(0.5 * middle, spoke_height, 0.0)),
        ]
    });
    let axle_place = Isometry3d::from_translation(Vec3::Y * (spoke_height + 0.5 * axle.y));
    arms.chain([(axle, axle_place)]).collect()
}

fn tray() -> Sheet {
    let rim = tray_height(TRAY_RADIUS);
    let curve = rounded(
        &[
            Vec2::new(TRAY_RADIUS, rim + TRAY_WALL),
            Vec2::new(TRAY_RADIUS, rim),
            Vec2::new(MOUTH_RADIUS, 0.0),
            Vec2::new(MOUTH_RADIUS, MOUTH_FLOOR - 0.002),
        ],
        0.01,
    );
    revolved(&curve)
}

pub(super) fn posts() -> Vec<Vec3> {
    let behind = |middle: Vec3, radius: f32, rise: f32| middle + Vec3::new(0.0, rise, -radius);
    vec![
        behind(funnel_place(), FUNNEL_RADIUS + 0.008, 0.0),
        behind(bowl_place(), BOWL_RADIUS + 0.012, bowl_height(BOWL_RADIUS)),
    ]
}

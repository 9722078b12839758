//! The Galton board: rows of pegs between a board and a glass.

use std::f32::consts::FRAC_PI_2;

use bevy::{math::Affine3A, prelude::*};

use super::{Form, Look, MARBLE, Piece, stairs::outlet};
use crate::marbles::path::turned;

const WIDTH: f32 = 0.4;
/// Of the part under the glass.
const HEIGHT: f32 = 0.36;
/// Of the part over the glass, on which marbles land.
const LANDING: f32 = 0.15;
/// Between board and glass: marbles lie in one layer.
const DEPTH: f32 = 0.022;
const THICKNESS: f32 = 0.004;
/// How far the hood over the glass leans out, in m.
const HOOD: f32 = 0.08;
/// From the vertical, in rad.
const TILT: f32 = 0.5;
/// Rows of pegs.
pub(in crate::marbles) const ROWS: u32 = 10;
/// Between two pegs of a row, in m.
const PITCH: f32 = 0.034;
const ROW_HEIGHT: f32 = 0.027;
/// A marble bounces between pegs that leave a gap of one and a half marbles, and forgets on which side it came: so each peg decides
/// anew. Thin pegs would let it go on to the same side, row by row.
const PEG_RADIUS: f32 = 0.0052;
/// Half of the gap over the uppermost peg, in m.
const INLET: f32 = 0.020;

/// The frame of the board: X to the right, Y up along the board, Z towards the glass. Its origin is on the board, in the middle of
/// the glass's upper edge.
fn frame() -> Transform {
    let landing = 0.5 * LANDING;
    let rotation = turned(Vec3::X, -TILT);
    // The middle of the landing is under the outlet.
    let middle = outlet() - 0.085 * Vec3::Y;
    Transform {
        translation: middle - rotation * Vec3::Y * landing,
        rotation,
        ..default()
    }
}

/// Where the board is, for the question into which bin a marble falls.
pub(in crate::marbles) struct Board {
    /// From the world's frame to the board's.
    to_frame: Affine3A,
}

impl Default for Board {
    fn default() -> Self {
        Self {
            to_frame: frame().compute_affine().inverse(),
        }
    }
}

impl Board {
    /// The gap of a row that the way of a step, from one point to another, leads down through: how many half pitches to the right of
    /// the middle it is. `None` if the way does not come from above the row's pegs to below them.
    pub fn gap(&self, row: u32, from: Vec3, to: Vec3) -> Option<i32> {
        let [from, to] = [from, to].map(|x| self.to_frame.transform_point3(x));
        let y = row_height(row);
        if from.y < y || to.y >= y || from.z.abs() > 2.0 * DEPTH {
            return None;
        }
        let x = from.lerp(to, (from.y - y) / (from.y - to.y)).x / PITCH;
        let first = row_shift(row);
        Some((2.0 * ((x - first).floor() + first) + 1.0) as i32)
    }
}

/// Where the pegs of a row are along the board, in m.
fn row_height(row: u32) -> f32 {
    -0.055 - ROW_HEIGHT * row as f32
}

/// How far the pegs of a row are to the right of whole pitches, in pitches.
fn row_shift(row: u32) -> f32 {
    0.5 * (row % 2) as f32
}

pub(super) fn gate() -> (Vec3, Vec3) {
    let middle = frame().transform_point(Vec3::new(0.0, -0.2, 0.5 * DEPTH));
    (middle, Vec3::new(0.5 * WIDTH, 0.04, 0.04))
}

pub(super) fn pieces() -> Vec<Piece> {
    let frame = frame();
    let put = |form: Form, look: Look, x: Vec3, rotation: Quat| {
        let place = frame * Transform::from_translation(x).with_rotation(rotation);
        Piece::new(form, look, place)
    };
    let whole = HEIGHT + LANDING;
    let middle = 0.5 * (LANDING - HEIGHT);
    let board = Vec3::new(WIDTH, whole, THICKNESS);
    let glass = Vec3::new(WIDTH, HEIGHT, THICKNESS);
    let side = Vec3::new(THICKNESS, whole, DEPTH);
    let none = Quat::IDENTITY;
    let mut pieces = vec![
        put(
            Form::block(board),
            Look::Board,
            Vec3::new(0.0, middle, -0.5 * THICKNESS),
            none,
        ),
        put(
            Form::block(glass),
            Look::Glass,
            Vec3::new(0.0, -0.5 * HEIGHT, DEPTH + 0.5 * THICKNESS),
            none,
        ),
    ];
    // A hood from the glass's upper edge outwards: marbles that bounce off the landing come back.
    let hood = Vec2::new(LANDING, HOOD);
    pieces.push(put(
        Form::block(Vec3::new(WIDTH, hood.length(), THICKNESS)),
        Look::Glass,
        Vec3::new(0.0, 0.5 * LANDING, DEPTH + THICKNESS + 0.5 * HOOD),
        turned(Vec3::X, libm::atan2f(hood.y, hood.x)),
    ));
    for sign in [-1.0, 1.0] {
        let x = Vec3::new(sign * 0.5 * WIDTH, middle, 0.5 * DEPTH);
        pieces.push(put(Form::block(side), Look::Board, x, none));
        // A guide from the upper corner to the inlet.
        let (high, low) = (
            Vec3::new(sign * 0.5 * WIDTH, 0.5 * LANDING, 0.5 * DEPTH),
            Vec3::new(sign * INLET, -0.025, 0.5 * DEPTH),
        );
        let way = high - low;
        let guide = Vec3::new(way.length(), THICKNESS, DEPTH);
        let turn = turned(Vec3::Z, libm::atan2f(way.y, way.x));
        pieces.push(put(
            Form::block(guide),
            Look::Board,
            high.midpoint(low),
            turn,
        ));
    }
    let across = turned(Vec3::X, FRAC_PI_2);
    for row in 0..ROWS {
        let (shift, y) = (row_shift(row), row_height(row));
        for k in -6..=6 {
            let x = PITCH * (k as f32 + shift);
            // Between the last peg and the side, a marble must not stay.
            if x.abs() < 0.5 * WIDTH - THICKNESS - PEG_RADIUS - 2.0 * MARBLE {
                let place = Vec3::new(x, y, 0.5 * DEPTH);
                pieces.push(put(Form::Post(PEG_RADIUS, DEPTH), Look::Peg, place, across));
            }
        }
    }
    pieces
}

pub(super) fn posts() -> Vec<Vec3> {
    [-1.0, 1.0]
        .map(|sign| frame().transform_point(Vec3::new(sign * 0.3 * WIDTH, -0.1, -0.012)))
        .into()
}

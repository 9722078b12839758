//! The marble run: its pieces, from the top down.
//!
//! A lift brings marbles up to the spiral. From there they run through a loop, jump into a funnel, are stirred by a mixer, hop down
//! stairs, and fall between the pegs of a Galton board. All of them fall into the tray, and roll to the lift in its middle.

mod board;
mod stairs;
mod track;
mod vessels;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::sheet::Sheet;

#[cfg(test)]
pub(super) use self::stairs::outlet;
pub(super) use self::{
    board::{Board, ROWS},
    track::lift,
    vessels::{MOUTH_FLOOR, MOUTH_RADIUS, TRAY_RADIUS, bowl_place, tray_height},
};

/// Radius of a marble in m.
pub(super) const MARBLE: f32 = 0.008;

/// Thickness of all sheets in m, as they are drawn.
const SHEET: f32 = 0.002;

/// Rolling friction of a marble on a hard piece.
pub(super) const HARD: f32 = 0.002;

/// A part of the run that stands still or turns.
pub(super) struct Piece {
    pub form: Form,
    pub place: Transform,
    pub look: Look,
    /// Angular velocity about its own axis Y in rad/s.
    pub turn: f32,
    pub rolling_friction: f32,
}

impl Piece {
    fn new(form: Form, look: Look, place: Transform) -> Self {
        Self {
            form,
            place,
            look,
            turn: 0.0,
            rolling_friction: HARD,
        }
    }
}

/// The form of a piece.
pub(super) enum Form {
    /// A curved sheet.
    Sheet(Sheet),
    /// Boxes that move as one: the edges of each in m, and its place.
    Blocks(Vec<(Vec3, Isometry3d)>),
    /// A cylinder along Y: radius and height in m.
    Post(f32, f32),
}

impl Form {
    fn block(size: Vec3) -> Self {
        Self::Blocks(vec![(size, Isometry3d::IDENTITY)])
    }

    pub fn collider(&self) -> Collider {
        match self {
            Self::Sheet(sheet) => Collider::smooth_from_mesh(&sheet.skin(), MeshSides::Two),
            Self::Post(radius, height) => Collider::cylinder(*radius, *height),
            Self::Blocks(blocks) => {
                let colliders: Vec<(Isometry3d, Collider)> = blocks
                    .iter()
                    .map(|&(Vec3 { x, y, z }, place)| (place, Collider::cuboid(x, y, z)))
                    .collect();
                Collider::compound(colliders.iter().map(|(place, block)| (*place, block)))
            }
        }
    }

    /// The same form, as it is drawn.
    pub fn mesh(&self) -> Mesh {
        match self {
            Self::Sheet(sheet) => sheet.shell(SHEET),
            Self::Post(radius, height) => Cylinder::new(*radius, *height)
                .mesh()
                .resolution(20)
                .build(),
            Self::Blocks(blocks) => {
                let mut boxes = blocks.iter().map(|&(size, place)| {
                    let place = Transform::from_isometry(place);
                    Cuboid::from_size(size).mesh().build().transformed_by(place)
                });
                let mut all = boxes
                    .next()
                    .unwrap_or_else(|| Cuboid::default().mesh().build());
                for block in boxes {
                    all.merge(&block)
                        .expect("all boxes have the same attributes");
                }
                all
            }
        }
    }
}

/// How a piece is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Look {
    Track,
    Funnel,
    Bowl,
    Mixer,
    Stairs,
    Board,
    Peg,
    Tray,
    Post,
    /// Clear: the marbles behind it are seen.
    Glass,
}

/// The parts of the run that a marble must pass, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Station {
    /// The end of the spiral.
    Spiral,
    /// The top of the loop.
    Loop,
    /// The funnel, into which marbles jump.
    Funnel,
    /// The bowl with the mixer.
    Mixer,
    /// The stairs.
    Stairs,
    /// The Galton board.
    Board,
}

impl Station {
    /// All of them, from the top down.
    pub const ALL: [Self; 6] = [
        Self::Spiral,
        Self::Loop,
        Self::Funnel,
        Self::Mixer,
        Self::Stairs,
        Self::Board,
    ];

    /// Its name, as it is shown.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spiral => "spiral",
            Self::Loop => "loop",
            Self::Funnel => "funnel",
            Self::Mixer => "mixer",
            Self::Stairs => "stairs",
            Self::Board => "Galton board",
        }
    }

    /// Middle and half edges in m of a box that every marble on its way passes.
    pub fn gate(self) -> (Vec3, Vec3) {
        match self {
            Self::Spiral => track::spiral_gate(),
            Self::Loop => track::loop_gate(),
            Self::Funnel => vessels::funnel_gate(),
            Self::Mixer => vessels::bowl_gate(),
            Self::Stairs => stairs::gate(),
            Self::Board => board::gate(),
        }
    }
}

/// Everything that marbles collide with.
pub(super) fn pieces() -> Vec<Piece> {
    let mut pieces = vec![track::piece()];
    pieces.extend(vessels::pieces());
    pieces.extend(stairs::pieces());
    pieces.extend(board::pieces());
    pieces.extend(posts());
    pieces
}

/// What holds the pieces up: x and z of each post, and the height of its top.
fn posts() -> impl Iterator<Item = Piece> {
    const RADIUS: f32 = 0.007;
    let places = track::posts().into_iter().chain(vessels::posts());
    let places = places.chain(stairs::posts()).chain(board::posts());
    places.map(|top| {
        let foot = tray_height(top.xz().length());
        let height = top.y - foot;
        let middle = top.with_y(foot + 0.5 * height);
        Piece::new(
            Form::Post(RADIUS, height),
            Look::Post,
            Transform::from_translation(middle),
        )
    })
}

//! The cushions, and the rails behind them.

use bevy::math::Vec2;

use super::spec::{HALF, POOL_POCKETS, PocketSpecs};

/// Radius of the nose, and so of the capsules that cushions are made of.
pub const NOSE_RADIUS: f32 = 0.012;
/// From the nose back to the wood of the rail.
pub const CUSHION_DEPTH: f32 = 0.05;
/// Top of the rails above the cloth.
pub const RAIL_HEIGHT: f32 = 0.05;
/// From the nose to the outer edge of the wood.
pub const RAIL_WIDTH: f32 = 0.18;

/// One of the straight pieces of cushion.
#[derive(Clone, Copy, Debug)]
pub struct Cushion {
    /// The two ends of the nose line.
    pub tips: [Vec2; 2],
    /// Unit vectors from the tips into the pockets, along the cushion's end faces.
    pub facings: [Vec2; 2],
    /// Unit vector from the playing surface into the cushion.
    pub outward: Vec2,
}

impl Cushion {
    /// A cushion whose nose starts and ends `start` and `end` along `outward` turned left, on the nose line at
    /// `distance` from the table's middle; `turns` are the angles in degrees by which its ends turn into the pockets.
    fn new(outward: Vec2, distance: f32, (start, end): (f32, f32), turns: [f32; 2]) -> Self {
        let along = outward.perp();
        let facing = |along: Vec2, turn: f32| {
            let (sin, cos) = turn.to_radians().sin_cos();
            along * cos + outward * sin
        };
        Self {
            tips: [start, end].map(|t| outward * distance + along * t),
            facings: [facing(-along, turns[0]), facing(along, turns[1])],
            outward,
        }
    }

    /// The point `depth` behind the nose line on the end face at tip `end`.
    pub fn face(&self, end: usize, depth: f32) -> Vec2 {
        let facing = self.facings[end];
        self.tips[end] + facing * (depth / facing.dot(self.outward))
    }

    /// The axis of the capsules, through four points: nose and end faces lie [`NOSE_RADIUS`] in front of it.
    pub fn axis(&self) -> [Vec2; 4] {
        let inner = [0, 1].map(|end| {
            let along = (self.tips[end] - self.tips[1 - end]).normalize();
            let turn = along.angle_to(self.facings[end]).abs();
            self.tips[end] + NOSE_RADIUS * (self.outward - along * (turn / 2.0).tan())
        });
        let outer = [0, 1].map(|end| {
            let facing = self.facings[end];
            inner[end] + facing * ((CUSHION_DEPTH - NOSE_RADIUS) / facing.dot(self.outward))
        });
        [outer[0], inner[0], inner[1], outer[1]]
    }
}

/// The six cushions of a table with pockets.
pub(super) fn between_pockets(
    half: Vec2,
    PocketSpecs { corner, side }: &PocketSpecs,
) -> [Cushion; 6] {
    let cut = corner.mouth * std::f32::consts::FRAC_1_SQRT_2;
    let short = (cut - half.y, half.y - cut);
    let long = (side.mouth / 2.0, half.x - cut);
    let long_back = (-long.1, -long.0);
    let turns = [side.turn, corner.turn];
    let turns_back = [corner.turn, side.turn];
    [
        Cushion::new(Vec2::X, half.x, short, [corner.turn; 2]),
        Cushion::new(Vec2::NEG_X, half.x, short, [corner.turn; 2]),
        Cushion::new(Vec2::Y, half.y, long, turns),
        Cushion::new(Vec2::Y, half.y, long_back, turns_back),
        Cushion::new(Vec2::NEG_Y, half.y, long, turns),
        Cushion::new(Vec2::NEG_Y, half.y, long_back, turns_back),
    ]
}

/// The four cushions of a table without pockets, mitred at the corners.
pub(super) fn from_corner_to_corner(half: Vec2) -> [Cushion; 4] {
    let mitre = [45.0; 2];
    [
        Cushion::new(Vec2::X, half.x, (-half.y, half.y), mitre),
        Cushion::new(Vec2::NEG_X, half.x, (-half.y, half.y), mitre),
        Cushion::new(Vec2::Y, half.y, (-half.x, half.x), mitre),
        Cushion::new(Vec2::NEG_Y, half.y, (-half.x, half.x), mitre),
    ]
}

/// The six cushions of the 9-foot pool table.
pub fn cushions() -> [Cushion; 6] {
    between_pockets(HALF, &POOL_POCKETS)
}

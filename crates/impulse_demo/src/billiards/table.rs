//! The table: its measures, and the cloth and cushions that the balls meet.
//!
//! A point of the bed is a [`Vec2`] of world x (along the table) and z (across it); the cloth is at height 0.

use bevy::prelude::*;
use bevy_impulse_collide::{body::Fixed, prelude::*};

use super::balls::RADIUS;

/// Half the length and half the width of the playing surface of a 9-foot table, from nose to nose, in metres.
pub const HALF: Vec2 = Vec2::new(1.27, 0.635);
/// Where the cue ball starts: a quarter of the table from the head cushion.
pub const HEAD_SPOT: Vec2 = Vec2::new(-HALF.x / 2.0, 0.0);
/// Where the first ball of the rack stands.
pub const FOOT_SPOT: Vec2 = Vec2::new(HALF.x / 2.0, 0.0);
/// Height at which a cushion's nose meets a ball: 63.5 % of the ball's diameter.
pub const NOSE_HEIGHT: f32 = 0.635 * 2.0 * RADIUS;
/// Radius of the nose, and so of the capsules that cushions are made of.
pub const NOSE_RADIUS: f32 = 0.012;
/// From the nose back to the wood of the rail.
pub const CUSHION_DEPTH: f32 = 0.05;
/// Top of the rails above the cloth.
pub const RAIL_HEIGHT: f32 = 0.05;
/// From the nose to the outer edge of the wood.
pub const RAIL_WIDTH: f32 = 0.18;

/// Between the two tips of cushion at a corner pocket and at a side pocket.
const CORNER_MOUTH: f32 = 0.118;
const SIDE_MOUTH: f32 = 0.137;
/// How far a cushion's end turns away from its nose line into the pocket.
const CORNER_TURN: f32 = 38.0;
const SIDE_TURN: f32 = 76.0;

/// A hole in the bed. A ball whose centre comes over it falls.
#[derive(Clone, Copy, Debug)]
pub struct Pocket {
    /// Centre of the hole.
    pub center: Vec2,
    /// Radius of the hole.
    pub radius: f32,
}

const fn corner(x: f32, z: f32) -> Pocket {
    const OFFSET: f32 = 0.0295;
    Pocket {
        center: Vec2::new(x * (HALF.x + OFFSET), z * (HALF.y + OFFSET)),
        radius: 0.062,
    }
}

const fn side(z: f32) -> Pocket {
    const OFFSET: f32 = 0.0685;
    Pocket {
        center: Vec2::new(0.0, z * (HALF.y + OFFSET)),
        radius: 0.0645,
    }
}

/// The six pockets: four corners and the middle of both long sides.
pub const POCKETS: [Pocket; 6] = [
    corner(-1.0, -1.0),
    side(-1.0),
    corner(1.0, -1.0),
    corner(1.0, 1.0),
    side(1.0),
    corner(-1.0, 1.0),
];

/// One of the six straight pieces of cushion.
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

/// The six cushions.
pub fn cushions() -> [Cushion; 6] {
    let corner = CORNER_MOUTH * std::f32::consts::FRAC_1_SQRT_2;
    let short = (corner - HALF.y, HALF.y - corner);
    let long = (SIDE_MOUTH / 2.0, HALF.x - corner);
    let long_back = (-long.1, -long.0);
    [
        Cushion::new(Vec2::X, HALF.x, short, [CORNER_TURN; 2]),
        Cushion::new(Vec2::NEG_X, HALF.x, short, [CORNER_TURN; 2]),
        Cushion::new(Vec2::Y, HALF.y, long, [SIDE_TURN, CORNER_TURN]),
        Cushion::new(Vec2::Y, HALF.y, long_back, [CORNER_TURN, SIDE_TURN]),
        Cushion::new(Vec2::NEG_Y, HALF.y, long, [SIDE_TURN, CORNER_TURN]),
        Cushion::new(Vec2::NEG_Y, HALF.y, long_back, [CORNER_TURN, SIDE_TURN]),
    ]
}

/// A point `height` above the point `at` of the bed.
pub fn above(at: Vec2, height: f32) -> Vec3 {
    Vec3::new(at.x, height, at.y)
}

/// Spawns the cloth and, for every cushion, a capsule along the nose and one along each end face.
pub(super) fn spawn_table(mut commands: Commands) {
    commands.spawn((
        Name::new("Cloth"),
        Plane::new(Vec3::Y),
        // Real cushions hold a ball long enough for the slate to take its hop; ours are rigid, so the cloth does.
        Restitution(0.1),
        Friction(0.2),
        RollingFriction(0.01),
        SpinningFriction(0.044),
    ));
    for cushion in cushions() {
        for ends in cushion.axis().windows(2) {
            let [from, to] = [ends[0], ends[1]].map(|end| above(end, NOSE_HEIGHT));
            commands.spawn((
                Name::new("Cushion"),
                Capsule::new(NOSE_RADIUS, from.distance(to)),
                Fixed,
                Restitution(0.85),
                Friction(0.14),
                Transform::from_translation(from.midpoint(to))
                    .with_rotation(Quat::from_rotation_arc(Vec3::Y, (to - from).normalize())),
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pockets_are_as_wide_as_they_should_be() {
        let tips: Vec<Vec2> = cushions().iter().flat_map(|cushion| cushion.tips).collect();
        for pocket in POCKETS {
            let mut near = tips.clone();
            near.sort_by(|a, b| {
                a.distance(pocket.center)
                    .total_cmp(&b.distance(pocket.center))
            });
            let mouth = if pocket.center.x == 0.0 {
                SIDE_MOUTH
            } else {
                CORNER_MOUTH
            };
            assert!(
                (near[0].distance(near[1]) - mouth).abs() < 1e-5,
                "{pocket:?}"
            );
        }
    }

    #[test]
    fn capsules_lie_behind_nose_and_faces() {
        for cushion in cushions() {
            let axis = cushion.axis();
            for end in [0, 1] {
                let nose = (axis[1 + end] - cushion.tips[end]).dot(cushion.outward);
                let face = cushion.facings[end]
                    .perp_dot(axis[1 + end] - cushion.tips[end])
                    .abs();
                assert!((nose - NOSE_RADIUS).abs() < 1e-6, "{nose}");
                assert!((face - NOSE_RADIUS).abs() < 1e-6, "{face}");
                assert!(cushion.outward.dot(cushion.facings[end]) > 0.0);
            }
        }
    }
}

//! The table: its measures, and the cloth and cushions that the balls meet.
//!
//! A point of the bed is a [`Vec2`] of world x (along the table) and z (across it); the cloth is at height 0. The constants are
//! those of the 9-foot pool table, the one that is drawn; the resource [`Table`] is the one that is played on.

use bevy::prelude::*;
use bevy_impulse_collide::{body::Fixed, prelude::*};

use super::spec::{POOL_9, POOL_POCKETS, PocketSpec, PocketSpecs, TableSpec};

/// Half the length and half the width of the playing surface, from nose to nose, in metres.
pub const HALF: Vec2 = POOL_9.half;
/// Where the cue ball starts: a quarter of the table from the head cushion.
pub const HEAD_SPOT: Vec2 = POOL_9.head_spot();
/// Where the first ball of the rack stands.
pub const FOOT_SPOT: Vec2 = POOL_9.foot_spot();
/// Height at which a cushion's nose meets a ball.
pub const NOSE_HEIGHT: f32 = POOL_9.cushion.nose_height;
/// Radius of the nose, and so of the capsules that cushions are made of.
pub const NOSE_RADIUS: f32 = 0.012;
/// From the nose back to the wood of the rail.
pub const CUSHION_DEPTH: f32 = 0.05;
/// Top of the rails above the cloth.
pub const RAIL_HEIGHT: f32 = 0.05;
/// From the nose to the outer edge of the wood.
pub const RAIL_WIDTH: f32 = 0.18;
/// The six pockets: four corners and the middle of both long sides.
pub const POCKETS: [Pocket; 6] = place_pockets(HALF, &POOL_POCKETS);

impl TableSpec {
    /// A quarter of the table from the head cushion.
    pub const fn head_spot(&self) -> Vec2 {
        Vec2::new(-0.5 * self.half.x, 0.0)
    }

    /// A quarter of the table from the foot cushion.
    pub const fn foot_spot(&self) -> Vec2 {
        Vec2::new(0.5 * self.half.x, 0.0)
    }

    /// Height of the axis of a nose of `nose_radius` m that meets a ball at the cushion's height.
    pub fn nose_axis(&self, nose_radius: f32) -> f32 {
        let (nose, radius) = (self.cushion.nose_height, self.ball.radius);
        radius + (nose - radius) * (radius + nose_radius) / radius
    }
}

/// A hole in the bed. A ball whose centre comes over it falls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pocket {
    /// Centre of the hole.
    pub center: Vec2,
    /// Radius of the hole.
    pub radius: f32,
}

/// The holes of a table whose playing surface reaches to `half`.
const fn place_pockets(half: Vec2, PocketSpecs { corner, side }: &PocketSpecs) -> [Pocket; 6] {
    const fn behind_mouth(pocket: &PocketSpec) -> f32 {
        pocket.shelf + pocket.hole
    }
    const fn hole(x: f32, y: f32, pocket: &PocketSpec) -> Pocket {
        Pocket {
            center: Vec2::new(x, y),
            radius: pocket.hole,
        }
    }
    // The middle of the mouth is half a mouth inside the corner.
    let out = (behind_mouth(corner) - 0.5 * corner.mouth) * std::f32::consts::FRAC_1_SQRT_2;
    let (x, y) = (half.x + out, half.y + out);
    let y_side = half.y + behind_mouth(side);
    [
        hole(-x, -y, corner),
        hole(0.0, -y_side, side),
        hole(x, -y, corner),
        hole(x, y, corner),
        hole(0.0, y_side, side),
        hole(-x, y, corner),
    ]
}

/// The table that is played on.
#[derive(Resource, Clone, Debug)]
pub struct Table {
    /// Its measures and materials.
    pub spec: &'static TableSpec,
    /// Its straight pieces of cushion.
    pub cushions: Vec<Cushion>,
    /// Its holes, none on a carom table.
    pub pockets: Vec<Pocket>,
}

impl Table {
    /// Of these measures.
    pub fn new(spec: &'static TableSpec) -> Self {
        let (cushions, pockets) = match &spec.pockets {
            Some(pockets) => (
                between_pockets(spec.half, pockets).to_vec(),
                place_pockets(spec.half, pockets).to_vec(),
            ),
            None => (from_corner_to_corner(spec.half).to_vec(), Vec::new()),
        };
        Self {
            spec,
            cushions,
            pockets,
        }
    }

    /// Where a ball's centre is when it lies on the point `at` of the bed.
    pub fn lying(&self, at: Vec2) -> Vec3 {
        above(at, self.spec.ball.radius)
    }
}

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
fn between_pockets(half: Vec2, PocketSpecs { corner, side }: &PocketSpecs) -> [Cushion; 6] {
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
fn from_corner_to_corner(half: Vec2) -> [Cushion; 4] {
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

/// A point `height` above the point `at` of the bed.
pub fn above(at: Vec2, height: f32) -> Vec3 {
    Vec3::new(at.x, height, at.y)
}

/// Spawns the cloth and, for every cushion, a capsule along the nose and one along each end face.
pub(super) fn spawn_table(mut commands: Commands, table: Res<Table>, gravity: Res<Gravity>) {
    let TableSpec {
        ball,
        cloth,
        cushion,
        ..
    } = table.spec;
    commands.spawn((
        Name::new("Cloth"),
        Plane::new(Vec3::Y),
        Restitution(cloth.restitution),
        Friction(cloth.sliding),
        RollingFriction(cloth.rolling),
        SpinningFriction(cloth.spinning(ball.radius, gravity.0.length())),
    ));
    let height = table.spec.nose_axis(NOSE_RADIUS);
    for piece in &table.cushions {
        for ends in piece.axis().windows(2) {
            let [from, to] = [ends[0], ends[1]].map(|end| above(end, height));
            commands.spawn((
                Name::new("Cushion"),
                Capsule::new(NOSE_RADIUS, from.distance(to)),
                Fixed,
                Restitution(cushion.restitution),
                Friction(cushion.friction),
                Transform::from_translation(from.midpoint(to))
                    .with_rotation(Quat::from_rotation_arc(Vec3::Y, (to - from).normalize())),
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;
    use crate::billiards::spec::TableKind;

    fn tables() -> impl Iterator<Item = Table> {
        TableKind::value_variants()
            .iter()
            .map(|kind| Table::new(kind.spec()))
    }

    #[test]
    fn pockets_are_as_wide_as_they_should_be() {
        for table in tables() {
            for pocket in &table.pockets {
                let tips = table.cushions.iter().flat_map(|cushion| cushion.tips);
                let mut near: Vec<Vec2> = tips.collect();
                near.sort_by(|a, b| {
                    a.distance(pocket.center)
                        .total_cmp(&b.distance(pocket.center))
                });
                let specs = table.spec.pockets.unwrap();
                let spec = if pocket.center.x == 0.0 {
                    specs.side
                } else {
                    specs.corner
                };
                let mouth = near[0].distance(near[1]);
                assert!((mouth - spec.mouth).abs() < 1e-5, "{pocket:?}");
                let shelf = near[0].midpoint(near[1]).distance(pocket.center) - pocket.radius;
                assert!((shelf - spec.shelf).abs() < 1e-5, "{pocket:?}");
            }
        }
    }

    #[test]
    fn a_table_without_pockets_is_closed() {
        let table = Table::new(TableKind::Carom.spec());
        let ends = |cushion: &Cushion| [cushion.axis()[1], cushion.axis()[2]];
        for cushion in &table.cushions {
            for end in ends(cushion) {
                let others = table
                    .cushions
                    .iter()
                    .filter(|c| c.outward != cushion.outward);
                let gap = others
                    .flat_map(ends)
                    .map(|other| other.distance(end))
                    .fold(f32::INFINITY, f32::min);
                assert!(gap < 2.0 * NOSE_RADIUS, "{gap}");
            }
        }
    }

    #[test]
    fn the_round_nose_meets_a_ball_at_its_height() {
        for table in tables() {
            let spec = table.spec;
            let radius = spec.ball.radius;
            // The contact is on the line from the ball's centre to the nose's axis.
            let sine = (spec.nose_axis(NOSE_RADIUS) - radius) / (radius + NOSE_RADIUS);
            let height = radius + radius * sine;
            assert!((height - spec.cushion.nose_height).abs() < 1e-6);
        }
    }

    #[test]
    fn capsules_lie_behind_nose_and_faces() {
        for cushion in tables().flat_map(|table| table.cushions) {
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

//! The bed: the cloth and the cushions that the balls meet.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{
    cushion::{Cushion, NOSE_RADIUS, between_pockets, from_corner_to_corner},
    pocket::{Pocket, place_pockets},
    rubber::Rubber,
    spec::TableSpec,
};

/// Gap between a ball put back and the other balls.
const CLEARANCE: f32 = 1e-4;

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

    /// The free place for a ball nearest to `spot` on the line across the table through it, or that line's end when full.
    pub fn free_place(&self, spot: Vec2, others: &[Vec2]) -> Vec2 {
        let radius = self.spec.ball.radius;
        let step = radius / 4.0;
        let reach = self.spec.half.y - radius;
        let free = |at: &Vec2| {
            others
                .iter()
                .all(|other| other.distance(*at) > 2.0 * radius + CLEARANCE)
        };
        (0..)
            .map(|i| step * i as f32)
            .take_while(|offset| *offset <= reach)
            .flat_map(|offset| [offset, -offset])
            .map(|offset| spot + Vec2::Y * offset)
            .find(free)
            .unwrap_or(spot + Vec2::Y * reach)
    }
}

/// A point `height` above the point `at` of the bed.
pub fn above(at: Vec2, height: f32) -> Vec3 {
    Vec3::new(at.x, height, at.y)
}

/// The place of the cloth in the order of the bodies. The cushions follow, then the balls: the order is the same on all machines that
/// play at one table.
const CLOTH_ORDER: u64 = 0;

/// A body of the table: cloth and cushions.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct TablePart;

/// Spawns the cloth and, for every cushion, a capsule along the nose and one along each end face.
pub(crate) fn spawn_table(mut commands: Commands, table: Res<Table>, gravity: Res<Gravity>) {
    let TableSpec {
        ball,
        cloth,
        cushion,
        ..
    } = table.spec;
    commands.spawn((
        Name::new("Cloth"),
        TablePart,
        BodyOrder(CLOTH_ORDER),
        Plane::new(Vec3::Y),
        Restitution(cloth.restitution),
        Friction(cloth.sliding),
        RollingFriction(cloth.rolling),
        SpinningFriction(cloth.spinning(ball.radius, gravity.0.length())),
    ));
    let height = table.spec.nose_axis(NOSE_RADIUS);
    let mut orders = CLOTH_ORDER + 1..;
    for piece in &table.cushions {
        for ends in piece.axis().windows(2) {
            let [from, to] = [ends[0], ends[1]].map(|end| above(end, height));
            commands.spawn((
                Name::new("Cushion"),
                TablePart,
                Rubber,
                BodyOrder(orders.next().unwrap_or(u64::MAX)),
                Capsule::new(NOSE_RADIUS, from.distance(to)),
                RigidBody::Static,
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
    use crate::table::spec::{HEAD_SPOT, POOL_9, RADIUS, TableKind};

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

    #[test]
    fn a_taken_spot_yields_the_nearest_free_place() {
        let table = Table::new(&POOL_9);
        assert_eq!(table.free_place(HEAD_SPOT, &[]), HEAD_SPOT);
        let place = table.free_place(HEAD_SPOT, &[HEAD_SPOT]);
        let off = place.distance(HEAD_SPOT);
        assert!(off > 2.0 * RADIUS && off < 2.5 * RADIUS, "{off}");
    }
}

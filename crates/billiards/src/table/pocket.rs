//! The pockets.

use bevy::math::{Vec2, Vec3, Vec3Swizzles, primitives::Segment2d};

use super::{
    cushion::RAIL_HEIGHT,
    spec::{HALF, POOL_POCKETS, PocketSpec, PocketSpecs, RADIUS},
};

/// The six pockets of the 9-foot pool table: four corners and the middle of both long sides.
pub const POCKETS: [Pocket; 6] = place_pockets(HALF, &POOL_POCKETS);

/// A hole in the bed. A ball whose centre comes over it falls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pocket {
    /// Centre of the hole.
    pub center: Vec2,
    /// Radius of the hole.
    pub radius: f32,
}

/// The holes of a table whose playing surface reaches to `half`.
pub(super) const fn place_pockets(
    half: Vec2,
    PocketSpecs { corner, side }: &PocketSpecs,
) -> [Pocket; 6] {
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

impl Pocket {
    /// Whether a ball whose centre went straight from `from` to `to` came over the hole.
    pub fn takes(&self, from: Vec3, to: Vec3) -> bool {
        let way = Segment2d::new(from.xz(), to.xz());
        let over = way.closest_point(self.center).distance(self.center) < self.radius;
        // Higher up it flies over.
        over && to.y < RAIL_HEIGHT + RADIUS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fast_ball_cannot_skip_a_pocket() {
        let pocket = POCKETS[0];
        let center = Vec3::new(pocket.center.x, RADIUS, pocket.center.y);
        let along = Vec3::new(0.1, 0.0, 0.1);
        assert!(pocket.takes(center - along, center + along));
        assert!(!pocket.takes(center - along, center - 0.5 * along));
        let high = Vec3::Y * 0.2;
        assert!(!pocket.takes(center - along + high, center + along + high));
    }
}

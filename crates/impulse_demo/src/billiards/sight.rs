//! Where the cue ball will go: its disc swept along a straight line over the bed, against balls, cushions and pockets.

use bevy::prelude::*;

use super::{
    balls::RADIUS,
    spec::POOL_9,
    table::{NOSE_RADIUS, POCKETS, cushions},
};

/// What the cue ball meets first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// A ball, whose centre is here.
    Ball(Vec2),
    /// A cushion.
    Cushion,
    /// A hole.
    Pocket,
}

/// The end of the cue ball's straight way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sighting {
    /// The cue ball's centre when it gets there.
    pub center: Vec2,
    /// From what it meets to the cue ball, a unit vector.
    pub normal: Vec2,
    /// What it meets.
    pub target: Target,
}

/// Looks from `origin` along the unit vector `direction` over a bed with `balls` on it.
///
/// It finds something from any place on the bed, but none if `origin` is beyond the cushions.
pub fn sight(origin: Vec2, direction: Vec2, balls: impl Iterator<Item = Vec2>) -> Option<Sighting> {
    // A ball meets a nose that is higher than its centre before their outlines touch, as seen from above.
    let above_center = POOL_9.nose_axis(NOSE_RADIUS) - RADIUS;
    let reach = ((RADIUS + NOSE_RADIUS).powi(2) - above_center.powi(2)).sqrt();
    let noses = cushions();
    let noses = noses.iter().flat_map(|cushion| {
        let axis = cushion.axis();
        [0, 1, 2].map(|i| [axis[i], axis[i + 1]])
    });
    let balls = balls.filter_map(|ball| {
        let distance = to_circle(origin, direction, ball, 2.0 * RADIUS)?;
        Some((distance, ball, Target::Ball(ball)))
    });
    let cushions = noses.filter_map(|axis| {
        let (distance, nearest) = to_capsule(origin, direction, axis, reach)?;
        Some((distance, nearest, Target::Cushion))
    });
    let pockets = POCKETS.iter().filter_map(|pocket| {
        let distance = to_circle(origin, direction, pocket.center, pocket.radius)?;
        Some((distance, pocket.center, Target::Pocket))
    });
    let (distance, met, target) = balls
        .chain(cushions)
        .chain(pockets)
        .min_by(|a, b| a.0.total_cmp(&b.0))?;
    let center = origin + direction * distance;
    Some(Sighting {
        center,
        normal: (center - met).normalize_or_zero(),
        target,
    })
}

/// Distance along the ray to where it enters a circle; 0 inside, none if it never comes nearer to the centre.
fn to_circle(origin: Vec2, direction: Vec2, center: Vec2, radius: f32) -> Option<f32> {
    // |o + t·d − c|² = r² with |d| = 1 is t² + 2·b·t + c = 0.
    let from_center = origin - center;
    let b = from_center.dot(direction);
    let c = from_center.length_squared() - radius * radius;
    let discriminant = b * b - c;
    (b < 0.0 && discriminant >= 0.0).then(|| (-b - discriminant.sqrt()).max(0.0))
}

/// Distance along the ray to within `radius` of a segment, and the segment's point nearest to the place it gets to.
fn to_capsule(
    origin: Vec2,
    direction: Vec2,
    [a, b]: [Vec2; 2],
    radius: f32,
) -> Option<(f32, Vec2)> {
    let along = (b - a).normalize();
    // The side of the segment that the ray comes from.
    let side = along.perp() * along.perp_dot(origin - a).signum();
    let closing = -direction.dot(side);
    let to_side = (closing > 0.0)
        .then(|| (((origin - a).dot(side) - radius) / closing).max(0.0))
        .map(|distance| {
            (
                distance,
                a + along * (origin + direction * distance - a).dot(along),
            )
        })
        .filter(|(_, nearest)| (nearest - a).dot(nearest - b) <= 0.0);
    let to_ends = [a, b]
        .into_iter()
        .filter_map(|end| Some((to_circle(origin, direction, end, radius)?, end)));
    to_side
        .into_iter()
        .chain(to_ends)
        .min_by(|a, b| a.0.total_cmp(&b.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::billiards::table::HALF;

    #[test]
    fn straight_on_the_ghost_ball_touches() {
        let sighting = sight(
            Vec2::ZERO,
            Vec2::X,
            [Vec2::new(0.5, 0.0), Vec2::new(0.9, 0.0)].into_iter(),
        )
        .unwrap();
        assert_eq!(sighting.target, Target::Ball(Vec2::new(0.5, 0.0)));
        assert!(sighting.center.distance(Vec2::new(0.5 - 2.0 * RADIUS, 0.0)) < 1e-6);
        assert!(sighting.normal.distance(Vec2::NEG_X) < 1e-6);
    }

    #[test]
    fn a_half_ball_hit_leaves_at_thirty_degrees() {
        let ball = Vec2::new(0.5, RADIUS);
        let sighting = sight(Vec2::ZERO, Vec2::X, std::iter::once(ball)).unwrap();
        assert!((sighting.normal.angle_to(Vec2::NEG_X).abs().to_degrees() - 30.0).abs() < 1e-3);
    }

    #[test]
    fn a_ball_behind_is_not_met() {
        let behind = Vec2::new(-2.0 * RADIUS, 0.0);
        let sighting = sight(Vec2::ZERO, Vec2::X, std::iter::once(behind)).unwrap();
        assert_eq!(sighting.target, Target::Cushion);
    }

    #[test]
    fn it_meets_noses_a_ball_radius_away_and_ends_in_pockets() {
        let sighting = sight(Vec2::new(0.3, 0.0), Vec2::Y, std::iter::empty()).unwrap();
        assert_eq!(sighting.target, Target::Cushion);
        let gap = HALF.y - sighting.center.y;
        assert!(gap < RADIUS && gap > 0.94 * RADIUS, "{gap}");
        assert!(sighting.normal.distance(Vec2::NEG_Y) < 1e-5);
        for pocket in POCKETS {
            let into = pocket.center.signum() * Vec2::new(f32::from(pocket.center.x != 0.0), 1.0);
            let into = into.normalize();
            let sighting = sight(pocket.center - 0.4 * into, into, std::iter::empty()).unwrap();
            assert_eq!(sighting.target, Target::Pocket);
        }
    }

    #[test]
    fn something_is_met_from_everywhere_on_the_bed() {
        for i in 0..100 {
            let origin =
                Vec2::new((i % 10) as f32 - 4.5, (i / 10) as f32 - 4.5) / 5.0 * (HALF - RADIUS);
            for degrees in 0..360 {
                let direction = Vec2::from_angle((degrees as f32).to_radians());
                assert!(
                    sight(origin, direction, std::iter::empty()).is_some(),
                    "{origin} {direction}"
                );
            }
        }
    }
}

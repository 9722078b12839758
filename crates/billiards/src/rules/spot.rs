//! Where a ball comes back to (WPA 1.5).

use bevy::math::Vec2;

/// Between a spotted ball and the cue ball, in metres: they may not touch.
const GAP: f32 = 1e-3;

/// The place of a ball that is spotted: on the long string, nearest to the foot spot on its side towards the foot rail,
/// else nearest to it on the other side (WPA 1.5). None if balls cover the whole string.
///
/// `foot_spot` lies at y = 0, and the foot rail at x = `half_length`; balls have the radius `radius`. The spotted ball
/// may touch an object ball of `others`, but not the cue ball.
pub fn spot_place(
    foot_spot: Vec2,
    half_length: f32,
    radius: f32,
    cue: Option<Vec2>,
    others: &[Vec2],
) -> Option<Vec2> {
    let others = others.iter().map(|at| (*at, 2.0 * radius));
    let taken: Vec<_> = others
        .chain(cue.map(|at| (at, 2.0 * radius + GAP)))
        .filter_map(|(at, apart)| interval(at, apart))
        .collect();
    let free = |x: &f32| {
        x.abs() <= half_length - radius && taken.iter().all(|(from, to)| *x <= *from || *x >= *to)
    };
    let towards_foot = taken.iter().map(|(_, to)| *to);
    let towards_head = taken.iter().map(|(from, _)| *from);
    let start = foot_spot.x;
    let below = towards_foot
        .chain([start])
        .filter(|x| *x >= start && free(x))
        .min_by(f32::total_cmp);
    let above = || {
        towards_head
            .filter(|x| *x < start && free(x))
            .max_by(f32::total_cmp)
    };
    below.or_else(above).map(|x| Vec2::new(x, foot_spot.y))
}

/// The x between which a ball on the long string would be nearer than `apart` to the ball at `at`.
fn interval(at: Vec2, apart: f32) -> Option<(f32, f32)> {
    let half = (apart * apart - at.y * at.y).max(0.0).sqrt();
    (half > 0.0).then_some((at.x - half, at.x + half))
}

#[cfg(test)]
mod tests {
    use super::*;

    const R: f32 = 0.03;
    const FOOT: Vec2 = Vec2::new(0.6, 0.0);
    const HALF: f32 = 1.2;

    fn place(cue: Option<Vec2>, others: &[Vec2]) -> Option<Vec2> {
        spot_place(FOOT, HALF, R, cue, others)
    }

    fn row(from: f32, to: f32) -> Vec<Vec2> {
        let count = ((to - from) / (2.0 * R)).round() as usize;
        let balls = 0..=count;
        balls
            .map(|i| Vec2::new(from + i as f32 * 2.0 * R, 0.0))
            .collect()
    }

    #[test]
    fn a_free_foot_spot_is_taken() {
        assert_eq!(place(Some(Vec2::ZERO), &[Vec2::new(0.9, 0.3)]), Some(FOOT));
    }

    #[test]
    fn a_taken_foot_spot_yields_the_place_behind_in_contact() {
        for y in [0.0, 0.02, -0.05] {
            let other = FOOT + Vec2::new(0.01, y);
            let place = place(None, &[other]).unwrap();
            assert_eq!(place.y, 0.0);
            assert!(place.x > FOOT.x);
            assert!((place.distance(other) - 2.0 * R).abs() < 1e-6, "{place}");
        }
    }

    #[test]
    fn the_cue_ball_is_not_touched() {
        let place = place(Some(FOOT), &[]).unwrap();
        assert!(place.x > FOOT.x + 2.0 * R + 0.5 * GAP);
    }

    #[test]
    fn with_the_string_full_to_the_rail_the_ball_goes_towards_the_head() {
        let full = row(FOOT.x, HALF - R);
        let place = place(None, &full).unwrap();
        assert!((place.x - (FOOT.x - 2.0 * R)).abs() < 1e-6, "{place}");
    }

    #[test]
    fn a_string_full_of_balls_has_no_place() {
        assert_eq!(place(None, &row(R - HALF, HALF - R)), None);
    }
}

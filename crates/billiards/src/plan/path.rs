//! Straight ways: how they turn, and which balls are in them.

use bevy::math::Vec2;

use crate::rules::{Ball, BallSet};

/// Balls that touch do not block each other, in metres.
const TOUCH: f32 = 1e-5;

/// The angle from `from` to `to`, from −π to π. [`Vec2::angle_to`] is off by up to 1e-4.
pub fn turn(from: Vec2, to: Vec2) -> f32 {
    from.perp_dot(to).atan2(from.dot(to))
}

/// A gap in m at which no eye sees light between two balls: they touch.
const NO_LIGHT: f32 = 5e-5;

/// The balls that a ball of `radius` at `from` touches.
pub fn touching(from: Vec2, radius: f32, balls: &[(Ball, Vec2)]) -> BallSet {
    let touches = |(_, at): &&(Ball, Vec2)| at.distance(from) < 2.0 * radius + NO_LIGHT;
    balls
        .iter()
        .filter(touches)
        .map(|(ball, _)| *ball)
        .collect()
}

/// The balls in the way of a full hit of each of `balls` by a ball of `radius` at `from`.
pub fn full_ways(from: Vec2, radius: f32, balls: &[(Ball, Vec2)]) -> Vec<(Ball, BallSet)> {
    let one = |&(ball, at): &(Ball, Vec2)| {
        let way = (at - from).try_normalize()?;
        let distance = at.distance(from) - 2.0 * radius;
        let in_way = balls.iter().filter(|(other, place)| {
            let run = until_met(place - from, way, radius);
            *other != ball && run.is_some_and(|run| run < distance)
        });
        Some((ball, in_way.map(|(other, _)| *other).collect()))
    };
    balls.iter().filter_map(one).collect()
}

/// The first of `balls` that a ball of `radius` meets on its straight way from `from` to `to`. One that it touches and
/// runs away from is not met.
pub fn blocker(
    from: Vec2,
    to: Vec2,
    radius: f32,
    balls: impl Iterator<Item = (Ball, Vec2)>,
) -> Option<Ball> {
    let way = to - from;
    let direction = way.try_normalize()?;
    first_met(from, direction, radius, balls)
        .filter(|(_, distance)| *distance < way.length())
        .map(|(ball, _)| ball)
}

/// The balls between the ball of `radius` at `from` and the edges of each of `balls`: the cue ball has to pass there to graze it
/// on either side. Balls that nothing hides are left out.
pub fn hidden(from: Vec2, radius: f32, balls: &[(Ball, Vec2)]) -> Vec<(Ball, BallSet)> {
    let by = |(ball, at): &(Ball, Vec2)| -> BallSet {
        let others = balls.iter().copied().filter(|(other, _)| other != ball);
        let Some(way) = (at - from).try_normalize() else {
            return BallSet::EMPTY;
        };
        let edge = (2.0 * radius / at.distance(from)).min(1.0).asin();
        let sides = [edge, -edge].map(|angle| Vec2::from_angle(angle).rotate(way));
        let distance = at.distance(from) * edge.cos();
        others
            .filter(|(_, other)| {
                sides.iter().any(|side| {
                    until_met(other - from, *side, radius).is_some_and(|run| run < distance)
                })
            })
            .map(|(other, _)| other)
            .collect()
    };
    let all = balls.iter().map(|ball| (ball.0, by(ball)));
    all.filter(|(_, by)| !by.is_empty()).collect()
}

/// The first of `balls` that a ball of `radius` meets on its straight way from `from` along the unit vector
/// `direction`, and how far it runs until then.
pub fn first_met(
    from: Vec2,
    direction: Vec2,
    radius: f32,
    balls: impl Iterator<Item = (Ball, Vec2)>,
) -> Option<(Ball, f32)> {
    balls
        .filter_map(|(ball, at)| Some((ball, until_met(at - from, direction, radius)?)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
}

/// How far a ball runs along `direction` until it meets the ball that lies at `offset` from where it starts.
fn until_met(offset: Vec2, direction: Vec2, radius: f32) -> Option<f32> {
    // |t·d − o| = 2r with |d| = 1 is t² − 2·t·(d·o) + o² − 4r² = 0.
    let ahead = offset.dot(direction);
    let apart = 2.0 * radius - TOUCH;
    let aside = offset.perp_dot(direction);
    let within = apart * apart - aside * aside;
    (ahead > 0.0 && within > 0.0).then(|| (ahead - within.sqrt()).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RADIUS: f32 = 0.03;

    fn at(number: u8, x: f32, y: f32) -> (Ball, Vec2) {
        (Ball(number), Vec2::new(x, y))
    }

    #[test]
    fn a_ball_before_an_edge_hides_the_ball_behind_it() {
        let balls = |y| [at(1, 1.0, 0.0), at(2, 0.5, y)];
        // The cue ball's way to the edge of the 1 passes the 2 at 2·RADIUS·0.5 above the middle line.
        for (y, hides) in [(0.0, true), (0.08, true), (0.1, false), (-0.08, true)] {
            let hidden = hidden(Vec2::ZERO, RADIUS, &balls(y));
            let by = hidden.iter().find(|(ball, _)| *ball == Ball(1));
            assert_eq!(by.is_some_and(|(_, by)| by.contains(Ball(2))), hides, "{y}");
        }
    }

    #[test]
    fn a_full_hit_needs_a_way_as_wide_as_the_ball() {
        for (y, blocks) in [(0.0, true), (0.058, true), (0.062, false), (-0.058, true)] {
            let ways = full_ways(Vec2::ZERO, RADIUS, &[at(1, 2.0, 0.0), at(2, 1.0, y)]);
            let by = if blocks {
                BallSet::one(Ball(2))
            } else {
                BallSet::EMPTY
            };
            assert_eq!(ways, [(Ball(1), by), (Ball(2), BallSet::EMPTY)], "{y}");
        }
    }

    #[test]
    fn balls_touch_up_to_a_gap_that_no_eye_sees() {
        let balls = [
            at(1, 2.0 * RADIUS + 2e-5, 0.0),
            at(2, 0.0, 2.0 * RADIUS + 1e-4),
        ];
        assert_eq!(touching(Vec2::ZERO, RADIUS, &balls), BallSet::one(Ball(1)));
    }

    #[test]
    fn a_ball_behind_hides_nothing() {
        let balls = [at(1, 0.5, 0.0), at(2, 0.7, 0.0), at(3, -0.3, 0.0)];
        let hidden = hidden(Vec2::ZERO, RADIUS, &balls);
        assert_eq!(hidden.len(), 1);
        assert_eq!(hidden[0].0, Ball(2));
    }
}

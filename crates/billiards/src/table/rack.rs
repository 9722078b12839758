//! The places of the balls before the break.

use std::f32::consts::TAU;

use bevy::math::{Vec2, primitives::Segment2d};
use clap::ValueEnum;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::spec::{D_RADIUS, TableKind, TableSpec};
use crate::rules::{Ball, Discipline, three_cushion};

/// How the balls are set up, by the names that the command line has for it.
#[derive(Serialize, Deserialize, ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rack {
    /// Fifteen balls in a triangle, the 8 in its middle
    #[default]
    #[value(name = "eight")]
    EightBall,
    /// Nine balls in a diamond, the 9 in its middle
    #[value(name = "nine")]
    NineBall,
    /// Ten balls in a triangle, the 10 in its middle
    #[value(name = "ten")]
    TenBall,
    /// Fifteen balls in a triangle, for straight pool
    #[value(name = "straight")]
    StraightPool,
    /// Fifteen reds (1 to 15) and six colours (16 to 21, from yellow to black)
    Snooker,
    /// The other player's ball (1) and the red one (2)
    Carom,
}

/// The rows from the foot spot on: the 8 in the centre, a solid and a stripe in the back corners.
const TRIANGLE: &[&[u8]] = &[
    &[1],
    &[9, 2],
    &[3, 8, 10],
    &[11, 7, 14, 4],
    &[5, 13, 15, 6, 12],
];

/// The 1 on the foot spot, the 9 in the centre.
const DIAMOND: &[&[u8]] = &[&[1], &[2, 3], &[4, 9, 5], &[6, 7], &[8]];

/// The 1 on the foot spot, the 10 in the middle of the third row, the 2 and the 3 in the back corners.
const TEN: &[&[u8]] = &[&[1], &[4, 5], &[6, 10, 7], &[2, 8, 9, 3]];

const REDS: &[&[u8]] = &[
    &[1],
    &[2, 3],
    &[4, 5, 6],
    &[7, 8, 9, 10],
    &[11, 12, 13, 14, 15],
];

/// The gaps between neighbours in a rack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gaps {
    /// All touch.
    None,
    /// Up to 0.02 mm, as a template leaves them. Every `rack` has other ones.
    Template {
        /// Its number.
        rack: u64,
    },
    /// 0.05 to 0.2 mm, as a triangle leaves them. Every `rack` has other ones.
    Triangle {
        /// Its number.
        rack: u64,
    },
}

/// The least and the greatest gap between neighbours in m: in a template and in a triangle.
const TEMPLATE: (f32, f32) = (0.0, 2e-5);
const TRIANGLE_GAPS: (f32, f32) = (5e-5, 2e-4);

/// Number and place of each ball that stands on the bed.
pub type Places = Vec<(Ball, Vec2)>;

impl From<Discipline> for Rack {
    fn from(game: Discipline) -> Self {
        match game {
            Discipline::EightBall(_) | Discipline::FreeTable => Self::EightBall,
            Discipline::NineBall => Self::NineBall,
            Discipline::TenBall => Self::TenBall,
            Discipline::StraightPool(_) => Self::StraightPool,
            Discipline::Snooker => Self::Snooker,
            Discipline::ThreeCushion => Self::Carom,
        }
    }
}

impl Rack {
    /// The table that it is played on if nothing else is asked for.
    pub fn table(self) -> TableKind {
        match self {
            Self::EightBall | Self::NineBall | Self::TenBall | Self::StraightPool => {
                TableKind::Pool9
            }
            Self::Snooker => TableKind::Snooker,
            Self::Carom => TableKind::Carom,
        }
    }

    /// All balls before the break, the cue ball first.
    pub fn places(self, table: &TableSpec, gaps: Gaps) -> Places {
        let (head, foot) = (table.head_spot(), table.foot_spot());
        match self {
            Self::EightBall | Self::StraightPool => {
                with_cue_ball(head, pack(TRIANGLE, foot, table, gaps))
            }
            Self::NineBall => with_cue_ball(head, pack(DIAMOND, foot, table, gaps)),
            Self::TenBall => with_cue_ball(head, pack(TEN, foot, table, gaps)),
            Self::Snooker => snooker(table, gaps),
            // 18.25 cm beside the other ball: UMB.
            Self::Carom => vec![
                (Ball::CUE, head + Vec2::Y * 0.1825),
                (Ball(1), head),
                (Ball(2), foot),
            ],
        }
    }

    /// The object balls when they are racked again in the middle of a turn. The ball that stays out leaves the first place empty: if
    /// its own place is another one, the first ball takes that.
    pub fn places_again(self, table: &TableSpec, gaps: Gaps, left_out: Option<Ball>) -> Places {
        let mut places = self.places(table, gaps);
        places.remove(0);
        if let Some(out) = left_out
            && !places.is_empty()
        {
            let (first, _) = places.remove(0);
            if let Some(place) = places.iter_mut().find(|(ball, _)| *ball == out) {
                place.0 = first;
            }
        }
        places
    }

    /// The spot of a ball that comes back to the table.
    ///
    /// On a carom table a ball that jumped off comes back for the opponent, who plays with the [other](three_cushion::OTHER) ball:
    /// that one lies at the head spot then, and the ball that was the cue ball in the middle (UMB, article 6334).
    pub fn spot(self, table: &TableSpec, ball: Ball) -> Vec2 {
        match (self, ball) {
            (Self::Snooker, Ball::CUE) => snooker_start(table),
            (Self::Snooker, ball) => {
                let colors = snooker_colors(table);
                let own = colors.into_iter().find(|(color, _)| *color == ball);
                own.map_or(table.foot_spot(), |(_, at)| at)
            }
            (Self::Carom, Ball::CUE) => Vec2::ZERO,
            (Self::Carom, three_cushion::OTHER) | (_, Ball::CUE) => table.head_spot(),
            _ => table.foot_spot(),
        }
    }

    /// Other spots for a ball whose own one is taken, the first that is free: in snooker the highest colour's (WPBSA 3.7).
    pub fn other_spots(self, table: &TableSpec) -> Vec<Vec2> {
        match self {
            Self::Snooker => snooker_colors(table)
                .map(|(_, at)| at)
                .into_iter()
                .rev()
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The target of the break.
    pub fn target(self, table: &TableSpec) -> Vec2 {
        match self {
            Self::Snooker => pyramid(table),
            _ => table.foot_spot(),
        }
    }
}

/// The middle of a triangle of fifteen balls.
pub fn triangle_middle(table: &TableSpec) -> Vec2 {
    table.foot_spot() + Vec2::X * 2.0 * inner_radius(table)
}

/// From the middle of a triangle of fifteen balls to the lines through the centres of its outer balls.
fn inner_radius(table: &TableSpec) -> f32 {
    let side = 8.0 * table.ball.radius;
    side / 12.0_f32.sqrt()
}

/// Whether a ball at `at` lies within the outline of a triangle of fifteen balls, or over it.
pub fn in_triangle(table: &TableSpec, at: Vec2) -> bool {
    let (radius, middle) = (table.ball.radius, triangle_middle(table));
    let outer = inner_radius(table) + radius;
    let corners = [0.0, 1.0, 2.0].map(|third| {
        let way = Vec2::from_angle((0.5 + third / 3.0) * TAU);
        middle + 2.0 * outer * way
    });
    let sides = [0, 1, 2].map(|i| Segment2d::new(corners[i], corners[(i + 1) % 3]));
    let inside = corners.iter().all(|corner| {
        let to_side = (middle - corner).normalize_or_zero();
        (at - middle).dot(to_side) < outer
    });
    let over = |side: &Segment2d| side.closest_point(at).distance(at) < radius;
    inside || sides.iter().any(over)
}

fn with_cue_ball(at: Vec2, others: Places) -> Places {
    std::iter::once((Ball::CUE, at)).chain(others).collect()
}

/// Rows of balls along the table, the first at `apex`.
fn pack(rows: &[&[u8]], apex: Vec2, table: &TableSpec, gaps: Gaps) -> Places {
    let ((narrowest, widest), rack) = match gaps {
        Gaps::None => ((0.0, 0.0), 0),
        Gaps::Template { rack } => (TEMPLATE, rack),
        Gaps::Triangle { rack } => (TRIANGLE_GAPS, rack),
    };
    let mut rng = ChaCha8Rng::seed_from_u64(rack);
    // Of two balls, both may be off.
    let most = 0.25 * (widest - narrowest);
    let mut off = || {
        let far = most * rng.random_range(0.0f32..=1.0).sqrt();
        far * Vec2::from_angle(rng.random_range(0.0..TAU))
    };
    let pitch = 2.0 * table.ball.radius + 0.5 * (narrowest + widest);
    let place = |i: usize, j: usize, row: &[u8]| {
        let across = j as f32 - 0.5 * (row.len() - 1) as f32;
        apex + pitch * Vec2::new(i as f32 * 0.75_f32.sqrt(), across)
    };
    let mut places = Places::new();
    for (i, row) in rows.iter().enumerate() {
        for (j, number) in row.iter().enumerate() {
            places.push((Ball(*number), place(i, j, row) + off()));
        }
    }
    places
}

/// Where the first red stands: as near as possible to the pink without touching it. The pink is halfway from the middle to the top
/// cushion.
fn pyramid(table: &TableSpec) -> Vec2 {
    Vec2::X * (0.5 * table.half.x + 2.0 * table.ball.radius + 0.001)
}

/// The colours on their spots. WPBSA: yellow, green and brown on the baulk line, the black 324 mm from the top cushion.
fn snooker_colors(table: &TableSpec) -> [(Ball, Vec2); 6] {
    let baulk = Vec2::X * table.baulk_line();
    let colors = [
        (16, baulk + Vec2::Y * D_RADIUS),
        (17, baulk - Vec2::Y * D_RADIUS),
        (18, baulk),
        (19, Vec2::ZERO),
        (20, Vec2::X * 0.5 * table.half.x),
        (21, Vec2::X * (table.half.x - 0.324)),
    ];
    colors.map(|(number, at)| (Ball(number), at))
}

/// In the D, between yellow and brown.
fn snooker_start(table: &TableSpec) -> Vec2 {
    Vec2::new(table.baulk_line(), 0.5 * D_RADIUS)
}

fn snooker(table: &TableSpec, gaps: Gaps) -> Places {
    let others = pack(REDS, pyramid(table), table, gaps);
    let colors = snooker_colors(table);
    with_cue_ball(
        snooker_start(table),
        others.into_iter().chain(colors).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{BallSet, Kind};

    /// In m, of a distance on the table.
    const ROUNDING: f32 = 2e-7;

    #[test]
    fn racks_have_small_gaps() {
        let table = TableKind::Pool9.spec();
        let racks = (0..100).flat_map(|rack| {
            [
                (Gaps::Template { rack }, TEMPLATE),
                (Gaps::Triangle { rack }, TRIANGLE_GAPS),
            ]
        });
        for (rack, (narrowest, widest)) in racks {
            let balls = Rack::EightBall.places(table, rack);
            let mut neighbours = 0;
            for (i, (_, a)) in balls.iter().enumerate() {
                for (_, b) in &balls[..i] {
                    let gap = a.distance(*b) - 2.0 * table.ball.radius;
                    assert!(gap > narrowest - ROUNDING, "{rack:?}: {gap}");
                    neighbours += usize::from(gap < widest + ROUNDING);
                }
            }
            assert_eq!(neighbours, 30, "{rack:?}");
        }
        let of = |rack| Rack::NineBall.places(table, Gaps::Triangle { rack });
        assert_ne!(of(0), of(1));
        assert_eq!(of(1), of(1));
    }

    #[test]
    fn racks_hold_every_ball_once_and_none_overlap() {
        for (rack, last) in [
            (Rack::EightBall, 15),
            (Rack::NineBall, 9),
            (Rack::TenBall, 10),
            (Rack::StraightPool, 15),
            (Rack::Snooker, 21),
            (Rack::Carom, 2),
        ] {
            let table = rack.table().spec();
            let balls = rack.places(table, Gaps::None);
            assert_eq!(balls[0].0, Ball::CUE);
            let mut numbers: Vec<u8> = balls.iter().map(|(ball, _)| ball.0).collect();
            numbers.sort_unstable();
            assert_eq!(numbers, (0..=last).collect::<Vec<_>>());
            for (i, (_, a)) in balls.iter().enumerate() {
                assert!((a.abs() + table.ball.radius).cmplt(table.half).all());
                for (_, b) in &balls[..i] {
                    assert!(a.distance(*b) > 2.0 * table.ball.radius - 1e-6, "{rack:?}");
                }
            }
        }
        assert_eq!(Ball(TRIANGLE[2][1]).kind(), Kind::Eight);
        assert_eq!(Ball(TRIANGLE[4][0]).kind(), Kind::Solid);
        assert_eq!(Ball(TRIANGLE[4][4]).kind(), Kind::Stripe);
    }

    #[test]
    fn a_rack_of_fourteen_leaves_the_first_place_empty() {
        let table = TableKind::Pool9.spec();
        let whole = Rack::StraightPool.places(table, Gaps::None);
        for out in (1..=15).map(Ball) {
            let places = Rack::StraightPool.places_again(table, Gaps::None, Some(out));
            let balls: BallSet = places.iter().map(|(ball, _)| *ball).collect();
            let expected = BallSet::numbers(1, 15).difference(BallSet::one(out));
            assert_eq!((balls, places.len()), (expected, 14));
            let mut at: Vec<Vec2> = places.iter().map(|(_, at)| *at).collect();
            at.dedup();
            assert!(at.iter().all(|at| *at != table.foot_spot()));
            assert!(
                at.iter()
                    .all(|at| whole.iter().any(|(_, other)| other == at))
            );
            assert_eq!(at.len(), 14);
        }
        let all = Rack::StraightPool.places_again(table, Gaps::None, None);
        assert_eq!(all, whole[1..]);
    }

    /// Beside the middle of a side of the triangle, and beyond its corners, in radii from the nearest ball's centre.
    #[test]
    fn a_ball_is_in_the_triangle_up_to_its_outline() {
        let table = TableKind::Pool9.spec();
        let r = table.ball.radius;
        let rack = Rack::StraightPool.places(table, Gaps::None);
        assert!(rack[1..].iter().all(|(_, at)| in_triangle(table, *at)));
        let (foot, last) = (table.foot_spot(), rack[15].1);
        let foot_side = foot + Vec2::X * 8.0 * 0.75_f32.sqrt() * r;
        // The outline runs a radius outside of the centres, and twice as far at its corners.
        for (from, way, edge) in [
            (foot_side, Vec2::X, 2.0),
            (foot, Vec2::NEG_X, 3.0),
            (last, (last - foot_side).normalize(), 4.0 / 3.0_f32.sqrt()),
        ] {
            for (far, expected) in [(edge - 0.3, true), (edge + 0.4, false)] {
                let at = from + way * far * r;
                assert_eq!(in_triangle(table, at), expected, "{way} {far}");
            }
        }
        assert!(!in_triangle(table, table.head_spot()));
    }
}

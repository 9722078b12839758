//! The call that a click on a ball or on a pocket means.

use bevy::prelude::*;

use crate::{
    plan::{Planner, Position},
    rules::{Ball, BallSet, Call, Frame},
    table::bed::Table,
};

/// A ball is clicked within this number of radii of its centre, a pocket within this number of its own.
const AT_BALL: f32 = 1.6;
const AT_POCKET: f32 = 1.5;

/// Something that may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clicked {
    /// A ball.
    Ball(Ball),
    /// A pocket, by its index in the table's list of pockets.
    Pocket(usize),
}

impl Clicked {
    /// What lies at `point`.
    pub fn at(
        point: Vec2,
        table: &Table,
        balls: impl IntoIterator<Item = (Ball, Vec2)>,
    ) -> Option<Self> {
        let mut pockets = table.pockets.iter();
        let pocket = pockets
            .position(|pocket| pocket.center.distance(point) < AT_POCKET * pocket.radius)
            .map(Self::Pocket);
        let near = AT_BALL * table.spec.ball.radius;
        let balls = balls.into_iter();
        let balls = balls.map(|(ball, at)| (ball, at.distance(point)));
        // In a rack, several balls are as near.
        let ball = balls
            .filter(|(ball, far)| *ball != Ball::CUE && *far < near)
            .min_by(|a, b| a.1.total_cmp(&b.1));
        ball.map(|(ball, _)| Self::Ball(ball)).or(pocket)
    }

    /// Whether it is a pocket.
    pub fn is_pocket(self) -> bool {
        matches!(self, Self::Pocket(_))
    }

    /// The call that it means, if the rules allow it. To a clicked pocket belongs the ball that is called already, else the target
    /// that is easiest to sink there, and to a clicked ball the pocket where it is easiest to sink. `cue` is the cue ball's place.
    pub fn call(
        self,
        frame: &Frame,
        table: &Table,
        cue: Vec2,
        balls: &[(Ball, Vec2)],
    ) -> Option<Call> {
        let planner = Planner::new(table.spec, &table.pockets, &table.cushions);
        let position = Position { cue, balls };
        let pots = |of: BallSet| planner.pots(&position, of).into_iter();
        let (ball, pocket) = match (self, frame.called()) {
            (Self::Pocket(pocket), Some(Call::Pot { ball, .. })) => (ball, pocket),
            (Self::Pocket(pocket), _) => {
                let into =
                    |call: &Call| matches!(call, Call::Pot { pocket: at, .. } if *at == pocket);
                let easiest = pots(frame.targets())
                    .filter_map(|pot| pot.call())
                    .find(into);
                let ball = match easiest {
                    Some(Call::Pot { ball, .. }) => ball,
                    _ => frame.targets().iter().next()?,
                };
                (ball, pocket)
            }
            (
                Self::Ball(ball),
                Some(Call::Pot {
                    ball: called,
                    pocket,
                }),
            ) if ball == called => (ball, pocket),
            (Self::Ball(ball), _) => match pots(BallSet::one(ball)).find_map(|pot| pot.call()) {
                Some(Call::Pot { pocket, .. }) => (ball, pocket),
                _ => (ball, nearest_pocket(ball, table, balls)?),
            },
        };
        let call = Call::Pot { ball, pocket };
        frame.may_call(call).then_some(call)
    }
}

fn nearest_pocket(ball: Ball, table: &Table, balls: &[(Ball, Vec2)]) -> Option<usize> {
    let (_, at) = balls.iter().find(|(other, _)| *other == ball)?;
    let far = |pocket: usize| table.pockets[pocket].center.distance(*at);
    (0..table.pockets.len()).min_by(|a, b| far(*a).total_cmp(&far(*b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        rules::{Calls, Discipline, Player, Potted, ShotRecord, straight_pool},
        table::spec::TableKind,
    };

    /// The cue ball in the middle; the 3 in front of a corner pocket, and the 5 beside it, farther from another one.
    const CUE: Vec2 = Vec2::ZERO;
    const BALLS: [(Ball, Vec2); 2] = [
        (Ball(3), Vec2::new(1.1, 0.5)),
        (Ball(5), Vec2::new(0.9, -0.3)),
    ];

    fn table() -> Table {
        Table::new(TableKind::Pool9.spec())
    }

    /// After a break that sank no ball but these.
    fn frame(game: Discipline, down: impl IntoIterator<Item = u8>) -> Frame {
        let mut frame = Frame::new(game, Player::One);
        let (ball, pocket) = (Ball(1), 0);
        let call = Call::Pot { ball, pocket };
        if frame.may_call(call) {
            frame.call(Some(call)).unwrap();
        }
        let down = down.into_iter().map(|ball| Potted {
            ball: Ball(ball),
            pocket: 0,
        });
        let shot = ShotRecord {
            first_hit: Some(Ball(1)),
            potted: down.collect(),
            cushion_after_contact: true,
            past_head_string: true,
            ..default()
        };
        frame.shoot(&shot).unwrap();
        frame
    }

    fn straight() -> Frame {
        frame(Discipline::StraightPool(straight_pool::POINTS), [1])
    }

    /// Clicks there, and calls what that means.
    fn click(frame: &mut Frame, table: &Table, at: Vec2) -> Option<(u8, Vec2)> {
        let call = Clicked::at(at, table, BALLS)?.call(frame, table, CUE, &BALLS)?;
        frame.call(Some(call)).unwrap();
        let Call::Pot { ball, pocket } = call else {
            return None;
        };
        Some((ball.0, table.pockets[pocket].center))
    }

    /// The centre of the corner pocket on this side.
    fn corner(table: &Table, side: Vec2) -> Vec2 {
        let centers = table.pockets.iter().map(|pocket| pocket.center);
        let at = |center: &Vec2| center.dot(side * Vec2::new(2.0, 1.0));
        centers.max_by(|a, b| at(a).total_cmp(&at(b))).unwrap()
    }

    #[test]
    fn a_click_on_a_ball_calls_it_into_its_easiest_pocket() {
        let (table, mut frame) = (table(), straight());
        let near = corner(&table, Vec2::ONE);
        assert_eq!(click(&mut frame, &table, BALLS[0].1), Some((3, near)));
        let other = click(&mut frame, &table, BALLS[1].1).unwrap();
        assert_eq!(other, (5, corner(&table, Vec2::new(1.0, -1.0))));
    }

    #[test]
    fn a_click_on_a_pocket_keeps_the_called_ball() {
        let (table, mut frame) = (table(), straight());
        let pocket = corner(&table, Vec2::NEG_ONE);
        click(&mut frame, &table, BALLS[1].1).unwrap();
        assert_eq!(click(&mut frame, &table, pocket), Some((5, pocket)));
        // And another click on the ball keeps its pocket.
        assert_eq!(click(&mut frame, &table, BALLS[1].1), Some((5, pocket)));
    }

    #[test]
    fn a_click_on_a_pocket_alone_calls_the_ball_that_is_easiest_there() {
        let (table, mut frame) = (table(), straight());
        let pocket = corner(&table, Vec2::ONE);
        assert_eq!(click(&mut frame, &table, pocket), Some((3, pocket)));
        // In ten-ball, the lowest ball, wherever it lies.
        let mut frame = self::frame(Discipline::TenBall, [1, 2, 3, 4]);
        assert_eq!(click(&mut frame, &table, pocket), Some((5, pocket)));
    }

    #[test]
    fn a_click_between_two_balls_is_on_the_nearer_one() {
        let (table, radius) = (table(), TableKind::Pool9.spec().ball.radius);
        let balls = [
            (Ball(7), Vec2::ZERO),
            (Ball(9), Vec2::X * 2.0 * radius),
            (Ball::CUE, Vec2::X * 1.2 * radius),
        ];
        for (at, ball) in [(0.9, 7), (1.1, 9), (3.4, 9)] {
            let clicked = Clicked::at(Vec2::X * at * radius, &table, balls);
            assert_eq!(clicked, Some(Clicked::Ball(Ball(ball))));
        }
        assert_eq!(Clicked::at(Vec2::X * 4.0 * radius, &table, balls), None);
    }

    #[test]
    fn a_click_that_means_no_call_calls_nothing() {
        let (table, mut frame) = (table(), straight());
        assert_eq!(click(&mut frame, &table, Vec2::new(-0.5, 0.2)), None);
        let mut eight = self::frame(Discipline::EightBall(Calls::EightOnly), [1]);
        assert_eq!(click(&mut eight, &table, BALLS[0].1), None);
    }
}

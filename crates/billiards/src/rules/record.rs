//! The events of a shot that the rules ask for.

use super::{ball::Ball, ball_set::BallSet, call::Call};

/// Balls that a break has to drive to a rail if none falls (WPA 4.3(d), 5.3(b), 6.3(b)), and beside the cue ball in straight pool
/// (WPA 7.3(b)).
const BREAK_RAILS: usize = 4;
const STRAIGHT_POOL_RAILS: usize = 2;

/// A ball that fell, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Potted {
    /// The ball.
    pub ball: Ball,
    /// The pocket, by its index in the table's list of pockets.
    pub pocket: usize,
}

/// Something that the cue ball meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    /// A ball.
    Ball(Ball),
    /// A cushion.
    Cushion,
}

impl Contact {
    /// The ball; none for a cushion.
    pub fn ball(&self) -> Option<Ball> {
        match self {
            Self::Ball(ball) => Some(*ball),
            Self::Cushion => None,
        }
    }
}

/// A shot from the blow of the cue until all balls lie still.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShotRecord {
    /// The ball that the cue ball met first.
    pub first_hit: Option<Ball>,
    /// The balls that fell, in order, the cue ball among them.
    pub potted: Vec<Potted>,
    /// The balls that left the table other than by a pocket, the cue ball among them.
    pub off_table: BallSet,
    /// The balls that met a cushion. A ball that lay at a cushion has to leave it and come back (WPA 2.7).
    pub to_cushion: BallSet,
    /// Whether any ball met a cushion after the cue ball's first contact with a ball.
    pub cushion_after_contact: bool,
    /// Whether the cue ball's centre passed the head string before it met a ball, or the first ball that it met lay on
    /// the head string or past it (WPA 3.11).
    pub past_head_string: bool,
    /// All that the cue ball met, in order.
    pub cue_ball_met: Vec<Contact>,
    /// Balls between the cue ball, where it came to rest, and an edge of another ball: this ball first, then the balls in the way.
    /// Balls that can be hit freely on both sides are left out.
    pub hidden: Vec<(Ball, BallSet)>,
    /// Object balls that the cue ball touched before the shot.
    pub touching: BallSet,
    /// Object balls of which the cue ball could hit some part straight, before the shot.
    pub in_sight: BallSet,
    /// The object balls, and the balls in the way of a full hit of each, before the shot.
    pub full_ways: Vec<(Ball, BallSet)>,
    /// Balls that came to rest where a rack of fifteen stands.
    pub in_rack: BallSet,
    /// Balls that came to rest so near to the head spot that no other ball has room there.
    pub at_head_spot: BallSet,
    /// Balls that came to rest behind the head string.
    pub behind_head_string: BallSet,
}

impl ShotRecord {
    /// The object balls that fell.
    pub fn down(&self) -> BallSet {
        self.fallen().difference(BallSet::one(Ball::CUE))
    }

    /// All balls that are no more on the table.
    pub fn gone(&self) -> BallSet {
        self.fallen().union(self.off_table)
    }

    /// Whether the cue ball is no more on the table.
    pub fn cue_ball_gone(&self) -> bool {
        self.gone().contains(Ball::CUE)
    }

    /// The pocket that `ball` fell into.
    pub fn pocket_of(&self, ball: Ball) -> Option<usize> {
        let potted = self.potted.iter().find(|potted| potted.ball == ball);
        potted.map(|potted| potted.pocket)
    }

    /// Whether a ball was called and fell into the called pocket.
    pub fn is_as_called(&self, call: Option<Call>) -> bool {
        matches!(call, Some(Call::Pot { ball, pocket }) if self.pocket_of(ball) == Some(pocket))
    }

    /// The object balls driven to a rail; balls that left the table, by a pocket or otherwise, count (WPA 2.7).
    pub fn driven_to_rail(&self) -> BallSet {
        let driven = self.to_cushion.union(self.gone());
        driven.difference(BallSet::one(Ball::CUE))
    }

    /// Whether a break pocketed no ball and drove fewer than four to a rail (WPA 4.3(d), 5.3(b), 6.3(b)).
    pub fn is_weak_break(&self) -> bool {
        self.down().is_empty() && self.driven_to_rail().len() < BREAK_RAILS
    }

    /// Whether the cue ball and two object balls were driven to a rail, the cue ball after it met a ball (WPA 7.3(b)).
    pub fn opens_straight_pool(&self) -> bool {
        let met = &self.cue_ball_met;
        let first_ball = met.iter().position(|contact| contact.ball().is_some());
        let back = first_ball.is_some_and(|first| met[first..].contains(&Contact::Cushion));
        let cue_ball = back || self.cue_ball_gone();
        cue_ball && self.driven_to_rail().len() >= STRAIGHT_POOL_RAILS
    }

    /// Whether the cue ball met two balls, and so many cushions before the second one.
    pub fn caroms_after(&self, cushions: usize) -> bool {
        let (balls, before) = self.until_second_ball();
        balls == 2 && before >= cushions
    }

    /// How many balls the cue ball met, up to two, and how many cushions until then.
    pub fn until_second_ball(&self) -> (usize, usize) {
        let (mut balls, mut cushions) = (BallSet::EMPTY, 0);
        for contact in &self.cue_ball_met {
            match contact {
                Contact::Cushion => cushions += 1,
                Contact::Ball(ball) => balls.insert(*ball),
            }
            if balls.len() == 2 {
                break;
            }
        }
        (balls.len(), cushions)
    }

    /// The balls in the way to `ball` from where the cue ball came to rest.
    pub fn hidden_by(&self, ball: Ball) -> BallSet {
        let hidden = self.hidden.iter().find(|(other, _)| *other == ball);
        hidden.map_or(BallSet::EMPTY, |(_, by)| *by)
    }

    /// The ball that the cue ball touched before the shot and was played into.
    pub fn pushed(&self) -> Option<Ball> {
        let first = self.cue_ball_met.first()?.ball();
        first.filter(|ball| self.touching.contains(*ball))
    }

    /// Whether one of `balls` could be hit fully before the shot, but for others of them in the way.
    pub fn saw_fully(&self, balls: BallSet) -> bool {
        self.full_ways
            .iter()
            .any(|(ball, by)| balls.contains(*ball) && by.difference(balls).is_empty())
    }

    fn fallen(&self) -> BallSet {
        self.potted.iter().map(|potted| potted.ball).collect()
    }
}

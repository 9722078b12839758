//! Straight pool, also called 14.1 continuous (WPA 7): a point for each ball, any ball, as long as every shot is called.
//!
//! With one ball left, the other fourteen are racked again and the player goes on. Balls that fell without a point come back to their
//! spots. A foul costs a point, and the cue ball stays where it lies unless it left the table.
//!
//! Some choices where the rules leave one: a ball may be called on the opening break, and need not be; a cue ball that left the table
//! on a breaking foul is in hand behind the head string; and after a stalemate whoever broke this rack breaks again, without a lag.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use super::{
    ball::Ball,
    ball_set::BallSet,
    call::Call,
    ending::Ending,
    foul::{Foul, common_fouls, lost_balls},
    game::{Rules, Situation},
    record::ShotRecord,
    ruling::{NewRack, Ruling, Spot},
    turn::{Area, Choice, CueBall, Dilemma, Player, Turn},
};

/// Points that win a frame unless the players agree on another number.
pub const POINTS: NonZeroU32 = NonZeroU32::MIN.saturating_add(99);

/// Points that a foul costs (WPA 7.9), a breaking foul (WPA 7.10), and the third foul in a row beside its own point (WPA 7.11).
const FOUL: i32 = 1;
const BREAKING_FOUL: i32 = 2;
const THIRD_FOUL: i32 = 15;

const KITCHEN: CueBall = CueBall::InHand(Area::BehindHeadString);

/// The state of straight pool from shot to shot.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StraightPool {
    goal: NonZeroU32,
    points: [i32; 2],
    /// Fouls in a row of both players; breaking fouls do not count (WPA 7.11).
    fouls: [u8; 2],
}

impl StraightPool {
    pub fn new(goal: NonZeroU32) -> Self {
        Self {
            goal,
            points: [0; 2],
            fouls: [0; 2],
        }
    }

    pub fn goal(&self) -> NonZeroU32 {
        self.goal
    }

    pub fn points(&self, player: Player) -> i32 {
        self.points[player.index()]
    }

    pub fn consecutive_fouls(&self, player: Player) -> u8 {
        self.fouls[player.index()]
    }

    fn has_won(&self, player: Player) -> bool {
        i64::from(self.points(player)) >= i64::from(self.goal.get())
    }

    /// A ruling that gives `player` these points, or takes them.
    fn count(&mut self, player: Player, points: i32, turn: Turn) -> Ruling {
        self.points[player.index()] += points;
        Ruling {
            points: Some((player, points)),
            ..Ruling::new(player, turn)
        }
    }

    /// The opening break failed: the opponent takes the table as it is, or has the same player break again (WPA 7.3, 7.10).
    fn breaking_foul(&mut self, at: &Situation, shot: &ShotRecord) -> Ruling {
        let cue = if shot.cue_ball_gone() {
            KITCHEN
        } else {
            CueBall::AsItLies
        };
        let turn = Turn::Choose {
            player: at.player.other(),
            about: Dilemma::BreakingFoul,
            options: vec![Choice::Play { cue, spot: None }, Choice::LetBreak],
        };
        Ruling {
            fouls: lost_balls(shot).chain([Foul::BreakingFoul]).collect(),
            spotted: object_balls_gone(shot),
            ..self.count(at.player, -BREAKING_FOUL, turn)
        }
    }

    /// A foul: a point less. The third in a row costs fifteen more, and the same player breaks a new rack (WPA 7.9, 7.11).
    fn foul(&mut self, at: &Situation, shot: &ShotRecord, mut fouls: Vec<Foul>) -> Ruling {
        let count = &mut self.fouls[at.player.index()];
        *count += 1;
        if *count == 3 {
            *count = 0;
            fouls.push(Foul::ThirdInARow);
            let ruling = self.count(at.player, -FOUL - THIRD_FOUL, Turn::Break(at.player));
            return Ruling {
                fouls,
                racked: true,
                ..ruling
            };
        }
        let in_hand = shot.cue_ball_gone() || fouls.contains(&Foul::NotPastHeadString);
        let cue = if in_hand { KITCHEN } else { CueBall::AsItLies };
        Ruling {
            fouls,
            spotted: object_balls_gone(shot),
            ..self.count(at.player, -FOUL, at.pass(cue))
        }
    }

    /// The called ball fell: it counts, and so does every other ball that fell with it (WPA 7.4, 7.7).
    fn score(&mut self, at: &Situation, shot: &ShotRecord) -> Ruling {
        let mut ruling = self.count(at.player, shot.down().len() as i32, at.go_on());
        let left = at.balls.difference(shot.gone());
        if self.has_won(at.player) {
            ruling.turn = Turn::Over {
                winner: at.player,
                ending: Ending::GoalReached,
            };
        } else if left.len() <= 1 {
            let (rack, cue) = rack_again(left.iter().next(), shot);
            ruling.new_rack = Some(rack);
            ruling.turn = Turn::Shoot {
                player: at.player,
                cue,
            };
        }
        ruling
    }
}

/// The new rack when only `left` is on the table beside the cue ball, and where the cue ball is played from. Balls that lie in the
/// way make room (WPA 7.8, table 1).
fn rack_again(left: Option<Ball>, shot: &ShotRecord) -> (NewRack, CueBall) {
    let in_way = |ball: Ball| shot.in_rack.contains(ball);
    let beside = |other: Ball| {
        if shot.at_head_spot.contains(other) {
            Spot::Center
        } else {
            Spot::Head
        }
    };
    let rack = |left_out, moved| NewRack { left_out, moved };
    let lies = CueBall::AsItLies;
    match (left, in_way(Ball::CUE)) {
        (None, false) => (rack(None, None), lies),
        (None, true) => (rack(None, Some((Ball::CUE, Spot::Head))), KITCHEN),
        (Some(ball), true) if in_way(ball) => (rack(None, Some((Ball::CUE, Spot::Head))), KITCHEN),
        (Some(ball), false) if in_way(ball) => (rack(left, Some((ball, beside(Ball::CUE)))), lies),
        (Some(_), false) => (rack(left, None), lies),
        (Some(ball), true) if shot.behind_head_string.contains(ball) => {
            (rack(left, Some((Ball::CUE, beside(ball)))), lies)
        }
        (Some(_), true) => (rack(left, Some((Ball::CUE, Spot::Head))), KITCHEN),
    }
}

/// The object balls that left the table.
fn object_balls_gone(shot: &ShotRecord) -> Vec<Ball> {
    let gone = shot.gone().difference(BallSet::one(Ball::CUE));
    gone.iter().collect()
}

impl Rules for StraightPool {
    fn rack(&self) -> BallSet {
        BallSet::numbers(1, 15)
    }

    /// Points stay.
    fn restart(&mut self) {
        self.fouls = [0; 2];
    }

    /// A rack in the middle of a frame ends no row of fouls.
    fn racked(&mut self) {}

    fn targets(&self, at: &Situation) -> BallSet {
        at.balls
    }

    fn may_call(&self, at: &Situation, call: Call) -> bool {
        match call {
            Call::Pot { ball, .. } => at.balls.contains(ball),
            Call::Safety => true,
            Call::PushOut => false,
        }
    }

    fn must_call(&self, at: &Situation) -> bool {
        !at.breaking
    }

    fn judge(&mut self, at: &Situation, shot: &ShotRecord) -> Ruling {
        let as_called = shot.is_as_called(at.call);
        if at.breaking && !as_called && !shot.opens_straight_pool() {
            return self.breaking_foul(at, shot);
        }
        let mut fouls = common_fouls(shot, Some(at.balls));
        if at.cue == KITCHEN && !shot.past_head_string {
            fouls.push(Foul::NotPastHeadString);
        }
        if !fouls.is_empty() {
            return self.foul(at, shot, fouls);
        }
        self.fouls[at.player.index()] = 0;
        if as_called {
            return self.score(at, shot);
        }
        Ruling {
            spotted: object_balls_gone(shot),
            ..Ruling::new(at.player, at.pass(CueBall::AsItLies))
        }
    }
}

//! Ten-ball (WPA 6): the lowest ball first, every shot called, and whoever pockets the 10 as the last ball wins.
//!
//! The 10 may be called earlier, as any ball may: then it comes back to its spot, and the player goes on (WPA 6.7, 6.8). It comes back
//! after the break too. In the rules of 2008 an early 10 won, even on the break; since those of 2009 it does not.
//!
//! The rules know no safety, and who wants to play safe misses a called ball (WPA 6.5). Here that player may call a safety instead of a
//! ball. Nothing else differs: no ball that falls was called.

use serde::{Deserialize, Serialize};

use super::{
    ball::Ball,
    ball_set::BallSet,
    call::Call,
    ending::Ending,
    game::{Rules, Situation},
    record::ShotRecord,
    rotation::Rotation,
    ruling::Ruling,
    turn::{CueBall, Dilemma, Player, Turn},
};

const TEN: Ball = Ball(10);

/// The state of ten-ball from shot to shot.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TenBall(Rotation);

impl TenBall {
    pub fn consecutive_fouls(&self, player: Player) -> u8 {
        self.0.consecutive_fouls(player)
    }
}

/// The turn after a shot without a foul that was no push out (WPA 6.3, 6.6, 6.7).
fn next(at: &Situation, shot: &ShotRecord) -> Turn {
    let scored = if at.breaking {
        !shot.down().is_empty()
    } else {
        shot.is_as_called(at.call)
    };
    if scored && at.balls == BallSet::one(TEN) {
        Turn::Over {
            winner: at.player,
            ending: Ending::TenPocketed,
        }
    } else if scored {
        at.go_on()
    } else if shot.down().is_empty() {
        at.pass(CueBall::AsItLies)
    } else {
        at.let_opponent_choose(Dilemma::NotAsCalled)
    }
}

impl Rules for TenBall {
    fn rack(&self) -> BallSet {
        BallSet::numbers(1, 10)
    }

    fn restart(&mut self) {
        *self = Self::default();
    }

    fn targets(&self, at: &Situation) -> BallSet {
        self.0.targets(at)
    }

    fn may_call(&self, at: &Situation, call: Call) -> bool {
        match call {
            Call::Pot { ball, .. } => !at.breaking && at.balls.contains(ball),
            Call::Safety => !at.breaking,
            Call::PushOut => self.0.may_push_out(),
        }
    }

    fn must_call(&self, at: &Situation) -> bool {
        !at.breaking
    }

    fn judge(&mut self, at: &Situation, shot: &ShotRecord) -> Ruling {
        let (fouls, decided) = self.0.judge(at, shot);
        let turn = decided.unwrap_or_else(|| next(at, shot));
        // WPA 6.8: the 10 comes back unless it won, and no other ball does.
        let won = matches!(turn, Turn::Over { winner, .. } if winner == at.player);
        let back = shot.gone().contains(TEN) && !won;
        Ruling {
            fouls,
            spotted: back.then_some(TEN).into_iter().collect(),
            ..Ruling::new(at.player, turn)
        }
    }
}

//! A table without rules: anyone shoots, the cue ball may always be placed, and an empty table is racked again.

use serde::{Deserialize, Serialize};

use super::{
    ball_set::BallSet,
    call::Call,
    game::{Rules, Situation},
    record::ShotRecord,
    ruling::Ruling,
    turn::{Area, CueBall, Player, Turn},
};

/// The free table. Its turn always names the same player, who stands for any player, and it never ends.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FreeTable;

impl Rules for FreeTable {
    fn rack(&self) -> BallSet {
        BallSet::numbers(1, 15)
    }

    fn open(&self, player: Player) -> Turn {
        Turn::Shoot {
            player,
            cue: CueBall::InHand(Area::Table),
        }
    }

    fn restart(&mut self) {}

    fn targets(&self, at: &Situation) -> BallSet {
        at.balls
    }

    fn may_call(&self, _: &Situation, _: Call) -> bool {
        false
    }

    fn must_call(&self, _: &Situation) -> bool {
        false
    }

    fn judge(&mut self, at: &Situation, shot: &ShotRecord) -> Ruling {
        Ruling {
            racked: at.balls.difference(shot.gone()).is_empty(),
            ..Ruling::new(at.player, self.open(at.player))
        }
    }
}

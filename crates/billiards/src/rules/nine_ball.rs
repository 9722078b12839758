//! Nine-ball (WPA 5): the lowest ball first, and whoever pockets the 9 wins.

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
    turn::{CueBall, Player, Turn},
};

const NINE: Ball = Ball(9);

/// The state of nine-ball from shot to shot.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct NineBall(Rotation);

impl NineBall {
    pub fn consecutive_fouls(&self, player: Player) -> u8 {
        self.0.consecutive_fouls(player)
    }
}

impl Rules for NineBall {
    fn rack(&self) -> BallSet {
        BallSet::numbers(1, 9)
    }

    fn restart(&mut self) {
        *self = Self::default();
    }

    fn targets(&self, at: &Situation) -> BallSet {
        self.0.targets(at)
    }

    fn may_call(&self, _: &Situation, call: Call) -> bool {
        call == Call::PushOut && self.0.may_push_out()
    }

    fn must_call(&self, _: &Situation) -> bool {
        false
    }

    fn judge(&mut self, at: &Situation, shot: &ShotRecord) -> Ruling {
        let (fouls, decided) = self.0.judge(at, shot);
        // WPA 5.6: the 9 comes back unless it won, and no other ball does.
        let back = shot.gone().contains(NINE) && decided.is_some();
        let turn = decided.unwrap_or_else(|| {
            if shot.down().contains(NINE) {
                Turn::Over {
                    winner: at.player,
                    ending: Ending::NinePocketed,
                }
            } else if shot.down().is_empty() {
                at.pass(CueBall::AsItLies)
            } else {
                at.go_on()
            }
        });
        Ruling {
            fouls,
            spotted: back.then_some(NINE).into_iter().collect(),
            ..Ruling::new(at.player, turn)
        }
    }
}

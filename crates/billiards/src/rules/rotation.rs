//! What nine-ball and ten-ball have in common: the lowest ball first, a push out after the break, and three fouls in a row that lose
//! (WPA 5, 6).

use serde::{Deserialize, Serialize};

use super::{
    ball_set::BallSet,
    call::Call,
    ending::Ending,
    foul::{Foul, common_fouls},
    game::Situation,
    record::ShotRecord,
    turn::{Area, CueBall, Dilemma, Player, Turn},
};

/// The state of both games from shot to shot.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rotation {
    /// Fouls in a row of both players since the rack (WPA 3.13).
    fouls: [u8; 2],
    /// Whether the next shot may be a push out (WPA 5.4, 6.4).
    may_push_out: bool,
}

impl Rotation {
    pub fn consecutive_fouls(&self, player: Player) -> u8 {
        self.fouls[player.index()]
    }

    pub fn may_push_out(&self) -> bool {
        self.may_push_out
    }

    /// The lowest ball.
    pub fn targets(&self, at: &Situation) -> BallSet {
        at.balls.iter().take(1).collect()
    }

    /// The fouls of a shot, and the turn after a foul or a push out. After any other shot each game has its own turn.
    pub fn judge(&mut self, at: &Situation, shot: &ShotRecord) -> (Vec<Foul>, Option<Turn>) {
        let push_out = at.call == Some(Call::PushOut);
        let fouls = self.fouls(at, shot, push_out);
        let foul = !fouls.is_empty();
        let third = self.third_foul(at.player, foul);
        self.may_push_out = at.breaking && !foul;
        let turn = if foul {
            Some(after_foul(at, third))
        } else {
            push_out.then(|| at.let_opponent_choose(Dilemma::PushOut))
        };
        (fouls, turn)
    }

    fn fouls(&self, at: &Situation, shot: &ShotRecord, push_out: bool) -> Vec<Foul> {
        let targets = (!push_out).then(|| self.targets(at));
        let mut fouls = common_fouls(shot, targets);
        if at.breaking && shot.is_weak_break() {
            fouls.push(Foul::WeakBreak);
        }
        fouls
    }

    /// Notes whether a shot was a foul; true on the third in a row.
    fn third_foul(&mut self, player: Player, foul: bool) -> bool {
        let count = &mut self.fouls[player.index()];
        *count = if foul { *count + 1 } else { 0 };
        *count == 3
    }
}

fn after_foul(at: &Situation, third: bool) -> Turn {
    if third {
        Turn::Over {
            winner: at.player.other(),
            ending: Ending::ThreeFouls,
        }
    } else {
        at.pass(CueBall::InHand(Area::Table))
    }
}

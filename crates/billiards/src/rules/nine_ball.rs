//! Nine-ball (WPA 5): the lowest ball first, and whoever pockets the 9 wins.

use serde::{Deserialize, Serialize};

use super::{
    ball::Ball,
    ball_set::BallSet,
    call::Call,
    ending::Ending,
    foul::{Foul, common_fouls},
    game::{Rules, Situation},
    record::ShotRecord,
    ruling::Ruling,
    turn::{Area, Choice, CueBall, Dilemma, Player, Turn},
};

const NINE: Ball = Ball(9);

/// The state of nine-ball from shot to shot.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct NineBall {
    /// Fouls in a row of both players since the rack (WPA 3.13).
    fouls: [u8; 2],
    /// Whether the next shot may be a push out (WPA 5.4).
    may_push_out: bool,
}

impl NineBall {
    pub fn consecutive_fouls(&self, player: Player) -> u8 {
        self.fouls[player.index()]
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

    fn after_foul(&mut self, at: &Situation, third: bool) -> Turn {
        if third {
            Turn::Over {
                winner: at.player.other(),
                ending: Ending::ThreeFouls,
            }
        } else {
            at.pass(CueBall::InHand(Area::Table))
        }
    }
}

/// The opponent of whoever pushed out chooses who shoots next (WPA 5.4).
fn after_push_out(at: &Situation) -> Turn {
    Turn::Choose {
        player: at.player.other(),
        about: Dilemma::PushOut,
        options: vec![
            Choice::Play {
                cue: CueBall::AsItLies,
                spot: None,
            },
            Choice::HandBack,
        ],
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
        at.balls.iter().take(1).collect()
    }

    fn may_call(&self, _: &Situation, call: Call) -> bool {
        call == Call::PushOut && self.may_push_out
    }

    fn must_call(&self, _: &Situation) -> bool {
        false
    }

    fn judge(&mut self, at: &Situation, shot: &ShotRecord) -> Ruling {
        let push_out = at.call == Some(Call::PushOut);
        let fouls = self.fouls(at, shot, push_out);
        let foul = !fouls.is_empty();
        let third = self.third_foul(at.player, foul);
        self.may_push_out = at.breaking && !foul;
        let nine_down = shot.down().contains(NINE);
        let turn = if foul {
            self.after_foul(at, third)
        } else if push_out {
            after_push_out(at)
        } else if nine_down {
            Turn::Over {
                winner: at.player,
                ending: Ending::NinePocketed,
            }
        } else if shot.down().is_empty() {
            at.pass(CueBall::AsItLies)
        } else {
            at.go_on()
        };
        // WPA 5.6: the 9 comes back unless it won, and no other ball does.
        let back = shot.gone().contains(NINE) && (foul || push_out);
        Ruling {
            fouls,
            spotted: back.then_some(NINE).into_iter().collect(),
            ..Ruling::new(at.player, turn)
        }
    }
}

//! The interface of a game.

use super::{
    ball_set::BallSet,
    call::Call,
    record::ShotRecord,
    ruling::Ruling,
    turn::{Area, Choice, CueBall, Dilemma, Player, Turn},
};

/// The situation of the shooter.
pub(super) struct Situation {
    pub player: Player,
    /// Who broke or opened this rack.
    pub breaker: Player,
    /// The object balls on the table.
    pub balls: BallSet,
    pub cue: CueBall,
    pub breaking: bool,
    pub call: Option<Call>,
}

impl Situation {
    /// The shooter goes on from where the cue ball came to rest.
    pub fn go_on(&self) -> Turn {
        Turn::Shoot {
            player: self.player,
            cue: CueBall::AsItLies,
        }
    }

    /// The opponent shoots.
    pub fn pass(&self, cue: CueBall) -> Turn {
        Turn::Shoot {
            player: self.player.other(),
            cue,
        }
    }

    /// The opponent chooses who shoots next.
    pub fn let_opponent_choose(&self, about: Dilemma) -> Turn {
        let cue = CueBall::AsItLies;
        Turn::Choose {
            player: self.player.other(),
            about,
            options: vec![Choice::Play { cue, spot: None }, Choice::HandBack],
        }
    }
}

/// The interface of a game.
pub(super) trait Rules {
    /// The object balls of a rack.
    fn rack(&self) -> BallSet;

    /// The first turn of a rack.
    fn open(&self, breaker: Player) -> Turn {
        Turn::Break(breaker)
    }

    /// Where the cue ball is placed for the break.
    fn kitchen(&self) -> Area {
        Area::BehindHeadString
    }

    /// Whether each player has an own cue ball.
    fn swaps_cue_balls(&self) -> bool {
        false
    }

    /// Heeds what a player has chosen.
    fn chosen(&mut self, _: Choice) {}

    /// Forgets all decisions since the rack.
    fn restart(&mut self);

    /// The balls are racked anew, by a ruling or a choice.
    fn racked(&mut self) {
        self.restart();
    }

    /// The balls that the cue ball may meet first.
    fn targets(&self, at: &Situation) -> BallSet;

    /// Whether this may be called.
    fn may_call(&self, at: &Situation, call: Call) -> bool;

    /// Whether a ball and a pocket have to be called for a ball that falls to count.
    fn must_call(&self, at: &Situation) -> bool;

    /// The consequence of a shot. The record names only balls that were on the table, and each at most once as gone.
    fn judge(&mut self, at: &Situation, shot: &ShotRecord) -> Ruling;
}

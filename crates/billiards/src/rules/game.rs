//! The games, and what makes one.

use serde::{Deserialize, Serialize};

use super::{
    BallSet, Call, Calls, CueBall, Player, Ruling, ShotRecord, Turn, eight_ball::EightBall,
    free_table::FreeTable, nine_ball::NineBall,
};

/// A game.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discipline {
    /// Eight-ball (WPA 4).
    EightBall(Calls),
    /// Nine-ball (WPA 5).
    NineBall,
    /// No rules.
    FreeTable,
}

/// What the shooter finds.
pub(super) struct Situation {
    pub player: Player,
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
}

/// What makes a game.
pub(super) trait Rules {
    /// The object balls of a rack.
    fn rack(&self) -> BallSet;

    /// The first turn of a rack.
    fn open(&self, breaker: Player) -> Turn {
        Turn::Break(breaker)
    }

    /// Forgets what was decided since the rack.
    fn restart(&mut self);

    /// The balls that the cue ball may meet first.
    fn targets(&self, at: &Situation) -> BallSet;

    /// Whether this may be called.
    fn may_call(&self, at: &Situation, call: Call) -> bool;

    /// Whether a ball and a pocket have to be called for a ball that falls to count.
    fn must_call(&self, at: &Situation) -> bool;

    /// What follows from a shot. The record names no ball that was not on the table, and none as gone twice.
    fn judge(&mut self, at: &Situation, shot: &ShotRecord) -> Ruling;
}

/// A game and what it remembers.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    EightBall(EightBall),
    NineBall(NineBall),
    FreeTable(FreeTable),
}

impl State {
    pub fn new(discipline: Discipline) -> Self {
        match discipline {
            Discipline::EightBall(calls) => Self::EightBall(EightBall::new(calls)),
            Discipline::NineBall => Self::NineBall(NineBall::default()),
            Discipline::FreeTable => Self::FreeTable(FreeTable),
        }
    }

    pub fn discipline(&self) -> Discipline {
        match self {
            Self::EightBall(game) => Discipline::EightBall(game.calls()),
            Self::NineBall(_) => Discipline::NineBall,
            Self::FreeTable(_) => Discipline::FreeTable,
        }
    }

    pub fn rules(&self) -> &dyn Rules {
        match self {
            Self::EightBall(game) => game,
            Self::NineBall(game) => game,
            Self::FreeTable(game) => game,
        }
    }

    pub fn rules_mut(&mut self) -> &mut dyn Rules {
        match self {
            Self::EightBall(game) => game,
            Self::NineBall(game) => game,
            Self::FreeTable(game) => game,
        }
    }
}

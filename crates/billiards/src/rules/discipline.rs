//! The games.

use serde::{Deserialize, Serialize};

use super::{
    call::Calls, eight_ball::EightBall, free_table::FreeTable, game::Rules, nine_ball::NineBall,
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

/// A game and its state.
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

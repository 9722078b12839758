//! The games.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use super::{
    ball::Ball, call::Calls, eight_ball::EightBall, free_table::FreeTable, game::Rules,
    nine_ball::NineBall, snooker::Snooker, straight_pool::StraightPool, ten_ball::TenBall,
    three_cushion::ThreeCushion,
};

/// A game.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discipline {
    /// Eight-ball (WPA 4).
    EightBall(Calls),
    /// Nine-ball (WPA 5).
    NineBall,
    /// Ten-ball (WPA 6).
    TenBall,
    /// Straight pool (WPA 7), with the points that win a frame.
    StraightPool(NonZeroU32),
    /// Snooker (WPBSA).
    Snooker,
    /// Three-cushion carom (UMB).
    ThreeCushion,
    /// No rules.
    FreeTable,
}

impl Discipline {
    /// A ball's name in this game, as in "the 8" or "the pink".
    pub fn name_of(self, ball: Ball) -> String {
        let name = match (self, ball.0) {
            (_, 0) => "cue ball",
            (Self::Snooker, 1..=15) | (Self::ThreeCushion, 2) => "red",
            (Self::Snooker, 16) => "yellow",
            (Self::Snooker, 17) => "green",
            (Self::Snooker, 18) => "brown",
            (Self::Snooker, 19) => "blue",
            (Self::Snooker, 20) => "pink",
            (Self::Snooker, 21) => "black",
            (Self::ThreeCushion, 1) => "other cue ball",
            (_, number) => return format!("the {number}"),
        };
        format!("the {name}")
    }
}

/// A game and its state.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    EightBall(EightBall),
    NineBall(NineBall),
    TenBall(TenBall),
    StraightPool(StraightPool),
    Snooker(Snooker),
    ThreeCushion(ThreeCushion),
    FreeTable(FreeTable),
}

impl State {
    pub fn new(discipline: Discipline) -> Self {
        match discipline {
            Discipline::EightBall(calls) => Self::EightBall(EightBall::new(calls)),
            Discipline::NineBall => Self::NineBall(NineBall::default()),
            Discipline::TenBall => Self::TenBall(TenBall::default()),
            Discipline::StraightPool(goal) => Self::StraightPool(StraightPool::new(goal)),
            Discipline::Snooker => Self::Snooker(Snooker::default()),
            Discipline::ThreeCushion => Self::ThreeCushion(ThreeCushion::default()),
            Discipline::FreeTable => Self::FreeTable(FreeTable),
        }
    }

    pub fn discipline(&self) -> Discipline {
        match self {
            Self::EightBall(game) => Discipline::EightBall(game.calls()),
            Self::NineBall(_) => Discipline::NineBall,
            Self::TenBall(_) => Discipline::TenBall,
            Self::StraightPool(game) => Discipline::StraightPool(game.goal()),
            Self::Snooker(_) => Discipline::Snooker,
            Self::ThreeCushion(_) => Discipline::ThreeCushion,
            Self::FreeTable(_) => Discipline::FreeTable,
        }
    }

    pub fn rules(&self) -> &dyn Rules {
        match self {
            Self::EightBall(game) => game,
            Self::NineBall(game) => game,
            Self::TenBall(game) => game,
            Self::StraightPool(game) => game,
            Self::Snooker(game) => game,
            Self::ThreeCushion(game) => game,
            Self::FreeTable(game) => game,
        }
    }

    pub fn rules_mut(&mut self) -> &mut dyn Rules {
        match self {
            Self::EightBall(game) => game,
            Self::NineBall(game) => game,
            Self::TenBall(game) => game,
            Self::StraightPool(game) => game,
            Self::Snooker(game) => game,
            Self::ThreeCushion(game) => game,
            Self::FreeTable(game) => game,
        }
    }
}

/// The same text with a capital letter in front.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

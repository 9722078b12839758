//! A match: who sits where, the frame and the race.

use std::num::NonZeroU32;

use bevy::prelude::*;
use clap::ValueEnum;

use super::practice::Practice;
use crate::rules::{Area, BreakOrder, CueBall, Discipline, Frame, Player, Race, Ruling, Turn};

/// How well the computer plays.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Skill {
    /// Misses often
    Beginner,
    /// Pots easy balls
    #[default]
    Club,
    /// Misses little
    Expert,
}

/// Who plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Seat {
    /// Someone at this machine.
    #[default]
    Human,
    /// The computer.
    Computer(Skill),
    /// Someone at another machine.
    Remote,
}

/// A match to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The game.
    pub discipline: Discipline,
    /// Who plays it.
    pub seats: [Seat; 2],
    /// How many frames win the match.
    pub goal: NonZeroU32,
}

/// The match that is played. Without a frame there are no rules: balls that jump off come back, and either player shoots. In practice
/// there is none.
#[derive(Resource, Clone, Debug)]
pub struct Match {
    /// The frame, if there are rules.
    pub frame: Option<Frame>,
    /// The score.
    pub race: Race,
    /// Who plays.
    pub seats: [Seat; 2],
    /// Result of the last shot or choice, in sentences.
    pub news: Vec<String>,
    /// The last ruling.
    pub ruling: Option<Ruling>,
    /// The drill, in practice.
    pub practice: Option<Practice>,
}

impl Default for Match {
    fn default() -> Self {
        Self {
            frame: None,
            race: Race::new(NonZeroU32::MIN, BreakOrder::Alternate, Player::One),
            seats: default(),
            news: Vec::new(),
            ruling: None,
            practice: None,
        }
    }
}

impl Match {
    /// Whether the rules wait for a shot, and have all that they need for it.
    pub fn may_shoot(&self) -> bool {
        if let Some(practice) = &self.practice {
            return practice.result.is_none();
        }
        self.frame
            .as_ref()
            .is_none_or(|frame| frame.cue_ball().is_some() && !self.needs_call())
    }

    /// Whether a ball and a pocket have to be called before the next shot.
    pub fn needs_call(&self) -> bool {
        self.frame
            .as_ref()
            .is_some_and(|frame| frame.must_call() && frame.called().is_none())
    }

    /// Where the cue ball may be put; none unless it is in hand.
    pub fn area(&self) -> Option<Area> {
        match &self.frame {
            None if self.practice.is_some() => None,
            None => Some(Area::Table),
            Some(frame) => match frame.cue_ball()? {
                CueBall::AsItLies => None,
                CueBall::InHand(area) => Some(area),
            },
        }
    }

    /// The game, if there are rules.
    pub fn discipline(&self) -> Option<Discipline> {
        self.frame.as_ref().map(Frame::discipline)
    }

    /// Who is to play.
    pub fn player(&self) -> Option<Player> {
        self.frame.as_ref()?.turn().player()
    }

    /// Who sits where `player` sits.
    pub fn seat(&self, player: Player) -> Seat {
        self.seats[player.index()]
    }

    /// Whether someone at this machine is to play, or the frame is over.
    pub fn is_human_turn(&self) -> bool {
        self.player()
            .is_none_or(|player| self.seat(player) == Seat::Human)
    }

    /// Whether the frame is decided.
    pub fn is_over(&self) -> bool {
        let turn = self.frame.as_ref().map(Frame::turn);
        matches!(turn, Some(Turn::Over { .. }))
    }
}

//! The data that goes over the network: for each step, a request and the cue of each player.

use std::num::NonZeroU32;

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{
    play::{
        cue::{Cue, Stroke},
        matches::{Seat, Setup},
        referee::Ask,
        sheet::WrittenBlow,
        state::Shot,
    },
    rules::{Call, Choice, Discipline},
};

/// All that a player does in one step.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq)]
pub struct Input {
    /// A request to the game.
    pub request: Option<Request>,
    /// The cue, for the other player to see.
    pub cue: HeldCue,
    /// Hash of the table on the player's machine, when the input was made. It is the same on both machines.
    pub table_hash: u64,
}

/// A request of a player: an [`Ask`] or a [`Shot`].
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
pub enum Request {
    /// A new match. Each machine knows who sits at it.
    Begin(Discipline, NonZeroU32),
    /// See [`Ask::NextFrame`].
    NextFrame,
    /// See [`Ask::Place`].
    Place([f32; 2]),
    /// See [`Ask::Call`].
    Call(Option<Call>),
    /// See [`Ask::Choose`].
    Choose(Choice),
    /// See [`Shot`].
    Shoot(WrittenBlow),
}

impl Request {
    /// The request of a player at this machine; none if nobody plays it over the network.
    pub fn of(ask: Ask) -> Option<Self> {
        Some(match ask {
            Ask::Practise(_) => return None,
            Ask::Begin(setup) => Self::Begin(setup.discipline, setup.goal),
            Ask::NextFrame => Self::NextFrame,
            Ask::Place(at) => Self::Place(at.to_array()),
            Ask::Call(call) => Self::Call(call),
            Ask::Choose(choice) => Self::Choose(choice),
        })
    }
}

impl From<Shot> for Request {
    fn from(Shot(blow): Shot) -> Self {
        Self::Shoot(blow.into())
    }
}

impl Request {
    /// Asks the game for it. `seats` says who sits at this machine.
    pub fn write(self, world: &mut World, seats: [Seat; 2]) {
        let ask = match self {
            Self::Begin(discipline, goal) => Ask::Begin(Setup {
                discipline,
                seats,
                goal,
            }),
            Self::NextFrame => Ask::NextFrame,
            Self::Place(at) => Ask::Place(at.into()),
            Self::Call(call) => Ask::Call(call),
            Self::Choose(choice) => Ask::Choose(choice),
            Self::Shoot(blow) => {
                world.write_message(Shot(blow.into()));
                return;
            }
        };
        world.write_message(ask);
    }
}

/// The cue as a player holds it.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq)]
pub struct HeldCue {
    direction: [f32; 2],
    tip: [f32; 2],
    raised: f32,
    /// How far it is drawn back, in m.
    back: f32,
}

impl From<&Cue> for HeldCue {
    fn from(cue: &Cue) -> Self {
        Self {
            direction: cue.direction.to_array(),
            tip: cue.tip.to_array(),
            raised: cue.raised,
            back: match cue.stroke {
                Stroke::Pull { back, .. } => back,
                Stroke::Strike { left, .. } => left,
                Stroke::Aim | Stroke::Done => 0.0,
            },
        }
    }
}

impl HeldCue {
    /// Shows the cue as the other player holds it. A cue that points nowhere has not been seen yet.
    pub fn show(&self, cue: &mut Cue) {
        let Some(direction) = Vec2::from(self.direction).try_normalize() else {
            return;
        };
        cue.direction = direction;
        cue.tip = self.tip.into();
        cue.raised = self.raised;
        cue.stroke = match self.back {
            back if back > 0.0 => Stroke::Pull {
                grip: Vec2::ZERO,
                back,
            },
            _ => Stroke::Aim,
        };
    }
}

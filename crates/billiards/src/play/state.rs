//! The state of the game, and the requests that it takes.

use bevy::prelude::*;

use super::{blow::Blow, snapshot::Lying};
use crate::{
    rules::{Ball, Kind},
    table::rack::{Gaps, Rack},
};

/// Whose turn it is: the player's or the balls'.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// All balls lie still: the player may shoot.
    #[default]
    Aim,
    /// Balls move.
    Roll,
    /// The last shot is shown once more.
    Replay,
}

/// The state of the game.
#[derive(Resource, Clone, Debug, Default)]
pub struct Game {
    /// How the balls are set up.
    pub rack: Rack,
    /// Whether a template sets them up, and not a triangle.
    pub template: bool,
    /// Number of the rack: each has other gaps.
    pub racks: u64,
    /// Whose turn it is.
    pub phase: Phase,
    /// Shots since the rack.
    pub shots: u32,
    /// Object balls that are off the table for good, in order.
    pub pocketed: Vec<Ball>,
    /// Where the balls lay before the last shot, while the rules may ask to put them back.
    pub before_shot: Vec<Lying>,
    /// A note to the player about the last shot.
    pub note: String,
}

impl Game {
    /// The gaps of the present rack.
    pub fn gaps(&self) -> Gaps {
        self.gaps_of(self.racks)
    }

    /// The gaps when balls are racked in the middle of a frame. They depend on nothing that a saved shot leaves out.
    pub fn gaps_again(&self) -> Gaps {
        self.gaps_of(self.shots.into())
    }

    fn gaps_of(&self, rack: u64) -> Gaps {
        if self.template {
            Gaps::Template { rack }
        } else {
            Gaps::Triangle { rack }
        }
    }

    /// How many balls of `kind` fell.
    pub fn count(&self, kind: Kind) -> usize {
        self.pocketed
            .iter()
            .filter(|ball| ball.kind() == kind)
            .count()
    }
}

/// Asks for a shot; heeded when all balls lie still and the rules wait for a shot.
#[derive(Message, Clone, Copy, Debug)]
pub struct Shot(pub Blow);

/// Asks for a new rack. A frame that is being played begins again.
#[derive(Message, Clone, Copy, Debug)]
pub struct Rerack;

/// Requests to the game are carried out in this set, in [`FixedUpdate`], before the physics steps.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Heed;

/// Run condition: the game is in this phase.
pub(crate) fn phase_is(phase: Phase) -> impl FnMut(Res<Game>) -> bool + Clone {
    move |game| game.phase == phase
}

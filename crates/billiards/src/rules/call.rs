//! A player's announcement before a shot.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::ball::Ball;

/// An announcement before a shot.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// A ball and the pocket that it is to fall into (WPA 1.7), by its index in the table's list of pockets.
    Pot {
        /// The ball.
        ball: Ball,
        /// The pocket.
        pocket: usize,
    },
    /// The turn always ends with this shot, even if a ball falls (WPA 4.6).
    Safety,
    /// The free shot after the break in nine-ball and ten-ball (WPA 5.4, 6.4).
    PushOut,
}

/// The shots of eight-ball that have to be called.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Calls {
    /// Only shots at the 8, as most houses play. Any ball of one's group that falls keeps the turn, and on an open table the first
    /// ball that falls decides the groups.
    #[default]
    EightOnly,
    /// All but the break (WPA 4.6). Only the called ball in the called pocket keeps the turn or decides the groups.
    EveryShot,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Pot { ball, pocket } => write!(f, "the {} in pocket {pocket}", ball.0),
            Self::Safety => write!(f, "a safety"),
            Self::PushOut => write!(f, "a push out"),
        }
    }
}

//! The groups of eight-ball.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{ball::Ball, ball_set::BallSet};

/// The balls that a player has to pocket before the 8.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// 1 to 7.
    Solids,
    /// 9 to 15.
    Stripes,
}

impl Group {
    /// The balls of the group.
    pub const fn balls(self) -> BallSet {
        match self {
            Self::Solids => BallSet::numbers(1, 7),
            Self::Stripes => BallSet::numbers(9, 15),
        }
    }

    /// The opponent's group.
    pub const fn other(self) -> Self {
        match self {
            Self::Solids => Self::Stripes,
            Self::Stripes => Self::Solids,
        }
    }

    /// The group that `ball` is in; none for the cue ball and the 8.
    pub(super) fn of(ball: Ball) -> Option<Self> {
        [Self::Solids, Self::Stripes]
            .into_iter()
            .find(|group| group.balls().contains(ball))
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Solids => "solids",
            Self::Stripes => "stripes",
        })
    }
}

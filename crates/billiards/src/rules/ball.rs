//! The balls by their numbers.

use serde::{Deserialize, Serialize};

/// A ball by its number; the cue ball's is 0.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ball(pub u8);

/// The kinds of ball in 8-ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The white ball that the cue strikes.
    Cue,
    /// 1 to 7.
    Solid,
    /// The black 8.
    Eight,
    /// 9 to 15.
    Stripe,
}

impl Ball {
    /// The cue ball.
    pub const CUE: Self = Self(0);

    /// Which kind of ball it is.
    pub fn kind(self) -> Kind {
        match self.0 {
            0 => Kind::Cue,
            8 => Kind::Eight,
            1..8 => Kind::Solid,
            _ => Kind::Stripe,
        }
    }
}

//! How a frame ends.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a frame is over. Displayed, it is a sentence for the players.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The winner pocketed the 8 as called (eight-ball, WPA 4).
    EightPocketed,
    /// The loser pocketed the 8 on a foul (WPA 4.8(a)).
    EightOnFoul,
    /// The loser pocketed the 8 before the group was cleared (WPA 4.8(b)).
    EightTooEarly,
    /// The loser pocketed the 8 in a pocket that was not called (WPA 4.8(c)).
    EightNotAsCalled,
    /// The loser drove the 8 off the table (WPA 4.8(d)).
    EightOffTable,
    /// The winner pocketed the 9 (WPA 5.5).
    NinePocketed,
    /// The winner pocketed the 10 as called, and it was the last ball (WPA 6.7).
    TenPocketed,
    /// The winner has more points when the black is down (snooker, WPBSA 3.4).
    MorePoints,
    /// The winner has the points that win (straight pool, WPA 7.4; three-cushion).
    GoalReached,
    /// The loser fouled three times in a row (WPA 3.13, 5.8, 6.10).
    ThreeFouls,
    /// The loser missed the balls that were on three times from one place, with one of them in full sight (snooker, WPBSA 3.14).
    ThreeMisses,
    /// The loser conceded (WPA 1.12).
    Conceded,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::EightPocketed => "The 8 is down as called",
            Self::EightOnFoul => "The 8 fell on a foul",
            Self::EightTooEarly => "The 8 fell before the group was cleared",
            Self::EightNotAsCalled => "The 8 fell in a pocket that was not called",
            Self::EightOffTable => "The 8 left the table",
            Self::NinePocketed => "The 9 is down",
            Self::TenPocketed => "The 10 is down as called",
            Self::MorePoints => "The black has decided: the higher score wins",
            Self::GoalReached => "The points are complete",
            Self::ThreeFouls => "Three fouls in a row",
            Self::ThreeMisses => "Three misses from the same place",
            Self::Conceded => "The opponent conceded",
        })
    }
}

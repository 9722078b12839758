//! Players, whose turn it is, and the choices they have.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{ball::Ball, ending::Ending};

/// One of the two players.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// The first.
    One,
    /// The second.
    Two,
}

impl Player {
    /// The opponent.
    pub const fn other(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }

    /// 0 or 1.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Player {}", self.index() + 1)
    }
}

/// Where the cue ball is played from. A cue ball in hand that is on the table may also stay where it is, if that place
/// is allowed (WPA 1.6).
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum CueBall {
    /// Where it lies.
    AsItLies,
    /// From any place in an area.
    InHand(Area),
}

/// Where a cue ball in hand may be put.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// Anywhere on the table.
    Table,
    /// Behind the head string.
    BehindHeadString,
    /// In the half circle at snooker's baulk line.
    D,
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Table => "anywhere on the table",
            Self::BehindHeadString => "behind the head string",
            Self::D => "in the D",
        })
    }
}

/// The player whose turn it is, and the action.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Break the rack, with the cue ball in hand.
    Break(Player),
    /// Shoot.
    Shoot {
        /// Who.
        player: Player,
        /// Where the cue ball is played from.
        cue: CueBall,
    },
    /// Choose one of several ways to go on.
    Choose {
        /// Who.
        player: Player,
        /// Subject of the choice.
        about: Dilemma,
        /// The ways to go on; at least two.
        options: Vec<Choice>,
    },
    /// The frame is over.
    Over {
        /// Who won.
        winner: Player,
        /// Why.
        ending: Ending,
    },
}

impl Turn {
    /// Who is to shoot or to choose; none if the frame is over.
    pub fn player(&self) -> Option<Player> {
        match self {
            Self::Break(player) | Self::Shoot { player, .. } | Self::Choose { player, .. } => {
                Some(*player)
            }
            Self::Over { .. } => None,
        }
    }

    /// Whether a player may ask for the last shot to be played again.
    pub fn offers_play_again(&self) -> bool {
        let again = |option: &Choice| matches!(option, Choice::PlayAgain { .. });
        matches!(self, Self::Choose { options, .. } if options.iter().any(again))
    }
}

/// The cause of a choice.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dilemma {
    /// On the break no ball fell and fewer than four met a cushion (WPA 4.3(d)).
    IllegalBreak,
    /// A foul on the break (WPA 4.3(g), (h)).
    FoulOnBreak,
    /// The 8 fell on the break (WPA 4.3(e), (f)).
    EightOnBreak,
    /// The opponent pushed out (WPA 5.4, 6.4).
    PushOut,
    /// A ball fell in ten-ball, but not as the opponent called (WPA 6.6).
    NotAsCalled,
    /// The opponent's opening break of straight pool failed (WPA 7.3).
    BreakingFoul,
    /// The opponent fouled in snooker (WPBSA 3.11).
    FoulInSnooker,
    /// The opponent did not hit a ball that was on and in sight (WPBSA 3.14).
    FoulAndMiss,
    /// The opponent fouled, and no ball that is on can be hit freely (WPBSA 3.12).
    FreeBall,
}

impl fmt::Display for Dilemma {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::IllegalBreak => "Illegal break: no ball fell and fewer than four met a cushion",
            Self::FoulOnBreak => "Foul on the break",
            Self::EightOnBreak => "The 8 fell on the break",
            Self::PushOut => "Push out",
            Self::NotAsCalled => "A ball fell that was not called",
            Self::BreakingFoul => "Breaking foul",
            Self::FoulInSnooker => "Foul",
            Self::FoulAndMiss => "Foul and a miss",
            Self::FreeBall => "Foul, and a free ball: any ball may be hit and potted",
        })
    }
}

/// A way to go on.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Shoot next.
    Play {
        /// Where the cue ball is played from.
        cue: CueBall,
        /// A ball that comes back to its spot first.
        spot: Option<Ball>,
    },
    /// Let the opponent shoot next.
    HandBack,
    /// Put the balls back and let the opponent play the last shot again.
    PlayAgain {
        /// Where the cue ball is played from.
        cue: CueBall,
    },
    /// Rack the balls and break.
    Break,
    /// Rack the balls and let the opponent break.
    LetBreak,
}

impl Choice {
    /// Whether it is to shoot with the cue ball in hand.
    pub fn is_in_hand(&self) -> bool {
        matches!(
            self,
            Self::Play {
                cue: CueBall::InHand(_),
                ..
            }
        )
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Play { cue, spot } => {
                if let Some(ball) = spot {
                    write!(f, "Spot the {} and ", ball.0)?;
                }
                let play = if spot.is_some() { "play" } else { "Play" };
                match cue {
                    CueBall::AsItLies => write!(f, "{play} the table as it lies"),
                    CueBall::InHand(area) => write!(f, "{play} with the cue ball in hand {area}"),
                }
            }
            Self::HandBack => write!(f, "Let the opponent shoot"),
            Self::PlayAgain { .. } => write!(f, "Have the same shot played again"),
            Self::Break => write!(f, "Rack again and break"),
            Self::LetBreak => write!(f, "Rack again and let the opponent break"),
        }
    }
}

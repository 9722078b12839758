//! The fouls.

use std::fmt;

use super::{ball::Ball, ball_set::BallSet, record::ShotRecord};

/// Why a shot is a foul. Displayed, it is a sentence for the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foul {
    /// The cue ball fell into a pocket (WPA 3.1).
    Scratch,
    /// The cue ball left the table (WPA 3.1).
    CueBallOffTable,
    /// The cue ball first met this ball, which it may not (WPA 3.2).
    WrongBallFirst(Ball),
    /// The cue ball met no ball (WPA 3.3).
    NoBallHit,
    /// After the first contact no ball met a cushion and none fell (WPA 3.3).
    NoRailAfterContact,
    /// This object ball left the table (WPA 3.5).
    BallOffTable(Ball),
    /// The cue ball was in hand behind the head string and did not play past it (WPA 3.11).
    NotPastHeadString,
    /// On nine-ball's break no ball fell and fewer than four met a cushion (WPA 5.3(b)).
    WeakBreak,
}

impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Scratch => write!(f, "Cue ball pocketed"),
            Self::CueBallOffTable => write!(f, "Cue ball off the table"),
            Self::WrongBallFirst(ball) => write!(f, "Wrong ball first: the {}", ball.0),
            Self::NoBallHit => write!(f, "No ball hit"),
            Self::NoRailAfterContact => write!(f, "No rail after contact"),
            Self::BallOffTable(ball) => write!(f, "The {} left the table", ball.0),
            Self::NotPastHeadString => write!(f, "Not played past the head string"),
            Self::WeakBreak => write!(f, "Fewer than four balls to a rail on the break"),
        }
    }
}

/// The fouls that all games know. `targets` are the balls that the cue ball may meet first; without them the shot need
/// not meet any ball or rail (WPA 5.4).
pub(super) fn common_fouls(shot: &ShotRecord, targets: Option<BallSet>) -> Vec<Foul> {
    let contact = targets.and_then(|targets| contact_foul(shot, targets));
    let scratch = shot.pocket_of(Ball::CUE).is_some().then_some(Foul::Scratch);
    let off_table = shot.off_table.iter().map(|ball| match ball {
        Ball::CUE => Foul::CueBallOffTable,
        ball => Foul::BallOffTable(ball),
    });
    scratch
        .into_iter()
        .chain(off_table)
        .chain(contact)
        .collect()
}

fn contact_foul(shot: &ShotRecord, targets: BallSet) -> Option<Foul> {
    let Some(first) = shot.first_hit else {
        return Some(Foul::NoBallHit);
    };
    if !targets.contains(first) {
        return Some(Foul::WrongBallFirst(first));
    }
    let rail = shot.cushion_after_contact || !shot.gone().is_empty();
    (!rail).then_some(Foul::NoRailAfterContact)
}

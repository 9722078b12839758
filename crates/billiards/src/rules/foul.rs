//! The fouls.

use super::{
    ball::Ball,
    ball_set::BallSet,
    discipline::{Discipline, capital},
    record::ShotRecord,
};

/// Why a shot is a foul.
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
    /// The cue ball was played into this ball, which it touched (snooker, WPBSA 3.8).
    TouchingBallPlayed(Ball),
    /// A ball fell that may not (snooker, WPBSA 3.11).
    WrongBallPotted(Ball),
    /// After the first contact no ball met a cushion and none fell (WPA 3.3).
    NoRailAfterContact,
    /// This object ball left the table (WPA 3.5).
    BallOffTable(Ball),
    /// The cue ball was in hand behind the head string and did not play past it (WPA 3.11).
    NotPastHeadString,
    /// On the break of nine-ball or ten-ball no ball fell and fewer than four met a cushion (WPA 5.3(b), 6.3(b)).
    WeakBreak,
    /// On the opening break of straight pool no called ball fell, and not both the cue ball and two others met a cushion (WPA 7.3).
    BreakingFoul,
    /// The third foul in a row in straight pool (WPA 7.11).
    ThirdInARow,
}

impl Foul {
    /// A sentence for the players of a game.
    pub fn sentence(&self, game: Discipline) -> String {
        match self {
            Self::Scratch => "Cue ball pocketed".to_owned(),
            Self::CueBallOffTable => "Cue ball off the table".to_owned(),
            Self::WrongBallFirst(ball) => format!("Wrong ball first: {}", game.name_of(*ball)),
            Self::NoBallHit => "No ball hit".to_owned(),
            Self::WrongBallPotted(ball) => {
                format!("{} fell and was not on", capital(&game.name_of(*ball)))
            }
            Self::TouchingBallPlayed(ball) => {
                format!("Not played away from {}", game.name_of(*ball))
            }
            Self::NoRailAfterContact => "No rail after contact".to_owned(),
            Self::BallOffTable(ball) => {
                format!("{} left the table", capital(&game.name_of(*ball)))
            }
            Self::NotPastHeadString => "Not played past the head string".to_owned(),
            Self::WeakBreak => "Fewer than four balls to a rail on the break".to_owned(),
            Self::BreakingFoul => {
                "The cue ball and two others have to meet a rail on the break".to_owned()
            }
            Self::ThirdInARow => "Three fouls in a row".to_owned(),
        }
    }
}

/// The fouls of balls that left the table, and of a pocketed cue ball.
pub(super) fn lost_balls(shot: &ShotRecord) -> impl Iterator<Item = Foul> {
    let scratch = shot.pocket_of(Ball::CUE).is_some().then_some(Foul::Scratch);
    let off_table = shot.off_table.iter().map(|ball| match ball {
        Ball::CUE => Foul::CueBallOffTable,
        ball => Foul::BallOffTable(ball),
    });
    scratch.into_iter().chain(off_table)
}

/// The fouls that all games know. `targets` are the balls that the cue ball may meet first; without them the shot need
/// not meet any ball or rail (WPA 5.4, 6.4).
pub(super) fn common_fouls(shot: &ShotRecord, targets: Option<BallSet>) -> Vec<Foul> {
    let contact = targets.and_then(|targets| contact_foul(shot, targets));
    lost_balls(shot).chain(contact).collect()
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

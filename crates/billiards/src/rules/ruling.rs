//! The consequence of a shot or a choice.

use std::fmt;

use super::{
    ball::Ball,
    call::Call,
    foul::Foul,
    group::Group,
    turn::{Choice, Player, Turn},
};

/// The consequence of a shot or a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// Who shot or chose.
    pub player: Player,
    /// Fouls of the shot.
    pub fouls: Vec<Foul>,
    /// The group that `player` has from now on, if this shot decided it (WPA 4.4).
    pub group: Option<Group>,
    /// The points of the shot, and who gets them.
    pub points: Option<(Player, u32)>,
    /// Object balls that come back to their spots, in this order (WPA 1.5); [`spot`](super::spot) finds the place.
    pub spotted: Vec<Ball>,
    /// All balls are racked anew.
    pub racked: bool,
    /// All balls go back to where they lay before the last shot.
    pub put_back: bool,
    /// The next player and action.
    pub turn: Turn,
}

impl Ruling {
    /// A ruling by which nothing changes but the turn.
    pub(super) fn new(player: Player, turn: Turn) -> Self {
        Self {
            player,
            fouls: Vec::new(),
            group: None,
            points: None,
            spotted: Vec::new(),
            racked: false,
            put_back: false,
            turn,
        }
    }

    /// The balls are racked, and `breaker` breaks.
    pub(super) fn rack(player: Player, breaker: Player) -> Self {
        Self {
            racked: true,
            ..Self::new(player, Turn::Break(breaker))
        }
    }
}

/// A request that a frame refuses. The frame does not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleError {
    /// The frame is over.
    FrameOver,
    /// A choice has to be made before the next shot.
    ChoiceFirst,
    /// There is nothing to choose.
    NothingToChoose,
    /// This choice is not among the options.
    NotAnOption(Choice),
    /// This may not be called now.
    MayNotCall(Call),
    /// A shot's record names this ball, which was not on the table.
    NotOnTable(Ball),
    /// A shot's record says more than once that this ball left the table.
    GoneTwice(Ball),
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::FrameOver => write!(f, "the frame is over"),
            Self::ChoiceFirst => write!(f, "a choice has to be made before the next shot"),
            Self::NothingToChoose => write!(f, "there is nothing to choose"),
            Self::NotAnOption(choice) => write!(f, "`{choice}` is not among the options"),
            Self::MayNotCall(call) => write!(f, "{call} may not be called now"),
            Self::NotOnTable(ball) => write!(f, "ball {} was not on the table", ball.0),
            Self::GoneTwice(ball) => write!(f, "ball {} left the table more than once", ball.0),
        }
    }
}

impl std::error::Error for RuleError {}

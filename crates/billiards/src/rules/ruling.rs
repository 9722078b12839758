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
    /// The points of the shot, and who gets them, or loses them if there are less than none.
    pub points: Option<(Player, i32)>,
    /// Object balls that come back to their spots, in this order (WPA 1.5); [`spot`](super::spot) finds the place.
    pub spotted: Vec<Ball>,
    /// All balls are racked anew.
    pub racked: bool,
    /// The balls that fell are racked in the middle of a turn.
    pub new_rack: Option<NewRack>,
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
            new_rack: None,
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

/// The rack in the middle of a turn of straight pool, with what lies beside it (WPA 7.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewRack {
    /// The ball that stays out, which leaves the first place empty; with none, all balls are racked.
    pub left_out: Option<Ball>,
    /// A ball that lay in the way, and where it goes.
    pub moved: Option<(Ball, Spot)>,
}

/// A spot on the long string beside the foot spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// On the head string.
    Head,
    /// In the middle of the table.
    Center,
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

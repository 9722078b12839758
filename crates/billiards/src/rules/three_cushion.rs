//! Three-cushion carom (UMB): a point for each shot whose cue ball meets both other balls, and three cushions before the second one.
//!
//! Rules are those of the Union Mondiale de Billard, World Rules of Carom Billiard, chapter III. Each player has an own ball: the
//! [cue ball](Ball::CUE) is the ball of the shooter, the [`OTHER`] that of the opponent. If the player who began has all
//! points first, the opponent has one more inning, from the position of the opening. If both have all points, each plays one inning
//! from that position, again and again until one makes more points in it. There is no rule for balls that touch.

use serde::{Deserialize, Serialize};

use super::{
    ball::Ball,
    ball_set::BallSet,
    call::Call,
    ending::Ending,
    foul::{Foul, lost_balls},
    game::{Rules, Situation},
    record::ShotRecord,
    ruling::Ruling,
    turn::{CueBall, Player, Turn},
};

/// The ball of the player who does not shoot.
pub const OTHER: Ball = Ball(1);
/// The red ball.
pub const RED: Ball = Ball(2);
/// Cushions that the cue ball has to meet before the second ball.
pub const CUSHIONS: usize = 3;
/// Points that win a frame.
pub const GOAL: u32 = 10;

/// The state of three-cushion from shot to shot.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ThreeCushion {
    points: [u32; 2],
    has_begun: bool,
    #[serde(default)]
    stage: Stage,
}

/// The stage of a frame.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    /// Until a player has all points.
    #[default]
    Play,
    /// The last inning of the player who did not begin.
    Equalising,
    /// Both have all points: the player who began plays an inning.
    ExtraFirst,
    /// The other player answers it.
    ExtraSecond,
}

impl ThreeCushion {
    pub fn points(&self, player: Player) -> u32 {
        self.points[player.index()]
    }

    /// `player` shoots from the position of the opening.
    fn open_anew(&mut self, stage: Stage, player: Player) -> (Turn, bool) {
        self.stage = stage;
        self.has_begun = false;
        (self.open(player), true)
    }

    /// The turn after a shot that made a point or not, and whether it is played from the position of the opening.
    fn next(&mut self, at: &Situation, counts: bool) -> (Turn, bool) {
        let (first, second) = (at.breaker, at.breaker.other());
        let [own, other] = [at.player, at.player.other()].map(|player| self.points(player));
        let over = |winner| {
            let ending = Ending::GoalReached;
            (Turn::Over { winner, ending }, false)
        };
        match self.stage {
            Stage::Play if own < GOAL && counts => (at.go_on(), false),
            Stage::Play if own < GOAL => (at.pass(CueBall::AsItLies), false),
            Stage::Play if at.player == first => self.open_anew(Stage::Equalising, second),
            Stage::Play => over(second),
            Stage::Equalising if own == GOAL => self.open_anew(Stage::ExtraFirst, first),
            // With one point more in the same number of innings, the frame is won.
            Stage::ExtraSecond if own > other => over(second),
            Stage::Equalising | Stage::ExtraFirst | Stage::ExtraSecond if counts => {
                (at.go_on(), false)
            }
            Stage::ExtraFirst => self.open_anew(Stage::ExtraSecond, second),
            Stage::ExtraSecond if own == other => self.open_anew(Stage::ExtraFirst, first),
            Stage::Equalising | Stage::ExtraSecond => over(first),
        }
    }
}

impl Rules for ThreeCushion {
    fn rack(&self) -> BallSet {
        [OTHER, RED].into_iter().collect()
    }

    fn open(&self, player: Player) -> Turn {
        Turn::Shoot {
            player,
            cue: CueBall::AsItLies,
        }
    }

    fn restart(&mut self) {
        *self = Self::default();
    }

    /// Points stay: a rack in the middle of a frame is another opening.
    fn racked(&mut self) {}

    /// The first shot has to meet the red ball first.
    fn targets(&self, at: &Situation) -> BallSet {
        if self.has_begun {
            at.balls
        } else {
            BallSet::one(RED)
        }
    }

    fn may_call(&self, _: &Situation, _: Call) -> bool {
        false
    }

    fn must_call(&self, _: &Situation) -> bool {
        false
    }

    fn swaps_cue_balls(&self) -> bool {
        true
    }

    fn judge(&mut self, at: &Situation, shot: &ShotRecord) -> Ruling {
        let targets = self.targets(at);
        let wrong = shot.first_hit.filter(|first| !targets.contains(*first));
        let fouls: Vec<Foul> = lost_balls(shot)
            .chain(wrong.map(Foul::WrongBallFirst))
            .collect();
        self.has_begun = true;
        let counts = fouls.is_empty() && shot.caroms_after(CUSHIONS);
        self.points[at.player.index()] += u32::from(counts);
        let (turn, racked) = self.next(at, counts);
        Ruling {
            fouls,
            spotted: shot.off_table.intersection(at.balls).iter().collect(),
            points: counts.then_some((at.player, 1)),
            racked,
            ..Ruling::new(at.player, turn)
        }
    }
}

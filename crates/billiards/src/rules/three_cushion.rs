//! Three-cushion carom (UMB): a point for each shot whose cue ball meets both other balls, and three cushions before the second one.
//!
//! Rules are those of the Union Mondiale de Billard, World Rules of Carom Billiard, chapter III. Each player has an own ball: the
//! [cue ball](Ball::CUE) is the ball of the shooter, the [`OTHER`] that of the opponent. There is no equalising inning, and no rule
//! for balls that touch (articles 6312 and 6333).

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
}

impl ThreeCushion {
    pub fn points(&self, player: Player) -> u32 {
        self.points[player.index()]
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
        let points = &mut self.points[at.player.index()];
        *points += u32::from(counts);
        let turn = if *points >= GOAL {
            Turn::Over {
                winner: at.player,
                ending: Ending::GoalReached,
            }
        } else if counts {
            at.go_on()
        } else {
            at.pass(CueBall::AsItLies)
        };
        Ruling {
            fouls,
            spotted: shot.off_table.intersection(at.balls).iter().collect(),
            points: counts.then_some((at.player, 1)),
            ..Ruling::new(at.player, turn)
        }
    }
}

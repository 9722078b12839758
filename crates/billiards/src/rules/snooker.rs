//! Snooker (WPBSA): a red, a colour, a red, and so on; then the colours by their values.
//!
//! Rule numbers are from the Official Rules of the Games of Snooker and English Billiards of the World Professional Billiards and
//! Snooker Association, section 3, as in "WPBSA 3.11". The colour that the cue ball meets first counts as nominated. There are no
//! rules for events that a program cannot see, nor for these: "foul and a miss" (3.14), a touching ball (3.8), a snooker behind a
//! free ball (3.12(b)), and a free ball with the cue ball in hand.

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
    turn::{Area, Choice, CueBall, Dilemma, Player, Turn},
};

/// The red balls, worth 1 each.
pub const REDS: BallSet = BallSet::numbers(1, 15);
/// Yellow, green, brown, blue, pink and black, worth 2 to 7.
pub const COLORS: BallSet = BallSet::numbers(16, 21);
/// The black ball.
const BLACK: Ball = Ball(21);
/// The least penalty of a foul (WPBSA 3.11).
const PENALTY: u32 = 4;

/// The points of a ball.
pub const fn value(ball: Ball) -> u32 {
    match ball.0 {
        0 => 0,
        1..=15 => 1,
        number => number as u32 - 14,
    }
}

/// The state of snooker from shot to shot.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Snooker {
    points: [u32; 2],
    on: On,
    /// Whether any ball may stand for a ball that is on (WPBSA 3.12).
    free_ball: bool,
}

/// The balls that are on.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
enum On {
    #[default]
    Red,
    /// Any colour, after a red.
    Color,
    /// The colours by their values, when no red is left.
    Order,
}

impl On {
    /// The balls that are on, of these on the table.
    fn among(self, balls: BallSet) -> BallSet {
        match self {
            Self::Red => balls.intersection(REDS),
            Self::Color => balls.intersection(COLORS),
            Self::Order => balls.intersection(COLORS).iter().take(1).collect(),
        }
    }

    /// The balls that are on for a player who comes to the table.
    fn next(balls: BallSet) -> Self {
        if balls.intersection(REDS).is_empty() {
            Self::Order
        } else {
            Self::Red
        }
    }
}

impl Snooker {
    pub fn points(&self, player: Player) -> u32 {
        self.points[player.index()]
    }

    pub fn has_free_ball(&self) -> bool {
        self.free_ball
    }

    /// The ball that stands for a ball that is on.
    fn free(&self, on: BallSet, shot: &ShotRecord) -> Option<Ball> {
        shot.first_hit
            .filter(|first| self.free_ball && !on.contains(*first))
    }

    /// The balls that may fall.
    fn may_fall(&self, on: BallSet, shot: &ShotRecord) -> BallSet {
        let first: BallSet = shot.first_hit.into_iter().collect();
        match self.on {
            On::Color => on.intersection(first),
            On::Red | On::Order => on.union(self.free(on, shot).into_iter().collect()),
        }
    }

    fn fouls(&self, at: &Situation, shot: &ShotRecord) -> Vec<Foul> {
        let targets = self.targets(at);
        let first = match shot.first_hit {
            None => Some(Foul::NoBallHit),
            Some(first) if !targets.contains(first) => Some(Foul::WrongBallFirst(first)),
            Some(_) => None,
        };
        let may_fall = self.may_fall(self.on.among(at.balls), shot);
        let wrong = shot.down().difference(may_fall);
        let wrong = wrong.iter().map(Foul::WrongBallPotted);
        lost_balls(shot).chain(first).chain(wrong).collect()
    }

    /// The points of a shot without a foul.
    fn scored(&self, on: BallSet, shot: &ShotRecord) -> u32 {
        let down = shot.down().intersection(on);
        let free = self.free(on, shot);
        let free_fell = free.is_some_and(|ball| shot.down().contains(ball));
        match self.on {
            On::Red => down.len() as u32 + u32::from(free_fell),
            On::Color => down.iter().map(value).sum(),
            On::Order if free_fell || !down.is_empty() => on.iter().map(value).sum(),
            On::Order => 0,
        }
    }

    /// The points that a foul gives to the opponent: the highest value of the balls that are on and of the balls concerned, at
    /// least 4 (WPBSA 3.11).
    fn penalty(&self, at: &Situation, fouls: &[Foul]) -> u32 {
        let on = match self.on {
            On::Order => self.on.among(at.balls),
            On::Red | On::Color => BallSet::EMPTY,
        };
        let concerned = fouls.iter().filter_map(|foul| match foul {
            Foul::WrongBallFirst(ball) | Foul::WrongBallPotted(ball) | Foul::BallOffTable(ball) => {
                Some(*ball)
            }
            _ => None,
        });
        let values = on.iter().chain(concerned).map(value);
        values.fold(PENALTY, u32::max)
    }

    /// After a foul the opponent plays, or lets the offender play again (WPBSA 3.11). With no clear way to any ball that is on, the
    /// opponent has a free ball (WPBSA 3.12).
    fn after_foul(&mut self, at: &Situation, shot: &ShotRecord, balls: BallSet) -> Turn {
        if shot.cue_ball_gone() {
            return at.pass(CueBall::InHand(Area::D));
        }
        let on = self.on.among(balls);
        let is_hidden = |ball: Ball| !shot.hidden_by(ball).difference(on).is_empty();
        self.free_ball = on.iter().all(is_hidden);
        Turn::Choose {
            player: at.player.other(),
            about: if self.free_ball {
                Dilemma::FreeBall
            } else {
                Dilemma::FoulInSnooker
            },
            options: vec![
                Choice::Play {
                    cue: CueBall::AsItLies,
                    spot: None,
                },
                Choice::HandBack,
            ],
        }
    }

    /// The end of the frame, or the black once more if the points are equal (WPBSA 3.4).
    fn end(&self, at: &Situation) -> Turn {
        let [one, two] = self.points;
        let winner = match one.cmp(&two) {
            std::cmp::Ordering::Less => Player::Two,
            std::cmp::Ordering::Greater => Player::One,
            std::cmp::Ordering::Equal => return at.pass(CueBall::InHand(Area::D)),
        };
        let ending = Ending::MorePoints;
        Turn::Over { winner, ending }
    }
}

impl Rules for Snooker {
    fn rack(&self) -> BallSet {
        REDS.union(COLORS)
    }

    fn kitchen(&self) -> Area {
        Area::D
    }

    fn restart(&mut self) {
        *self = Self::default();
    }

    fn targets(&self, at: &Situation) -> BallSet {
        if self.free_ball {
            at.balls
        } else {
            self.on.among(at.balls)
        }
    }

    fn may_call(&self, _: &Situation, _: Call) -> bool {
        false
    }

    fn must_call(&self, _: &Situation) -> bool {
        false
    }

    fn chosen(&mut self, choice: Choice) {
        if choice == Choice::HandBack {
            self.free_ball = false;
        }
    }

    fn judge(&mut self, at: &Situation, shot: &ShotRecord) -> Ruling {
        let on = self.on.among(at.balls);
        let fouls = self.fouls(at, shot);
        let is_foul = !fouls.is_empty();
        let scored = if is_foul {
            self.penalty(at, &fouls)
        } else {
            self.scored(on, shot)
        };
        let scorer = if is_foul {
            at.player.other()
        } else {
            at.player
        };
        self.points[scorer.index()] += scored;

        // A colour comes back, unless it fell as the next one of the colours.
        let stays = if !is_foul && self.on == On::Order {
            on
        } else {
            BallSet::EMPTY
        };
        let gone = shot.gone().intersection(COLORS);
        let back = gone.difference(stays);
        let balls = at.balls.difference(shot.gone()).union(back);
        let black_decides = at.balls == BallSet::one(BLACK) && scored > 0;

        let was = std::mem::replace(&mut self.on, On::next(balls));
        self.free_ball = false;
        let mut back: Vec<Ball> = back.iter().collect();
        // The highest value first (WPBSA 3.7).
        back.reverse();
        let turn = if black_decides {
            let turn = self.end(at);
            if !matches!(turn, Turn::Over { .. }) && back.is_empty() && !balls.contains(BLACK) {
                back.push(BLACK);
            }
            turn
        } else if is_foul {
            self.after_foul(at, shot, balls)
        } else if scored > 0 {
            if was == On::Red {
                self.on = On::Color;
            }
            at.go_on()
        } else {
            at.pass(CueBall::AsItLies)
        };
        Ruling {
            fouls,
            spotted: back,
            points: (scored > 0).then_some((scorer, scored)),
            ..Ruling::new(at.player, turn)
        }
    }
}

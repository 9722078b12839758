//! Snooker (WPBSA): a red, a colour, a red, and so on; then the colours by their values.
//!
//! Rule numbers are from the Official Rules of the Games of Snooker and English Billiards of the World Professional Billiards and
//! Snooker Association, section 3, as in "WPBSA 3.11". The colour that the cue ball meets first counts as nominated. There are no
//! rules for events that a program cannot see, nor for a snooker behind a free ball (3.12(b)), and a free ball with the cue ball in
//! hand. A miss (3.14) is called where a ball that is on was in sight: a program cannot see how hard a snookered player tried.

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
/// Misses in a row, from one place and in full sight of a ball that is on, that lose a frame (WPBSA 3.14(d)).
pub const MISSES: u8 = 3;
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
    /// The state before a miss, for the shot may be played again.
    #[serde(default)]
    before_miss: Option<(On, bool)>,
    /// Misses in a row from one place, in full sight of a ball that was on.
    #[serde(default)]
    misses: u8,
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

    pub fn misses(&self) -> u8 {
        self.misses
    }

    /// The ball that stands for a ball that is on.
    fn free(&self, on: BallSet, shot: &ShotRecord) -> Option<Ball> {
        shot.first_hit
            .filter(|first| self.free_ball && !on.contains(*first))
    }

    /// The balls that may fall.
    fn may_fall(&self, on: BallSet, shot: &ShotRecord) -> BallSet {
        // A ball that is on and touches the cue ball counts as hit (WPBSA 3.8).
        let first: BallSet = shot.first_hit.into_iter().collect();
        let hit = first.union(shot.touching);
        // One colour is nominated: of two that fall, the one that the cue ball met.
        let first = if shot.down().intersection(hit).len() > 1 {
            first
        } else {
            hit
        };
        match self.on {
            On::Color => on.intersection(first),
            On::Red | On::Order => on.union(self.free(on, shot).into_iter().collect()),
        }
    }

    fn fouls(&self, at: &Situation, shot: &ShotRecord) -> Vec<Foul> {
        let targets = self.targets(at);
        let touches = !shot.touching.intersection(targets).is_empty();
        let first = match (shot.first_hit, shot.pushed()) {
            (_, Some(ball)) if targets.contains(ball) => Some(Foul::TouchingBallPlayed(ball)),
            (_, Some(ball)) => Some(Foul::WrongBallFirst(ball)),
            _ if touches => None,
            (None, _) => Some(Foul::NoBallHit),
            (Some(first), _) if !targets.contains(first) => Some(Foul::WrongBallFirst(first)),
            (Some(_), _) => None,
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
            Foul::WrongBallFirst(ball)
            | Foul::WrongBallPotted(ball)
            | Foul::TouchingBallPlayed(ball)
            | Foul::BallOffTable(ball) => Some(*ball),
            _ => None,
        });
        let values = on.iter().chain(concerned).map(value);
        values.fold(PENALTY, u32::max)
    }

    /// The points that are left on the table.
    fn left(on: On, balls: BallSet) -> u32 {
        let reds = balls.intersection(REDS).len() as u32;
        let colors: u32 = balls.intersection(COLORS).iter().map(value).sum();
        let after_red = if on == On::Color { value(BLACK) } else { 0 };
        reds * (1 + value(BLACK)) + after_red + colors
    }

    /// Whether a player cannot win by potting alone, or draws at best: then a miss does not count (WPBSA 3.14(a)).
    fn needs_fouls(&self, left: u32) -> bool {
        let [one, two] = self.points;
        one.abs_diff(two) >= left
    }

    /// Whether a shot is a miss (WPBSA 3.14(c), (d)); counts those in full sight of a ball that is on. `decided` says that a player
    /// needed fouls to win.
    fn note_miss(
        &mut self,
        targets: BallSet,
        shot: &ShotRecord,
        fouls: &[Foul],
        decided: bool,
    ) -> bool {
        let fails = |foul: &Foul| matches!(foul, Foul::NoBallHit | Foul::WrongBallFirst(_));
        let sees = !shot.in_sight.intersection(targets).is_empty();
        let sees_fully = shot.saw_fully(targets);
        let again = self.misses > 0 && sees_fully;
        let is_miss = fouls.iter().any(fails) && (again || (sees && !decided));
        self.misses = if is_miss && sees_fully {
            self.misses + 1
        } else {
            0
        };
        is_miss
    }

    /// After a foul the opponent plays, or lets the offender play again (WPBSA 3.11), after a miss from the same place (WPBSA 3.14).
    /// With no clear way to any ball that is on, the opponent has a free ball (WPBSA 3.12).
    fn after_foul(&mut self, at: &Situation, shot: &ShotRecord, balls: BallSet) -> Turn {
        let player = at.player.other();
        let again = self.before_miss.map(|_| Choice::PlayAgain { cue: at.cue });
        if shot.cue_ball_gone() {
            let cue = CueBall::InHand(Area::D);
            return match again {
                None => at.pass(cue),
                Some(again) => Turn::Choose {
                    player,
                    about: Dilemma::FoulAndMiss,
                    options: vec![Choice::Play { cue, spot: None }, again],
                },
            };
        }
        let on = self.on.among(balls);
        let is_hidden = |ball: Ball| !shot.hidden_by(ball).difference(on).is_empty();
        self.free_ball = on.iter().all(is_hidden);
        let play = Choice::Play {
            cue: CueBall::AsItLies,
            spot: None,
        };
        let about = match again {
            _ if self.free_ball => Dilemma::FreeBall,
            Some(_) => Dilemma::FoulAndMiss,
            None => Dilemma::FoulInSnooker,
        };
        Turn::Choose {
            player,
            about,
            options: [play, Choice::HandBack].into_iter().chain(again).collect(),
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
        let before = self.before_miss.take();
        match choice {
            Choice::PlayAgain { .. } => {
                if let Some(before) = before {
                    (self.on, self.free_ball) = before;
                }
                return;
            }
            Choice::HandBack => self.free_ball = false,
            _ => {}
        }
        self.misses = 0;
    }

    fn judge(&mut self, at: &Situation, shot: &ShotRecord) -> Ruling {
        let on = self.on.among(at.balls);
        let targets = self.targets(at);
        let fouls = self.fouls(at, shot);
        let was_decided = self.needs_fouls(Self::left(self.on, at.balls));
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
        let was_free = std::mem::take(&mut self.free_ball);
        let decided = was_decided || self.needs_fouls(Self::left(self.on, balls));
        let is_miss = self.note_miss(targets, shot, &fouls, decided);
        self.before_miss = is_miss.then_some((was, was_free));
        let mut back: Vec<Ball> = back.iter().collect();
        // The highest value first (WPBSA 3.7).
        back.reverse();
        let turn = if self.misses == MISSES {
            Turn::Over {
                winner: at.player.other(),
                ending: Ending::ThreeMisses,
            }
        } else if black_decides {
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
            points: (scored > 0).then_some((scorer, scored as i32)),
            ..Ruling::new(at.player, turn)
        }
    }
}

//! Eight-ball (WPA 4): one's own group first, then the 8 in a called pocket.

use serde::{Deserialize, Serialize};

use super::{
    ball::Ball,
    ball_set::BallSet,
    call::{Call, Calls},
    ending::Ending,
    foul::{Foul, common_fouls},
    game::{Rules, Situation},
    group::Group,
    record::ShotRecord,
    ruling::Ruling,
    turn::{Area, Choice, CueBall, Dilemma, Player, Turn},
};

const EIGHT: Ball = Ball(8);

/// The state of eight-ball from shot to shot.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EightBall {
    calls: Calls,
    /// The group of [`Player::One`]; none while the table is open (WPA 4.4).
    group_of_one: Option<Group>,
}

impl EightBall {
    pub fn new(calls: Calls) -> Self {
        Self {
            calls,
            group_of_one: None,
        }
    }

    pub fn calls(&self) -> Calls {
        self.calls
    }

    pub fn group(&self, player: Player) -> Option<Group> {
        match player {
            Player::One => self.group_of_one,
            Player::Two => self.group_of_one.map(Group::other),
        }
    }

    /// Whether the player may pocket the 8: the group was cleared before this shot, or on an open table any group was,
    /// which the player may claim (WPA 4.4, 4.6).
    fn on_eight(&self, at: &Situation) -> bool {
        let cleared = |group: Group| group.balls().intersection(at.balls).is_empty();
        match self.group(at.player) {
            Some(group) => cleared(group),
            None => cleared(Group::Solids) || cleared(Group::Stripes),
        }
    }

    /// The balls, but for the 8, that the player may pocket.
    fn own(&self, at: &Situation) -> BallSet {
        let group = self.group(at.player);
        let own = group.map_or(at.balls, |group| at.balls.intersection(group.balls()));
        own.difference(BallSet::one(EIGHT))
    }

    fn fouls(&self, at: &Situation, shot: &ShotRecord) -> Vec<Foul> {
        let mut fouls = common_fouls(shot, Some(self.targets(at)));
        if at.cue == CueBall::InHand(Area::BehindHeadString) && !shot.past_head_string {
            fouls.push(Foul::NotPastHeadString);
        }
        fouls
    }

    /// The ball that keeps the turn: the called one, or without need of a call the first that fell (WPA 4.5).
    fn scored(&self, at: &Situation, shot: &ShotRecord) -> Option<Ball> {
        match (at.call, self.calls) {
            (call @ Some(Call::Pot { ball, .. }), _) => shot.is_as_called(call).then_some(ball),
            (None, Calls::EightOnly) => {
                let mut down = shot.potted.iter().map(|potted| potted.ball);
                down.find(|ball| self.own(at).contains(*ball))
            }
            (None, Calls::EveryShot) | (Some(Call::Safety | Call::PushOut), _) => None,
        }
    }

    /// How the frame ends if the 8 left the table other than on the break (WPA 4.8).
    fn end(&self, at: &Situation, shot: &ShotRecord, foul: bool) -> Turn {
        let ending = if shot.off_table.contains(EIGHT) {
            Ending::EightOffTable
        } else if foul {
            Ending::EightOnFoul
        } else if !self.on_eight(at) {
            Ending::EightTooEarly
        } else if self.scored(at, shot) != Some(EIGHT) {
            Ending::EightNotAsCalled
        } else {
            Ending::EightPocketed
        };
        let won = ending == Ending::EightPocketed;
        Turn::Over {
            winner: if won { at.player } else { at.player.other() },
            ending,
        }
    }

    fn decide_groups(&mut self, player: Player, group: Group) {
        self.group_of_one = Some(match player {
            Player::One => group,
            Player::Two => group.other(),
        });
    }
}

impl Rules for EightBall {
    fn rack(&self) -> BallSet {
        BallSet::numbers(1, 15)
    }

    fn restart(&mut self) {
        self.group_of_one = None;
    }

    fn targets(&self, at: &Situation) -> BallSet {
        if at.breaking {
            at.balls
        } else if self.on_eight(at) {
            self.own(at).union(BallSet::one(EIGHT))
        } else {
            self.own(at)
        }
    }

    fn may_call(&self, at: &Situation, call: Call) -> bool {
        let allowed = match call {
            Call::Pot { ball: EIGHT, .. } => self.on_eight(at),
            Call::Pot { ball, .. } => self.calls == Calls::EveryShot && self.own(at).contains(ball),
            Call::Safety => true,
            Call::PushOut => false,
        };
        allowed && !at.breaking
    }

    fn must_call(&self, at: &Situation) -> bool {
        !at.breaking && (self.calls == Calls::EveryShot || self.own(at).is_empty())
    }

    fn judge(&mut self, at: &Situation, shot: &ShotRecord) -> Ruling {
        let fouls = self.fouls(at, shot);
        if at.breaking {
            return after_break(at, shot, fouls);
        }
        let foul = !fouls.is_empty();
        let mut group = None;
        let turn = if shot.gone().contains(EIGHT) {
            self.end(at, shot, foul)
        } else if foul {
            at.pass(CueBall::InHand(Area::Table))
        } else if let Some(ball) = self.scored(at, shot) {
            if self.group_of_one.is_none()
                && let Some(decided) = Group::of(ball)
            {
                self.decide_groups(at.player, decided);
                group = Some(decided);
            }
            at.go_on()
        } else {
            at.pass(CueBall::AsItLies)
        };
        Ruling {
            fouls,
            group,
            ..Ruling::new(at.player, turn)
        }
    }
}

/// The consequence of the break (WPA 4.3). If two of its clauses apply, the incoming player has the options of both.
fn after_break(at: &Situation, shot: &ShotRecord, fouls: Vec<Foul>) -> Ruling {
    let eight_off = shot.off_table.contains(EIGHT);
    let turn = if shot.down().contains(EIGHT) {
        eight_on_break(at, fouls.is_empty())
    } else {
        let illegal = shot.is_weak_break();
        if illegal || !fouls.is_empty() {
            bad_break(at, illegal, !fouls.is_empty(), shot.cue_ball_gone())
        } else if shot.down().is_empty() {
            at.pass(CueBall::AsItLies)
        } else {
            at.go_on()
        }
    };
    Ruling {
        fouls,
        spotted: eight_off.then_some(EIGHT).into_iter().collect(),
        ..Ruling::new(at.player, turn)
    }
}

/// The 8 fell on the break: without a foul the breaker chooses, else the opponent (WPA 4.3(e), (f)).
fn eight_on_break(at: &Situation, clean: bool) -> Turn {
    let (player, cue) = if clean {
        (at.player, CueBall::AsItLies)
    } else {
        (at.player.other(), CueBall::InHand(Area::BehindHeadString))
    };
    let spot = Some(EIGHT);
    Turn::Choose {
        player,
        about: Dilemma::EightOnBreak,
        options: vec![Choice::Play { cue, spot }, Choice::Break],
    }
}

/// An illegal break, a foul on the break, or both (WPA 4.3(d), (g), (h)).
fn bad_break(at: &Situation, illegal: bool, foul: bool, cue_ball_gone: bool) -> Turn {
    let play = |cue| Choice::Play { cue, spot: None };
    let options: Vec<Choice> = [
        (!cue_ball_gone, play(CueBall::AsItLies)),
        (foul, play(CueBall::InHand(Area::BehindHeadString))),
        (illegal, Choice::Break),
        (illegal, Choice::LetBreak),
    ]
    .into_iter()
    .filter_map(|(offered, choice)| offered.then_some(choice))
    .collect();
    if options.len() == 1 {
        return at.pass(CueBall::InHand(Area::BehindHeadString));
    }
    Turn::Choose {
        player: at.player.other(),
        about: if illegal {
            Dilemma::IllegalBreak
        } else {
            Dilemma::FoulOnBreak
        },
        options,
    }
}

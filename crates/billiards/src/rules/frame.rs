//! The course of one frame, common to all games.

use serde::{Deserialize, Serialize};

use super::{
    ball::Ball,
    ball_set::BallSet,
    call::Call,
    discipline::{Discipline, State},
    ending::Ending,
    game::Situation,
    group::Group,
    record::ShotRecord,
    ruling::{RuleError, Ruling},
    three_cushion,
    turn::{Choice, CueBall, Player, Turn},
};

/// A frame, from the rack until someone wins.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    state: State,
    balls: BallSet,
    /// The object balls on the table before the last shot.
    #[serde(default)]
    balls_before: BallSet,
    turn: Turn,
    breaker: Player,
    call: Option<Call>,
}

impl Frame {
    /// A racked frame that `breaker` is to break.
    pub fn new(discipline: Discipline, breaker: Player) -> Self {
        let state = State::new(discipline);
        Self {
            balls: state.rules().rack(),
            balls_before: state.rules().rack(),
            turn: state.rules().open(breaker),
            state,
            breaker,
            call: None,
        }
    }

    /// The game.
    pub fn discipline(&self) -> Discipline {
        self.state.discipline()
    }

    /// The player whose turn it is, and the action.
    pub fn turn(&self) -> &Turn {
        &self.turn
    }

    /// Where the cue ball is played from; none unless someone is to shoot.
    pub fn cue_ball(&self) -> Option<CueBall> {
        self.situation().ok().map(|at| at.cue)
    }

    /// The object balls on the table.
    pub fn balls(&self) -> BallSet {
        self.balls
    }

    /// The object balls on the table before the last shot.
    pub fn balls_before(&self) -> BallSet {
        self.balls_before
    }

    /// The balls that the cue ball may meet first; none unless someone is to shoot.
    pub fn targets(&self) -> BallSet {
        self.situation()
            .map_or(BallSet::EMPTY, |at| self.state.rules().targets(&at))
    }

    /// The group of `player` in eight-ball, once it is decided.
    pub fn group(&self, player: Player) -> Option<Group> {
        match &self.state {
            State::EightBall(game) => game.group(player),
            _ => None,
        }
    }

    /// The points of `player`, in games that count them.
    pub fn points(&self, player: Player) -> Option<i32> {
        match &self.state {
            State::StraightPool(game) => Some(game.points(player)),
            State::Snooker(game) => Some(game.points(player) as i32),
            State::ThreeCushion(game) => Some(game.points(player) as i32),
            _ => None,
        }
    }

    /// The points that win the frame, in games with such a number.
    pub fn goal(&self) -> Option<u32> {
        match &self.state {
            State::StraightPool(game) => Some(game.goal().get()),
            State::ThreeCushion(_) => Some(three_cushion::GOAL),
            _ => None,
        }
    }

    /// Whether any ball may stand for a ball that is on, in snooker.
    pub fn has_free_ball(&self) -> bool {
        matches!(&self.state, State::Snooker(game) if game.has_free_ball())
    }

    /// Misses in a row, in snooker, from the place that the cue ball is played from; a third one loses the frame.
    pub fn misses(&self) -> u8 {
        match &self.state {
            State::Snooker(game) => game.misses(),
            _ => 0,
        }
    }

    /// Whether each player has an own cue ball.
    pub fn swaps_cue_balls(&self) -> bool {
        self.state.rules().swaps_cue_balls()
    }

    /// How many fouls `player` made in a row, where that counts. On two the player has to be warned (WPA 3.13).
    pub fn consecutive_fouls(&self, player: Player) -> u8 {
        match &self.state {
            State::NineBall(game) => game.consecutive_fouls(player),
            State::TenBall(game) => game.consecutive_fouls(player),
            State::StraightPool(game) => game.consecutive_fouls(player),
            _ => 0,
        }
    }

    /// The shooter's call.
    pub fn called(&self) -> Option<Call> {
        self.call
    }

    /// Whether the shooter may call this.
    pub fn may_call(&self, call: Call) -> bool {
        self.situation()
            .is_ok_and(|at| self.state.rules().may_call(&at, call))
    }

    /// Whether a ball that falls counts for nothing, or loses the frame, unless it was called.
    pub fn must_call(&self) -> bool {
        self.situation()
            .is_ok_and(|at| self.state.rules().must_call(&at))
    }

    /// Calls the next shot, or takes the call back.
    pub fn call(&mut self, call: Option<Call>) -> Result<(), RuleError> {
        let at = self.situation()?;
        match call {
            Some(call) if !self.state.rules().may_call(&at, call) => {
                Err(RuleError::MayNotCall(call))
            }
            call => {
                self.call = call;
                Ok(())
            }
        }
    }

    /// Judges a shot of the player whose turn it is.
    pub fn shoot(&mut self, shot: &ShotRecord) -> Result<Ruling, RuleError> {
        let at = self.situation()?;
        self.check(shot)?;
        let ruling = self.state.rules_mut().judge(&at, shot);
        self.balls_before = self.balls;
        self.balls = self.balls.difference(shot.gone());
        Ok(self.follow(ruling))
    }

    /// Takes one of the options of [`Turn::Choose`].
    pub fn choose(&mut self, choice: Choice) -> Result<Ruling, RuleError> {
        let (player, options) = match &self.turn {
            Turn::Choose {
                player, options, ..
            } => (*player, options),
            Turn::Over { .. } => return Err(RuleError::FrameOver),
            Turn::Break(_) | Turn::Shoot { .. } => return Err(RuleError::NothingToChoose),
        };
        if !options.contains(&choice) {
            return Err(RuleError::NotAnOption(choice));
        }
        let other_shoots = |cue| {
            let other = player.other();
            Ruling::new(player, Turn::Shoot { player: other, cue })
        };
        let ruling = match choice {
            Choice::Play { cue, spot } => Ruling {
                spotted: spot.into_iter().collect(),
                ..Ruling::new(player, Turn::Shoot { player, cue })
            },
            Choice::HandBack => other_shoots(CueBall::AsItLies),
            Choice::PlayAgain { cue } => Ruling {
                put_back: true,
                ..other_shoots(cue)
            },
            Choice::Break => Ruling::rack(player, player),
            Choice::LetBreak => Ruling::rack(player, player.other()),
        };
        self.state.rules_mut().chosen(choice);
        Ok(self.follow(ruling))
    }

    /// `loser` gives the frame up (WPA 1.12).
    pub fn concede(&mut self, loser: Player) -> Result<Ruling, RuleError> {
        self.not_over()?;
        let winner = loser.other();
        let ending = Ending::Conceded;
        Ok(self.follow(Ruling::new(loser, Turn::Over { winner, ending })))
    }

    /// Nobody gets on, and both agree to begin again: whoever broke this rack breaks again (WPA 1.13, 4.11, 5.9, 6.11).
    pub fn stalemate(&mut self) -> Result<Ruling, RuleError> {
        self.not_over()?;
        self.state.rules_mut().restart();
        let rack = Ruling {
            racked: true,
            ..Ruling::new(self.breaker, self.state.rules().open(self.breaker))
        };
        Ok(self.follow(rack))
    }

    fn not_over(&self) -> Result<(), RuleError> {
        match self.turn {
            Turn::Over { .. } => Err(RuleError::FrameOver),
            _ => Ok(()),
        }
    }

    fn situation(&self) -> Result<Situation, RuleError> {
        let (player, cue, breaking) = match self.turn {
            Turn::Break(player) => {
                let area = self.state.rules().kitchen();
                (player, CueBall::InHand(area), true)
            }
            Turn::Shoot { player, cue } => (player, cue, false),
            Turn::Choose { .. } => return Err(RuleError::ChoiceFirst),
            Turn::Over { .. } => return Err(RuleError::FrameOver),
        };
        Ok(Situation {
            player,
            breaker: self.breaker,
            balls: self.balls,
            cue,
            breaking,
            call: self.call,
        })
    }

    fn check(&self, shot: &ShotRecord) -> Result<(), RuleError> {
        let mut on_table = self.balls;
        if let Some(ball) = shot.first_hit.filter(|ball| !on_table.contains(*ball)) {
            return Err(RuleError::NotOnTable(ball));
        }
        on_table.insert(Ball::CUE);
        let gone = shot.potted.iter().map(|potted| potted.ball);
        let mut seen = BallSet::EMPTY;
        for ball in gone.chain(shot.off_table.iter()) {
            if !on_table.contains(ball) {
                return Err(RuleError::NotOnTable(ball));
            }
            if seen.contains(ball) {
                return Err(RuleError::GoneTwice(ball));
            }
            seen.insert(ball);
        }
        Ok(())
    }

    fn follow(&mut self, ruling: Ruling) -> Ruling {
        if ruling.racked {
            self.state.rules_mut().racked();
        }
        if ruling.racked || ruling.new_rack.is_some() {
            self.balls = self.state.rules().rack();
            self.balls_before = self.balls;
        }
        if ruling.put_back {
            self.balls = self.balls_before;
        }
        self.balls.extend(ruling.spotted.iter().copied());
        if let Turn::Break(breaker) = ruling.turn {
            self.breaker = breaker;
        }
        self.turn = ruling.turn.clone();
        self.call = None;
        ruling
    }
}

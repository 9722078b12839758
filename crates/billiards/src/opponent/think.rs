//! The choice of the computer's shot. It lists the shots that geometry offers, and tries each with several spins and speeds in the
//! game played ahead. It takes the shot with the best expected outcome for its unsteady hand.

use std::{f32::consts::TAU, sync::Arc};

use bevy::prelude::*;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::trial::{Trial, best};
use crate::{
    plan::{Candidate, Planner, Position, path::touching},
    play::{
        ahead::{Ahead, Laws, Outcome, Until},
        cue::{Cue, FASTEST_SHOT},
        matches::Skill,
        snapshot::Snapshot,
        trials::Trials,
    },
    rules::{Ball, BallSet, Call, Choice, CueBall, Dilemma, Discipline, Frame, Player, Turn},
    table::bed::Table,
};

/// Where the tip meets the ball, in radii above the centre, and how much harder than needed the shot is.
const VARIANTS: [(f32, f32); 5] = [
    (0.0, 1.0),
    (0.3, 1.0),
    (-0.3, 1.15),
    (0.0, 1.5),
    (-0.35, 1.6),
];
/// Values of a frame, a turn, and the opponent's ball in hand.
const FRAME: f32 = 1000.0;
const TURN: f32 = 100.0;
const IN_HAND: f32 = -120.0;
/// Value of a foul after which the opponent has a choice: between an easy shot and a poor one left to the opponent.
const FOUL: f32 = -60.0;
/// Value of a point that a foul costs.
const POINT: f32 = 50.0;
/// Angles in radians and speeds in m/s at which a shot leaves a ball that touches the cue ball.
const AWAY: [f32; 5] = [-1.2, -0.6, 0.0, 0.6, 1.2];
const AWAY_SPEEDS: [f32; 2] = [1.0, 2.5];

/// Standard deviations of the hand's speed by which a shot that has to reach a cushion is played harder.
const SURELY: f32 = 2.0;
/// Shots that are tried harder, and their speeds in m/s, where every gentle shot is a foul.
const HARD_SHOTS: usize = 4;
const HARD_SPEEDS: [f32; 3] = [3.5, 6.0, 9.0];

/// A pot as likely as this is a good shot.
const GOOD: f32 = 0.6;

/// A shot to play.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Where to put the cue ball first.
    pub place: Option<Vec2>,
    /// The call, if the rules ask for one.
    pub call: Option<Call>,
    /// Where the cue points, a unit vector.
    pub direction: Vec2,
    /// Where the tip meets the ball, in radii.
    pub tip: Vec2,
    /// How far the cue is drawn back, in m.
    pub back: f32,
}

/// A shot that was played ahead.
struct Tried {
    worth: f32,
    trial: Trial,
    is_foul: bool,
}

/// How good a player is.
pub(super) struct Ability {
    /// Standard deviation of the aim in radians, and of the speed over the speed.
    pub aim: f32,
    pub speed: f32,
    /// How many shots it thinks of, and how many variants of each.
    shots: usize,
    variants: usize,
    /// How many three-cushion shots it looks at, and how many of them it tries.
    pub carom_looks: usize,
    pub carom_trials: usize,
}

impl Skill {
    fn ability(self) -> Ability {
        let (aim, speed, shots, variants) = match self {
            Self::Beginner => (0.012, 0.15, 3, 1),
            Self::Club => (0.004, 0.08, 5, 3),
            Self::Expert => (0.001, 0.03, 6, VARIANTS.len()),
        };
        let (carom_looks, carom_trials) = match self {
            Self::Beginner => (60, 2),
            Self::Club => (500, 4),
            Self::Expert => (3000, 8),
        };
        Ability {
            aim,
            speed,
            shots,
            variants,
            carom_looks,
            carom_trials,
        }
    }
}

/// Someone who thinks of a shot.
pub struct Thinker {
    /// Where it tries them.
    pub(super) trials: Arc<Trials>,
    pub(super) table: Table,
    pub(super) laws: Laws,
    pub(super) planner: Planner,
    pub(super) ability: Ability,
    pub(super) rng: ChaCha8Rng,
}

impl Thinker {
    /// A player of such a skill; `rng` is its hand's unsteadiness.
    pub fn new(
        trials: Arc<Trials>,
        table: Table,
        laws: Laws,
        skill: Skill,
        rng: ChaCha8Rng,
    ) -> Self {
        Self {
            planner: Planner::new(table.spec, &table.pockets, &table.cushions),
            ability: skill.ability(),
            trials,
            table,
            laws,
            rng,
        }
    }

    /// Answers a question of the rules; none if they ask none.
    pub fn choose(&self, before: &Snapshot) -> Option<Choice> {
        let frame = before.frame.as_ref()?;
        let Turn::Choose { options, about, .. } = frame.turn() else {
            return None;
        };
        let plays = |choice: &&Choice| matches!(choice, Choice::Play { .. } | Choice::Break);
        let play = options.iter().find(|choice| choice.is_in_hand());
        let play = play.or_else(|| options.iter().find(plays)).copied();
        let play = play.or(options.first().copied())?;
        // An opponent who missed, or left such a table, shall play from it, unless there is a good shot.
        let leaves = |choice: &&Choice| match about {
            Dilemma::PushOut | Dilemma::NotAsCalled => **choice == Choice::HandBack,
            Dilemma::BreakingFoul => **choice == Choice::LetBreak,
            _ => matches!(choice, Choice::PlayAgain { .. }),
        };
        let leave = options.iter().find(leaves).copied();
        let mut after = before.clone();
        after.frame.as_mut()?.choose(play).ok()?;
        Some(
            leave
                .filter(|_| self.best_chance(&after) < GOOD)
                .unwrap_or(play),
        )
    }

    /// The shot to play; none if the rules wait for none.
    pub async fn decide(&mut self, before: &Snapshot) -> Option<Decision> {
        let frame = before.frame.as_ref()?;
        let balls = before.object_balls();
        let cue = before.place(Ball::CUE)?;
        let targets = frame.targets();
        if let Turn::Break(_) = frame.turn() {
            return self.break_off(before, &balls, targets).await;
        }
        let Turn::Shoot { player, cue: from } = *frame.turn() else {
            return None;
        };
        if self.table.pockets.is_empty() {
            return self.carom(before, player, cue, &balls, targets).await;
        }
        let mut away = Vec::new();
        let candidates = match from {
            CueBall::InHand(area) => self.planner.in_hand(&balls, targets, area),
            CueBall::AsItLies => {
                let position = Position { cue, balls: &balls };
                let touched = self.touched(frame, cue, &balls);
                away = self.away_from(&position, touched.intersection(targets));
                self.planner
                    .candidates(&position, targets.difference(touched))
            }
        };
        let shortlist = self.shortlist(&candidates);
        let trials: Vec<Trial> = shortlist
            .iter()
            .flat_map(|candidate| self.variants(frame, candidate))
            .chain(away)
            .collect();
        let mut tried = self.try_all(before, player, &trials).await;
        if tried.iter().all(|tried| tried.is_foul) {
            // So gently, every shot is a foul: a full rack, say, of which no ball comes to a rail.
            let harder = self.harder(frame, &candidates);
            tried.extend(self.try_all(before, player, &harder).await);
        }
        let trial = match best(tried.into_iter().map(|tried| (tried.worth, tried.trial))) {
            Some(trial) => trial,
            None => self.anything(frame, &balls, cue, targets)?,
        };
        let place = matches!(from, CueBall::InHand(_)).then_some(trial.candidate.cue);
        Some(self.play(place, &trial))
    }

    /// Plays the shots ahead, each with its aim mended. Those that cannot be made are left out.
    async fn try_all(&self, before: &Snapshot, player: Player, trials: &[Trial]) -> Vec<Tried> {
        let tried = self.for_all(trials, async |ahead, trial| {
            let trial = self.mend(ahead, before, *trial).await;
            let outcome = self.attempt(ahead, before, &trial, Until::Rest).await?;
            let chance = trial.candidate.chance(self.ability.aim);
            let ruling = outcome.ruling.as_ref();
            Some(Tried {
                worth: chance * self.worth(player, &outcome) + (1.0 - chance) * 0.5 * IN_HAND,
                trial,
                is_foul: ruling.is_some_and(|ruling| !ruling.fouls.is_empty()),
            })
        });
        tried.await.into_iter().flatten().collect()
    }

    /// The first candidates with more and more speed.
    fn harder(&self, frame: &Frame, candidates: &[Candidate]) -> Vec<Trial> {
        let one = |candidate: &Candidate, speed: f32| Trial {
            speed: speed.max(candidate.speed),
            ..self.plain(frame, candidate)
        };
        let first = candidates.iter().take(HARD_SHOTS);
        first
            .flat_map(|candidate| HARD_SPEEDS.map(|speed| one(candidate, speed)))
            .collect()
    }

    /// The balls that touch the cue ball and may not be played at: in snooker.
    fn touched(&self, frame: &Frame, cue: Vec2, balls: &[(Ball, Vec2)]) -> BallSet {
        if frame.discipline() == Discipline::Snooker {
            touching(cue, self.table.spec.ball.radius, balls)
        } else {
            BallSet::EMPTY
        }
    }

    /// Shots away from the first ball of `touched`, which counts as hit.
    fn away_from(&self, position: &Position, touched: BallSet) -> Vec<Trial> {
        let touches = |(ball, _): &&(Ball, Vec2)| touched.contains(*ball);
        let Some(&(ball, at)) = position.balls.iter().find(touches) else {
            return Vec::new();
        };
        let away = (position.cue - at).normalize_or(Vec2::X);
        let one = |angle: f32, speed: f32| {
            let direction = Vec2::from_angle(angle).rotate(away);
            let mut trial = Trial::hit(ball, (position.cue, position.cue), direction, speed);
            // Wherever it goes, it is no foul.
            trial.candidate.tolerance = 1.0;
            trial
        };
        AWAY.into_iter()
            .flat_map(|angle| AWAY_SPEEDS.map(|speed| one(angle, speed)))
            .collect()
    }

    /// The likeliest pots, and a few of the other shots.
    fn shortlist(&self, candidates: &[Candidate]) -> Vec<Candidate> {
        let (pots, others): (Vec<_>, Vec<_>) = candidates.iter().partition(|c| c.is_pot());
        let pots = pots.into_iter().take(self.ability.shots);
        let others = others.into_iter().take(3);
        pots.chain(others).copied().collect()
    }

    /// Does `work` for each job, in a game that no other thread plays.
    pub(super) async fn for_all<J: Sync, R: Send>(
        &self,
        jobs: &[J],
        work: impl AsyncFn(&mut Ahead, &J) -> R + Sync,
    ) -> Vec<R> {
        let on = (&self.table, &self.laws);
        self.trials.for_all(on, jobs, work).await
    }

    /// A candidate with several spins and speeds.
    fn variants(&self, frame: &Frame, candidate: &Candidate) -> Vec<Trial> {
        let plain = self.plain(frame, candidate);
        if !candidate.is_pot() {
            // It has to reach a cushion even if the hand strikes softer than it should.
            let harder = 1.0 + SURELY * self.ability.speed;
            let speed = (candidate.speed * harder).min(FASTEST_SHOT);
            return vec![Trial { speed, ..plain }];
        }
        let variants = VARIANTS.into_iter().take(self.ability.variants);
        variants
            .map(|(height, harder)| Trial {
                tip: Vec2::Y * height,
                speed: (candidate.speed * harder).min(FASTEST_SHOT),
                ..plain
            })
            .collect()
    }

    /// A candidate without spin, as hard as it needs to be.
    fn plain(&self, frame: &Frame, candidate: &Candidate) -> Trial {
        let call = candidate.call().filter(|call| {
            let wanted = *call != Call::Safety || frame.must_call();
            wanted && frame.may_call(*call)
        });
        Trial {
            candidate: *candidate,
            direction: candidate.direction,
            tip: Vec2::ZERO,
            speed: candidate.speed,
            call,
        }
    }

    /// The value of an outcome to `player`.
    fn worth(&self, player: Player, outcome: &Outcome) -> f32 {
        let Some(ruling) = &outcome.ruling else {
            return IN_HAND;
        };
        let lost = ruling.points.map_or(0, |(_, points)| points.min(0));
        let next = match &ruling.turn {
            Turn::Over { winner, .. } if *winner == player => FRAME,
            Turn::Over { .. } => -FRAME,
            Turn::Shoot { player: next, .. } if *next == player => {
                TURN + 0.8 * TURN * self.best_chance(&outcome.after)
                    + self.next_rack(&outcome.after)
            }
            Turn::Shoot {
                cue: CueBall::InHand(_),
                ..
            } => IN_HAND,
            Turn::Shoot { .. } => -TURN * self.best_chance(&outcome.after),
            Turn::Choose { options, .. } if !ruling.fouls.is_empty() => {
                if options.iter().any(Choice::is_in_hand) {
                    IN_HAND
                } else {
                    FOUL
                }
            }
            Turn::Choose { .. } | Turn::Break(_) => 0.0,
        };
        next + POINT * lost as f32
    }

    /// The chance of the easiest pot that is left.
    pub(super) fn best_chance(&self, after: &Snapshot) -> f32 {
        let (Some(frame), Some(cue)) = (&after.frame, after.place(Ball::CUE)) else {
            return 0.0;
        };
        let balls = after.object_balls();
        let pots = match frame.cue_ball() {
            Some(CueBall::InHand(area)) => self.planner.in_hand(&balls, frame.targets(), area),
            _ => {
                let targets = frame.targets().difference(self.touched(frame, cue, &balls));
                let position = Position { cue, balls: &balls };
                self.planner.pots(&position, targets)
            }
        };
        let best = pots.first().filter(|shot| shot.is_pot());
        best.map_or(0.0, |pot| pot.chance(self.ability.aim))
    }

    /// A blow towards the nearest target, when nothing better is seen.
    fn anything(
        &self,
        frame: &Frame,
        balls: &[(Ball, Vec2)],
        cue: Vec2,
        targets: BallSet,
    ) -> Option<Trial> {
        let nearest = balls
            .iter()
            .filter(|(ball, _)| targets.contains(*ball))
            .min_by(|a, b| a.1.distance(cue).total_cmp(&b.1.distance(cue)))?;
        let direction = (nearest.1 - cue).try_normalize()?;
        let speed = 3.0;
        Some(Trial {
            call: frame.must_call().then_some(Call::Safety),
            ..Trial::hit(nearest.0, (cue, nearest.1), direction, speed)
        })
    }

    /// The shot as an unsteady hand plays it.
    pub(super) fn play(&mut self, place: Option<Vec2>, trial: &Trial) -> Decision {
        let aside = self.ability.aim * self.normal();
        let harder = 1.0 + self.ability.speed * self.normal();
        Decision {
            place,
            call: trial.call,
            direction: Vec2::from_angle(aside).rotate(trial.direction).normalize(),
            tip: trial.tip,
            back: Cue::pull_for((trial.speed * harder).max(0.1)),
        }
    }

    /// A normal deviate: the method of Box and Muller.
    fn normal(&mut self) -> f32 {
        let (u, v): (f32, f32) = (self.rng.random_range(f32::EPSILON..1.0), self.rng.random());
        (-2.0 * u.ln()).sqrt() * (TAU * v).cos()
    }
}

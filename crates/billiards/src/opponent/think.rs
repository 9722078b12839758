//! The choice of the computer's shot. It lists the shots that geometry offers, and tries each with several spins and speeds in the
//! game played ahead. It takes the shot with the best expected outcome for its unsteady hand.

use std::f32::consts::TAU;

use bevy::prelude::*;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::{
    plan::{Aim, Candidate, Planner, Position, path::turn},
    play::{
        ahead::{Ahead, Laws, Outcome, Until},
        cue::{Cue, FASTEST_SHOT},
        matches::Skill,
        snapshot::Snapshot,
    },
    rules::{Area, Ball, BallSet, Call, Choice, CueBall, Frame, Player, Turn, snooker},
    table::{bed::Table, rack::Rack, spec::D_RADIUS},
};

/// Number of corrections of a pot's aim from the object ball's path.
const MENDING: usize = 2;
/// Where the tip meets the ball, in radii above the centre, and how much harder than needed the shot is.
const VARIANTS: [(f32, f32); 5] = [
    (0.0, 1.0),
    (0.3, 1.0),
    (-0.3, 1.15),
    (0.0, 1.5),
    (-0.35, 1.6),
];
/// Speed of the break in m/s.
const BREAK: f32 = 9.0;
/// Values of a frame, a turn, and the opponent's ball in hand.
const FRAME: f32 = 1000.0;
const TURN: f32 = 100.0;
const IN_HAND: f32 = -120.0;

/// A shot to play.
#[derive(Clone, Debug)]
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

/// How good a player is.
struct Ability {
    /// Standard deviation of the aim in radians, and of the speed over the speed.
    aim: f32,
    speed: f32,
    /// How many shots it thinks of, and how many variants of each.
    shots: usize,
    variants: usize,
    /// How many three-cushion shots it tries.
    carom_trials: usize,
}

impl Skill {
    fn ability(self) -> Ability {
        let (aim, speed, shots, variants, carom_trials) = match self {
            Self::Beginner => (0.012, 0.15, 3, 1, 30),
            Self::Club => (0.004, 0.08, 5, 3, 100),
            Self::Expert => (0.001, 0.03, 6, VARIANTS.len(), 250),
        };
        Ability {
            aim,
            speed,
            shots,
            variants,
            carom_trials,
        }
    }
}

/// Answers a question of the rules.
pub fn choose(frame: &Frame) -> Option<Choice> {
    let Turn::Choose { options, .. } = frame.turn() else {
        return None;
    };
    let in_hand = |choice: &&Choice| {
        matches!(
            choice,
            Choice::Play {
                cue: CueBall::InHand(_),
                ..
            }
        )
    };
    let plays = |choice: &&Choice| matches!(choice, Choice::Play { .. } | Choice::Break);
    let best = options.iter().find(in_hand);
    best.or_else(|| options.iter().find(plays))
        .or(options.first())
        .copied()
}

/// A shot that is being thought of.
#[derive(Clone, Copy)]
struct Trial {
    candidate: Candidate,
    direction: Vec2,
    tip: Vec2,
    speed: f32,
    call: Option<Call>,
}

impl Trial {
    /// A hit of `ball`, whatever it leads to: the cue ball starts at `cue`, and meets the ball at `ghost`.
    fn hit(ball: Ball, (cue, ghost): (Vec2, Vec2), direction: Vec2, speed: f32) -> Self {
        Self {
            candidate: Candidate {
                aim: Aim::Safety,
                ball,
                cue,
                direction,
                ghost,
                cut: 0.0,
                speed,
                tolerance: 0.0,
            },
            direction,
            tip: Vec2::ZERO,
            speed,
            call: None,
        }
    }
}

/// Someone who thinks of a shot.
pub struct Thinker {
    /// Where it tries them.
    pub ahead: Ahead,
    table: Table,
    laws: Laws,
    planner: Planner,
    ability: Ability,
    rng: ChaCha8Rng,
}

impl Thinker {
    /// A player of such a skill; `rng` is its hand's unsteadiness.
    pub fn new(ahead: Ahead, table: Table, laws: Laws, skill: Skill, rng: ChaCha8Rng) -> Self {
        Self {
            planner: Planner::new(table.spec, &table.pockets, &table.cushions),
            ability: skill.ability(),
            ahead,
            table,
            laws,
            rng,
        }
    }

    /// The shot to play; none if the rules wait for none.
    pub fn decide(&mut self, before: &Snapshot) -> Option<Decision> {
        let frame = before.frame.as_ref()?;
        let balls = before.object_balls();
        let cue = before.place(Ball::CUE)?;
        let targets = frame.targets();
        if let Turn::Break(_) = frame.turn() {
            return self.break_off(before, &balls, targets);
        }
        let Turn::Shoot { player, cue: from } = *frame.turn() else {
            return None;
        };
        if self.table.pockets.is_empty() {
            return self.carom(before, player, cue, &balls, targets);
        }
        let candidates = match from {
            CueBall::InHand(area) => self.planner.in_hand(&balls, targets, area),
            CueBall::AsItLies => {
                let position = Position { cue, balls: &balls };
                self.planner.candidates(&position, targets)
            }
        };
        let mut best: Option<(f32, Trial)> = None;
        for candidate in self.shortlist(&candidates) {
            for trial in self.trials(before, frame, candidate) {
                let Some(outcome) = self.attempt(before, &trial, Until::Rest) else {
                    continue;
                };
                let chance = candidate.chance(self.ability.aim);
                let worth = self.worth(player, &outcome);
                let worth = chance * worth + (1.0 - chance) * 0.5 * IN_HAND;
                if best.is_none_or(|(most, _)| worth > most) {
                    best = Some((worth, trial));
                }
            }
        }
        let trial = match best {
            Some((_, trial)) => trial,
            None => self.anything(frame, &balls, cue, targets)?,
        };
        let place = matches!(from, CueBall::InHand(_)).then_some(trial.candidate.cue);
        Some(self.play(place, &trial))
    }

    /// The likeliest pots, and a few of the other shots.
    fn shortlist(&self, candidates: &[Candidate]) -> Vec<Candidate> {
        let is_pot = |candidate: &&Candidate| matches!(candidate.aim, Aim::Pot { .. });
        let pots = candidates.iter().filter(is_pot).take(self.ability.shots);
        let others = candidates.iter().filter(|c| !is_pot(c)).take(3);
        pots.chain(others).copied().collect()
    }

    fn trials(&mut self, before: &Snapshot, frame: &Frame, candidate: Candidate) -> Vec<Trial> {
        let call = candidate.call().filter(|call| {
            let wanted = *call != Call::Safety || frame.must_call();
            wanted && frame.may_call(*call)
        });
        let plain = Trial {
            candidate,
            direction: candidate.direction,
            tip: Vec2::ZERO,
            speed: candidate.speed,
            call,
        };
        if !matches!(candidate.aim, Aim::Pot { .. }) {
            return vec![plain];
        }
        let variants = VARIANTS.into_iter().take(self.ability.variants);
        variants
            .map(|(height, harder)| {
                let trial = Trial {
                    tip: Vec2::Y * height,
                    speed: (candidate.speed * harder).min(FASTEST_SHOT),
                    ..plain
                };
                self.mend(before, trial)
            })
            .collect()
    }

    /// Friction throws the object ball off the line of centres, and spin bends the cue ball's way: so the aim is turned
    /// until the object ball leaves towards the pocket. By δ it turns the ball's way by −d·δ/(2r·cos θ), where d is the
    /// cue ball's way and θ the cut.
    fn mend(&mut self, before: &Snapshot, mut trial: Trial) -> Trial {
        let candidate = trial.candidate;
        let Some(at) = before.place(candidate.ball) else {
            return trial;
        };
        let diameter = 2.0 * self.table.spec.ball.radius;
        let wanted = at - candidate.ghost;
        let lever = candidate.cue.distance(candidate.ghost).max(diameter)
            / (diameter * candidate.cut.cos());
        for _ in 0..MENDING {
            let Some((_, velocity)) = self
                .attempt(before, &trial, Until::FirstHit)
                .filter(|outcome| outcome.record.first_hit == Some(candidate.ball))
                .and_then(|outcome| outcome.departure)
            else {
                break;
            };
            let off = turn(velocity.xz(), wanted);
            trial.direction = Vec2::from_angle(-off / lever).rotate(trial.direction);
        }
        trial
    }

    fn attempt(&mut self, before: &Snapshot, trial: &Trial, until: Until) -> Option<Outcome> {
        let mut before = before.clone();
        before.place_cue_ball(trial.candidate.cue);
        if let Some(frame) = &mut before.frame
            && frame.call(trial.call).is_err()
        {
            return None;
        }
        let cue = Cue {
            direction: trial.direction,
            tip: trial.tip,
            ..default()
        };
        let back = Cue::pull_for(trial.speed);
        let blow = cue.blow(trial.candidate.cue, &self.table, back);
        self.ahead.play(&self.laws, &before, blow, until)
    }

    /// A three-cushion shot. Hardly any shot scores, and geometry does not say which ones do: so it tries hits of both balls, from thin
    /// to full, with several spins and speeds, and keeps those that score. Of these it plays the one that still scores when its
    /// hand is a little off.
    fn carom(
        &mut self,
        before: &Snapshot,
        player: Player,
        cue: Vec2,
        balls: &[(Ball, Vec2)],
        targets: BallSet,
    ) -> Option<Decision> {
        let radius = self.table.spec.ball.radius;
        let mut best: Option<(usize, Trial)> = None;
        for _ in 0..self.ability.carom_trials {
            let (ball, at) = balls[self.rng.random_range(0..balls.len())];
            if !targets.contains(ball) {
                continue;
            }
            let way = (at - cue).try_normalize()?;
            let aside = 1.9 * radius * self.rng.random_range(-1.0..=1.0f32);
            let ghost =
                at + way.perp() * aside - way * (4.0 * radius * radius - aside * aside).sqrt();
            let direction = (ghost - cue).try_normalize().unwrap_or(way);
            let speed = self.rng.random_range(1.5..=4.5f32);
            let trial = Trial {
                tip: Vec2::new(
                    self.rng.random_range(-0.5..=0.5f32),
                    self.rng.random_range(-0.3..=0.4f32),
                ),
                ..Trial::hit(ball, (cue, ghost), direction, speed)
            };
            let worth = if self.scores(before, player, &trial) {
                1 + self.robustness(before, player, &trial)
            } else {
                0
            };
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, trial));
            }
        }
        let (_, trial) = best?;
        Some(self.play(None, &trial))
    }

    /// Whether a shot scores.
    fn scores(&mut self, before: &Snapshot, player: Player, trial: &Trial) -> bool {
        let outcome = self.attempt(before, trial, Until::Rest);
        let points = outcome.and_then(|outcome| outcome.ruling?.points);
        points.is_some_and(|(scorer, _)| scorer == player)
    }

    /// In how many of four shots that are a little off the trial scores.
    fn robustness(&mut self, before: &Snapshot, player: Player, trial: &Trial) -> usize {
        let off = [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)];
        let (aim, speed) = (self.ability.aim, self.ability.speed);
        let trials = off.map(|(aside, harder)| Trial {
            direction: Vec2::from_angle(aside * aim).rotate(trial.direction),
            speed: trial.speed * (1.0 + harder * speed),
            ..*trial
        });
        trials
            .iter()
            .filter(|trial| self.scores(before, player, trial))
            .count()
    }

    /// The value of an outcome to `player`.
    fn worth(&self, player: Player, outcome: &Outcome) -> f32 {
        let Some(ruling) = &outcome.ruling else {
            return IN_HAND;
        };
        match &ruling.turn {
            Turn::Over { winner, .. } if *winner == player => FRAME,
            Turn::Over { .. } => -FRAME,
            Turn::Shoot { player: next, .. } if *next == player => {
                TURN + 0.8 * TURN * self.best_chance(&outcome.after)
            }
            Turn::Shoot {
                cue: CueBall::InHand(_),
                ..
            } => IN_HAND,
            Turn::Shoot { .. } => -TURN * self.best_chance(&outcome.after),
            Turn::Choose { .. } | Turn::Break(_) => 0.0,
        }
    }

    /// The chance of the easiest pot that is left.
    fn best_chance(&self, after: &Snapshot) -> f32 {
        let (Some(frame), Some(cue)) = (&after.frame, after.place(Ball::CUE)) else {
            return 0.0;
        };
        let balls = after.object_balls();
        let pots = self
            .planner
            .pots(&Position { cue, balls: &balls }, frame.targets());
        pots.first().map_or(0.0, |pot| pot.chance(self.ability.aim))
    }

    fn break_off(
        &mut self,
        before: &Snapshot,
        balls: &[(Ball, Vec2)],
        targets: BallSet,
    ) -> Option<Decision> {
        if before.rack == Rack::Snooker {
            return self.break_off_in_snooker(before, balls);
        }
        let layout = &self.planner.layout;
        let aside = 0.4 * layout.half.y * self.rng.random_range(-1.0..=1.0f32);
        let place = Vec2::new(layout.head_string - layout.radius, aside);
        let cue = if self.planner.is_free(place, balls, Area::BehindHeadString) {
            place
        } else {
            self.table.spec.head_spot()
        };
        let candidate = self.planner.break_shot(&Position { cue, balls }, targets)?;
        let trial = Trial {
            candidate,
            direction: candidate.direction,
            tip: Vec2::ZERO,
            speed: BREAK,
            call: None,
        };
        Some(self.play(Some(cue), &trial))
    }

    /// From between brown and green, a thin hit of the last red in the nearest corner of the triangle: the cue ball comes back to the
    /// baulk end.
    fn break_off_in_snooker(
        &mut self,
        before: &Snapshot,
        balls: &[(Ball, Vec2)],
    ) -> Option<Decision> {
        let (baulk, radius) = (self.planner.layout.baulk, self.planner.layout.radius);
        let cue = baulk + Vec2::new(-0.01, -0.5 * D_RADIUS);
        let reds = balls
            .iter()
            .filter(|(ball, _)| snooker::REDS.contains(*ball));
        let corner = |at: &Vec2| at.x - at.y;
        let (ball, at) = reds.max_by(|a, b| corner(&a.1).total_cmp(&corner(&b.1)))?;
        // So much of the ball is hit: from a third to nearly nothing.
        let mut best: Option<(f32, Trial)> = None;
        for fullness in [0.35, 0.25, 0.18, 0.12] {
            let aside = 2.0 * radius * (1.0 - fullness);
            let way = (*at - cue).normalize();
            let ghost = *at - way.perp() * aside;
            let direction = (ghost - cue).normalize();
            for speed in [3.2, 3.8, 4.4] {
                let trial = Trial::hit(*ball, (cue, ghost), direction, speed);
                let outcome = self.attempt(before, &trial, Until::Rest);
                let Some(outcome) = outcome.filter(|outcome| {
                    let fouls = outcome
                        .ruling
                        .as_ref()
                        .map(|ruling| ruling.fouls.is_empty());
                    fouls == Some(true)
                }) else {
                    continue;
                };
                let end = outcome.after.place(Ball::CUE).map_or(0.0, |at| -at.x);
                let worth = end - self.best_chance(&outcome.after);
                if best.is_none_or(|(most, _)| worth > most) {
                    best = Some((worth, trial));
                }
            }
        }
        let (_, trial) = best?;
        Some(self.play(Some(cue), &trial))
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
    fn play(&mut self, place: Option<Vec2>, trial: &Trial) -> Decision {
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

//! The computer's three-cushion shots. Hardly any shot scores, and geometry does not say which ones do: so it tries hits of both
//! balls, from thin to full, with several spins and speeds, and keeps those that score. Of these it plays the one that still scores
//! when its hand is a little off.

use bevy::prelude::*;
use rand::Rng;

use super::{
    think::{Decision, Thinker},
    trial::{Trial, best},
};
use crate::{
    play::{
        ahead::{Ahead, Until},
        snapshot::Snapshot,
    },
    rules::{Ball, BallSet, Player},
};

impl Thinker {
    /// A three-cushion shot.
    pub(super) fn carom(
        &mut self,
        before: &Snapshot,
        player: Player,
        cue: Vec2,
        balls: &[(Ball, Vec2)],
        targets: BallSet,
    ) -> Option<Decision> {
        let trials: Vec<Trial> = (0..self.ability.carom_trials)
            .filter_map(|_| {
                let ball = balls[self.rng.random_range(0..balls.len())];
                targets
                    .contains(ball.0)
                    .then(|| self.random_hit(ball, cue))
                    .flatten()
            })
            .collect();
        let tried = self.for_all(&trials, |ahead, trial| {
            let worth = if self.scores(ahead, before, player, trial) {
                1 + self.robustness(ahead, before, player, trial)
            } else {
                0
            };
            (worth, *trial)
        });
        let trial = best(tried)?;
        Some(self.play(None, &trial))
    }

    /// A hit of a ball somewhere, with some speed and spin.
    fn random_hit(&mut self, (ball, at): (Ball, Vec2), cue: Vec2) -> Option<Trial> {
        let radius = self.table.spec.ball.radius;
        let way = (at - cue).try_normalize()?;
        let aside = 1.9 * radius * self.rng.random_range(-1.0..=1.0f32);
        let ghost = at + way.perp() * aside - way * (4.0 * radius * radius - aside * aside).sqrt();
        let direction = (ghost - cue).try_normalize().unwrap_or(way);
        let speed = self.rng.random_range(1.5..=4.5f32);
        Some(Trial {
            tip: Vec2::new(
                self.rng.random_range(-0.5..=0.5f32),
                self.rng.random_range(-0.3..=0.4f32),
            ),
            ..Trial::hit(ball, (cue, ghost), direction, speed)
        })
    }

    /// Whether a shot scores.
    fn scores(&self, ahead: &mut Ahead, before: &Snapshot, player: Player, trial: &Trial) -> bool {
        let outcome = self.attempt(ahead, before, trial, Until::Rest);
        let points = outcome.and_then(|outcome| outcome.ruling?.points);
        points.is_some_and(|(scorer, _)| scorer == player)
    }

    /// In how many of four shots that are a little off the trial scores.
    fn robustness(
        &self,
        ahead: &mut Ahead,
        before: &Snapshot,
        player: Player,
        trial: &Trial,
    ) -> usize {
        let off = [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)];
        let (aim, speed) = (self.ability.aim, self.ability.speed);
        let trials = off.map(|(aside, harder)| Trial {
            direction: Vec2::from_angle(aside * aim).rotate(trial.direction),
            speed: trial.speed * (1.0 + harder * speed),
            ..*trial
        });
        trials
            .iter()
            .filter(|trial| self.scores(ahead, before, player, trial))
            .count()
    }
}

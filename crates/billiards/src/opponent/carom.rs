//! The computer's three-cushion shots. Hardly any shot scores, and geometry does not say which ones do. So it looks at many hits of
//! both balls in closed form, from thin to full, with several spins and speeds. It tries those in the game that score even if its
//! hand is a little off, and plays the best of them.

use bevy::prelude::*;
use rand::Rng;
use scene_kit::frames::let_frames_pass;

use super::{
    think::{Decision, Thinker},
    trial::{Trial, best},
};
use crate::{
    plan::closed_form::{ClosedForm, Hit},
    play::{
        ahead::{Ahead, Until},
        snapshot::Snapshot,
    },
    rules::{Ball, BallSet, Contact, Player, ShotRecord, three_cushion::CUSHIONS},
};

/// Seconds that a hit is followed in closed form.
const LONGEST: f64 = 12.0;
/// How far the hand is off in a look, as parts of its standard deviations of aim and speed. In the game, the last four are tried.
const OFF: [(f32, f32); 8] = [
    (0.5, 0.5),
    (-0.5, 0.5),
    (0.5, -0.5),
    (-0.5, -0.5),
    (1.0, 1.0),
    (-1.0, 1.0),
    (1.0, -1.0),
    (-1.0, -1.0),
];

/// The table in closed form, with the balls on it.
struct Look<'a> {
    laws: ClosedForm,
    cue: Vec2,
    others: &'a [(Ball, Vec2)],
    targets: BallSet,
}

impl Thinker {
    /// A three-cushion shot.
    pub(super) async fn carom(
        &mut self,
        before: &Snapshot,
        player: Player,
        cue: Vec2,
        balls: &[(Ball, Vec2)],
        targets: BallSet,
    ) -> Option<Decision> {
        let hits: Vec<Trial> = (0..self.ability.carom_looks)
            .filter_map(|_| {
                let ball = balls[self.rng.random_range(0..balls.len())];
                self.random_hit(ball, cue)
            })
            .filter(|hit| targets.contains(hit.candidate.ball))
            .collect();
        let look = Look {
            laws: ClosedForm::new(self.table.spec, self.laws.g().into()),
            cue,
            others: balls,
            targets,
        };
        let looked = self.trials.look_at_all(&hits, async |hit| {
            let_frames_pass().await;
            let worth = self.worth_of(hit, &OFF, async |hit| self.may_score(&look, hit));
            (worth.await, *hit)
        });
        let mut promising: Vec<(usize, Trial)> = looked.await;
        // Stable: of equals the first stays first.
        promising.sort_by_key(|(worth, _)| std::cmp::Reverse(*worth));
        promising.truncate(self.ability.carom_trials);
        let tried = self.for_all(&promising, async |ahead, (looked, hit)| {
            let worth = if *looked == 0 {
                0
            } else {
                let scores = async |hit: &Trial| self.scores(ahead, before, player, hit).await;
                self.worth_of(hit, &OFF[4..], scores).await
            };
            ((worth, *looked), *hit)
        });
        let trial = best(tried.await)?;
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

    /// 0 if the shot does not score, else one more than the number of cases in which it does with the hand off by so much.
    async fn worth_of(
        &self,
        trial: &Trial,
        off: &[(f32, f32)],
        mut scores: impl AsyncFnMut(&Trial) -> bool,
    ) -> usize {
        if !scores(trial).await {
            return 0;
        }
        let (aim, speed) = (self.ability.aim, self.ability.speed);
        let trials = off.iter().map(|(aside, harder)| Trial {
            direction: Vec2::from_angle(aside * aim).rotate(trial.direction),
            speed: trial.speed * (1.0 + harder * speed),
            ..*trial
        });
        let mut cases = 1;
        for trial in trials {
            cases += usize::from(scores(&trial).await);
        }
        cases
    }

    /// Whether a shot scores in closed form.
    fn may_score(&self, look: &Look, trial: &Trial) -> bool {
        let spec = self.table.spec;
        let others = look.others.iter().map(|&(_, at)| at);
        let Ok(struck) = self.blow(trial, others).strike(&spec.cue, &spec.ball) else {
            return false;
        };
        let mut cue_ball = look.laws.lying(look.cue.as_dvec2());
        (cue_ball.v, cue_ball.w) = (struck.velocity.as_dvec3(), struck.spin.as_dvec3());
        if cue_ball.v.y < 0.0 {
            look.laws.land(&mut cue_ball);
        }
        let others = look.others.iter();
        let others = others.map(|(_, at)| look.laws.lying(at.as_dvec2()));
        let balls: Vec<_> = std::iter::once(cue_ball).chain(others).collect();
        let met = look.laws.met_by_first(&balls, LONGEST).into_iter();
        let met: Vec<Contact> = met
            .map(|hit| match hit {
                Hit::Cushion => Contact::Cushion,
                Hit::Ball(i) => Contact::Ball(look.others[i - 1].0),
            })
            .collect();
        let first = met.iter().find_map(Contact::ball);
        let record = ShotRecord {
            cue_ball_met: met,
            ..default()
        };
        first.is_some_and(|first| look.targets.contains(first)) && record.caroms_after(CUSHIONS)
    }

    /// Whether a shot scores in the game.
    async fn scores(
        &self,
        ahead: &mut Ahead,
        before: &Snapshot,
        player: Player,
        trial: &Trial,
    ) -> bool {
        let outcome = self.attempt(ahead, before, trial, Until::Rest).await;
        let points = outcome.and_then(|outcome| outcome.ruling?.points);
        points.is_some_and(|(scorer, _)| scorer == player)
    }
}

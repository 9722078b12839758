//! A shot that is being thought of, and how it is tried in the game played ahead.

use bevy::prelude::*;

use super::think::Thinker;
use crate::{
    plan::{Aim, Candidate, path::turn},
    play::{
        ahead::{Ahead, Outcome, Until},
        blow::Blow,
        cue::Cue,
        snapshot::Snapshot,
    },
    rules::{Ball, Call},
};

/// Number of corrections of a pot's aim from the object ball's path.
const MENDING: usize = 2;

/// A shot that is being thought of.
#[derive(Clone, Copy)]
pub(super) struct Trial {
    pub candidate: Candidate,
    pub direction: Vec2,
    pub tip: Vec2,
    pub speed: f32,
    pub call: Option<Call>,
}

impl Trial {
    /// A hit of `ball`, whatever it leads to: the cue ball starts at `cue`, and meets the ball at `ghost`.
    pub fn hit(ball: Ball, (cue, ghost): (Vec2, Vec2), direction: Vec2, speed: f32) -> Self {
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

/// The trial that is worth most; of equals the first.
pub(super) fn best<W: PartialOrd>(trials: impl IntoIterator<Item = (W, Trial)>) -> Option<Trial> {
    let mut best: Option<(W, Trial)> = None;
    for (worth, trial) in trials {
        if best.as_ref().is_none_or(|(most, _)| worth > *most) {
            best = Some((worth, trial));
        }
    }
    best.map(|(_, trial)| trial)
}

impl Thinker {
    /// Friction throws the object ball off the line of centres, and spin bends the cue ball's way: so the aim of a pot is turned
    /// until the object ball leaves towards the pocket. By δ it turns the ball's way by −d·δ/(2r·cos θ), where d is the
    /// cue ball's way and θ the cut.
    pub(super) async fn mend(
        &self,
        ahead: &mut Ahead,
        before: &Snapshot,
        mut trial: Trial,
    ) -> Trial {
        let candidate = trial.candidate;
        let Some(at) = before.place(candidate.ball).filter(|_| candidate.is_pot()) else {
            return trial;
        };
        let diameter = 2.0 * self.table.spec.ball.radius;
        let wanted = at - candidate.ghost;
        let lever = candidate.cue.distance(candidate.ghost).max(diameter)
            / (diameter * candidate.cut.cos());
        for _ in 0..MENDING {
            let Some((_, velocity)) = self
                .attempt(ahead, before, &trial, Until::FirstHit)
                .await
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

    /// Plays a shot ahead; none if the rules do not allow its call or the tip slips off.
    pub(super) async fn attempt(
        &self,
        ahead: &mut Ahead,
        before: &Snapshot,
        trial: &Trial,
        until: Until,
    ) -> Option<Outcome> {
        let mut before = before.clone();
        before.place_cue_ball(trial.candidate.cue);
        if let Some(frame) = &mut before.frame
            && frame.call(trial.call).is_err()
        {
            return None;
        }
        let others = before.object_balls().into_iter().map(|(_, at)| at);
        let blow = self.blow(trial, others);
        ahead.play(&self.laws, &before, blow, until).await
    }

    /// The blow of the cue in a shot, with these object balls on the bed.
    pub(super) fn blow(&self, trial: &Trial, others: impl IntoIterator<Item = Vec2>) -> Blow {
        let cue = Cue {
            direction: trial.direction,
            tip: trial.tip,
            ..default()
        };
        let back = Cue::pull_for(trial.speed);
        cue.blow(trial.candidate.cue, others, &self.table, back)
    }
}

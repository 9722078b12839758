//! The computer's break.

use bevy::prelude::*;
use rand::Rng;

use super::{
    think::{Decision, Thinker},
    trial::{Trial, best},
};
use crate::{
    plan::Position,
    play::{ahead::Until, snapshot::Snapshot},
    rules::{Area, Ball, BallSet, snooker},
    table::{rack::Rack, spec::D_RADIUS},
};

/// Speed of the break in m/s.
const BREAK: f32 = 9.0;
/// In snooker so much of the last red is hit, from a third to nearly nothing, and with these speeds in m/s.
const FULLNESS: [f32; 4] = [0.35, 0.25, 0.18, 0.12];
const SNOOKER_BREAK: [f32; 3] = [3.2, 3.8, 4.4];

impl Thinker {
    pub(super) fn break_off(
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
        let hit = |(fullness, speed): (f32, f32)| {
            let aside = 2.0 * radius * (1.0 - fullness);
            let way = (*at - cue).normalize();
            let ghost = *at - way.perp() * aside;
            let direction = (ghost - cue).normalize();
            Trial::hit(*ball, (cue, ghost), direction, speed)
        };
        let trials: Vec<Trial> = FULLNESS
            .into_iter()
            .flat_map(|fullness| SNOOKER_BREAK.map(|speed| hit((fullness, speed))))
            .collect();
        let tried = self.for_all(&trials, |ahead, trial| {
            let outcome = self.attempt(ahead, before, trial, Until::Rest)?;
            let is_foul = !outcome.ruling.as_ref()?.fouls.is_empty();
            let end = outcome.after.place(Ball::CUE).map_or(0.0, |at| -at.x);
            let worth = end - self.best_chance(&outcome.after);
            (!is_foul).then_some((worth, *trial))
        });
        let trial = best(tried.into_iter().flatten())?;
        Some(self.play(Some(cue), &trial))
    }
}

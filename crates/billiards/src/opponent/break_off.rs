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
/// In snooker and straight pool so much of the ball in the corner is hit, from a third to nearly nothing, and with these speeds in m/s.
const FULLNESS: [f32; 4] = [0.35, 0.25, 0.18, 0.12];
const SNOOKER_BREAK: [f32; 3] = [3.2, 3.8, 4.4];
const STRAIGHT_POOL_BREAK: [f32; 4] = [2.4, 3.0, 3.6, 4.4];

impl Thinker {
    pub(super) async fn break_off(
        &mut self,
        before: &Snapshot,
        balls: &[(Ball, Vec2)],
        targets: BallSet,
    ) -> Option<Decision> {
        match before.rack {
            Rack::Snooker => return self.break_off_in_snooker(before, balls).await,
            Rack::StraightPool => {
                let safe = self.break_off_in_straight_pool(before, balls).await;
                if safe.is_some() {
                    return safe;
                }
            }
            _ => {}
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

    /// From between brown and green.
    async fn break_off_in_snooker(
        &mut self,
        before: &Snapshot,
        balls: &[(Ball, Vec2)],
    ) -> Option<Decision> {
        let cue = self.planner.layout.baulk + Vec2::new(-0.01, -0.5 * D_RADIUS);
        let is_red = |(ball, _): &(Ball, Vec2)| snooker::REDS.contains(*ball);
        let reds: Vec<(Ball, Vec2)> = balls.iter().copied().filter(is_red).collect();
        self.thin_break(before, cue, &reds, &SNOOKER_BREAK).await
    }

    /// From one side behind the head string.
    async fn break_off_in_straight_pool(
        &mut self,
        before: &Snapshot,
        balls: &[(Ball, Vec2)],
    ) -> Option<Decision> {
        let layout = &self.planner.layout;
        let cue = Vec2::new(layout.head_string - layout.radius, -0.4 * layout.half.y);
        self.thin_break(before, cue, balls, &STRAIGHT_POOL_BREAK)
            .await
    }

    /// A thin hit of the last ball in the nearest corner of the triangle: the cue ball comes back to its end of the table.
    async fn thin_break(
        &mut self,
        before: &Snapshot,
        cue: Vec2,
        rack: &[(Ball, Vec2)],
        speeds: &[f32],
    ) -> Option<Decision> {
        let radius = self.planner.layout.radius;
        let corner = |at: &Vec2| at.x - at.y;
        let (ball, at) = rack
            .iter()
            .max_by(|a, b| corner(&a.1).total_cmp(&corner(&b.1)))?;
        let hit = |(fullness, speed): (f32, f32)| {
            let aside = 2.0 * radius * (1.0 - fullness);
            let way = (*at - cue).normalize();
            let ghost = *at - way.perp() * aside;
            let direction = (ghost - cue).normalize();
            Trial::hit(*ball, (cue, ghost), direction, speed)
        };
        let trials: Vec<Trial> = FULLNESS
            .into_iter()
            .flat_map(|fullness| speeds.iter().map(move |speed| (fullness, *speed)))
            .map(hit)
            .collect();
        let tried = self.for_all(&trials, async |ahead, trial| {
            let outcome = self.attempt(ahead, before, trial, Until::Rest).await?;
            let is_foul = !outcome.ruling.as_ref()?.fouls.is_empty();
            let end = outcome.after.place(Ball::CUE).map_or(0.0, |at| -at.x);
            let worth = end - self.best_chance(&outcome.after);
            (!is_foul).then_some((worth, *trial))
        });
        let trial = best(tried.await.into_iter().flatten())?;
        Some(self.play(Some(cue), &trial))
    }
}

//! A ball straight into a pocket.

use std::f32::consts::FRAC_PI_2;

use bevy::math::Vec2;

use super::{
    path::{blocker, turn},
    planner::{Aim, Candidate, Planner, Position, easiest_first},
};
use crate::rules::{Ball, BallSet};

/// The thinnest cut that is planned, in radians: 80°.
const THINNEST: f32 = 80.0 * std::f32::consts::PI / 180.0;

/// Why a ball cannot be pocketed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPot {
    /// No straight way leads from the ball into the pocket.
    NoWindow,
    /// The cue ball does not fit where it would have to meet the ball.
    NoRoom,
    /// The cue ball is not behind the ball.
    TooThin,
    /// This ball is in the way.
    Blocked(Ball),
}

impl Planner {
    /// Every target into every pocket that takes it, the easiest first.
    pub fn pots(&self, position: &Position, targets: BallSet) -> Vec<Candidate> {
        let pockets = || 0..self.layout.pockets.len();
        let shots = position
            .among(targets)
            .flat_map(|target| pockets().map(move |pocket| (target, pocket)))
            .filter_map(|(target, pocket)| self.pot(position, target, pocket).ok());
        easiest_first(shots.collect())
    }

    /// The shot that sends `ball`, which lies at `at`, into a pocket.
    ///
    /// The ghost ball lies two radii behind the ball, seen from the pocket. An error δ of the cue ball's direction moves
    /// it aside by d·δ on its way d to the ghost ball, and turns the ball's way by d·δ/(2r·cos θ) at the cut angle θ: so
    /// δ may be as large as the pocket's window times 2r·cos θ/d.
    pub fn pot(
        &self,
        position: &Position,
        (ball, at): (Ball, Vec2),
        pocket: usize,
    ) -> Result<Candidate, NoPot> {
        let mouth = self.layout.pockets.get(pocket).ok_or(NoPot::NoWindow)?;
        let radius = self.layout.radius;
        let window = mouth.window(at, radius).ok_or(NoPot::NoWindow)?;
        let ghost = at - 2.0 * radius * window.direction;
        if !self.layout.holds(ghost) {
            return Err(NoPot::NoRoom);
        }
        let to_ghost = ghost - position.cue;
        // A cue ball that touches the ball already is there: any direction will do.
        let direction = to_ghost.try_normalize().unwrap_or(window.direction);
        let cut = turn(direction, window.direction).abs();
        if cut > THINNEST {
            return Err(NoPot::TooThin);
        }
        let others = || {
            let balls = position.balls.iter().copied();
            balls.filter(move |(other, _)| *other != ball)
        };
        let end = at + window.direction * window.distance;
        let blocked = blocker(at, end, radius, others())
            .or_else(|| blocker(position.cue, ghost, radius, others()));
        if let Some(other) = blocked {
            return Err(NoPot::Blocked(other));
        }
        let distance = to_ghost.length();
        let tolerance = window.half_width * 2.0 * radius * cut.cos() / distance;
        let at_pocket = self.pace.at_pocket;
        Ok(Candidate {
            aim: Aim::Pot { pocket },
            ball,
            cue: position.cue,
            direction,
            ghost,
            cut,
            speed: self.pace.shot(distance, cut, window.distance, at_pocket),
            tolerance: tolerance.min(FRAC_PI_2),
        })
    }
}

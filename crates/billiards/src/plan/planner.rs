//! Positions, and the shots that may be tried there.

use bevy::math::Vec2;

use super::{layout::Layout, pace::Pace};
use crate::{
    rules::{Ball, BallSet, Call},
    table::{cushion::Cushion, pocket::Pocket, spec::TableSpec},
};

/// The balls on the table. Places are points of the bed in metres, as in [`table`](crate::table).
#[derive(Clone, Copy, Debug)]
pub struct Position<'a> {
    /// The centre of the cue ball.
    pub cue: Vec2,
    /// The object balls and their centres.
    pub balls: &'a [(Ball, Vec2)],
}

impl Position<'_> {
    /// The balls of `targets` that are on the table.
    pub(super) fn among(&self, targets: BallSet) -> impl Iterator<Item = (Ball, Vec2)> {
        let balls = self.balls.iter().copied();
        balls.filter(move |(ball, _)| targets.contains(*ball))
    }
}

/// The purpose of a shot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aim {
    /// To pocket the ball.
    Pot {
        /// The pocket, by its index in [`Layout::pockets`].
        pocket: usize,
    },
    /// To hit the ball softly and drive it to a cushion.
    Safety,
    /// To hit the ball by way of a cushion.
    Kick {
        /// The centre of the cue ball when it meets the cushion.
        bounce: Vec2,
    },
    /// To break the rack.
    Break,
}

/// A shot to try.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// Purpose of the shot.
    pub aim: Aim,
    /// The ball that the cue ball is to meet first.
    pub ball: Ball,
    /// Where the cue ball starts.
    pub cue: Vec2,
    /// Which way it starts, a unit vector.
    pub direction: Vec2,
    /// The centre of the cue ball when it meets the ball: the ghost ball.
    pub ghost: Vec2,
    /// Between the way of the cue ball into the ball and the way of the ball out of it, in radians: 0 is a full hit.
    pub cut: f32,
    /// Estimated speed of the cue ball at the start, in m/s.
    pub speed: f32,
    /// By how many radians the direction may be off and the shot still works: the smaller, the more difficult.
    pub tolerance: f32,
}

impl Candidate {
    /// Whether it is a pot.
    pub fn is_pot(&self) -> bool {
        matches!(self.aim, Aim::Pot { .. })
    }

    /// The chance that the shot works if the direction is off by a normal error of the standard deviation `error`, in
    /// radians: erf(tolerance / √2·error).
    pub fn chance(&self, error: f32) -> f32 {
        erf(self.tolerance / (std::f32::consts::SQRT_2 * error.max(f32::MIN_POSITIVE)))
    }

    /// The call for this shot, if [`Frame::may_call`](crate::rules::Frame::may_call) allows it.
    pub fn call(&self) -> Option<Call> {
        let ball = self.ball;
        match self.aim {
            Aim::Pot { pocket } => Some(Call::Pot { ball, pocket }),
            Aim::Safety | Aim::Kick { .. } => Some(Call::Safety),
            Aim::Break => None,
        }
    }
}

/// The error function of x ≥ 0 to 5e-4: Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.27.
fn erf(x: f32) -> f32 {
    let series = 1.0 + x * (0.278393 + x * (0.230389 + x * (0.000972 + x * 0.078108)));
    1.0 - series.powi(-4)
}

/// Lists shots.
#[derive(Clone, Debug)]
pub struct Planner {
    /// The table.
    pub layout: Layout,
    /// How balls lose speed, and how hard to shoot.
    pub pace: Pace,
}

impl Planner {
    /// For shots on a table of these measures, with these pockets and cushions.
    pub fn new(spec: &TableSpec, pockets: &[Pocket], cushions: &[Cushion]) -> Self {
        let gravity = 9.81;
        Self {
            layout: Layout::new(spec, pockets, cushions),
            pace: Pace {
                sliding: spec.cloth.sliding * gravity,
                rolling: spec.cloth.rolling * gravity,
                restitution: spec.ball.restitution,
                ..Pace::default()
            },
        }
    }

    /// The shots at `targets`, the balls that may be hit first: pots, then safeties, each by falling tolerance. If no
    /// target can be hit directly, kicks take their place.
    pub fn candidates(&self, position: &Position, targets: BallSet) -> Vec<Candidate> {
        let mut shots = self.pots(position, targets);
        shots.extend(self.safeties(position, targets));
        if shots.is_empty() {
            shots = self.kicks(position, targets);
        }
        shots
    }
}

/// Sorts by falling tolerance.
pub(super) fn easiest_first(mut shots: Vec<Candidate>) -> Vec<Candidate> {
    shots.sort_by(|a, b| b.tolerance.total_cmp(&a.tolerance));
    shots
}

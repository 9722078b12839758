//! A soft hit of a ball that may be hit, and the break.

use bevy::math::Vec2;

use super::{
    path::{first_met, turn},
    planner::{Aim, Candidate, Planner, Position, easiest_first},
};
use crate::rules::{Ball, BallSet};

/// In how many directions a ball is looked for, from one edge to the other.
const GLANCES: u16 = 65;

impl Planner {
    /// A soft hit of every target that the cue ball can meet directly, the easiest first. The ball just comes to a
    /// cushion, so that the shot is no foul.
    pub fn safeties(&self, position: &Position, targets: BallSet) -> Vec<Candidate> {
        let shots = position
            .among(targets)
            .filter_map(|target| self.soft_hit(position, target));
        easiest_first(shots.collect())
    }

    /// The break: the nearest target that can be hit, full, as hard as can be.
    pub fn break_shot(&self, position: &Position, targets: BallSet) -> Option<Candidate> {
        let nearest = |(_, a): &(Ball, Vec2), (_, b): &(Ball, Vec2)| {
            let distance = |at: &Vec2| at.distance(position.cue);
            distance(a).total_cmp(&distance(b))
        };
        let target = position.among(targets).min_by(nearest)?;
        Some(Candidate {
            aim: Aim::Break,
            speed: self.pace.hardest,
            ..self.soft_hit(position, target)?
        })
    }

    fn soft_hit(&self, position: &Position, (ball, at): (Ball, Vec2)) -> Option<Candidate> {
        let (direction, tolerance) = self.sight(position, (ball, at))?;
        let target = std::iter::once((ball, at));
        let (_, to_ball) = first_met(position.cue, direction, self.layout.radius, target)?;
        let ghost = position.cue + direction * to_ball;
        let way = (at - ghost).try_normalize()?;
        let cut = turn(direction, way).abs();
        let onward = self.to_cushion(at, way);
        Some(Candidate {
            aim: Aim::Safety,
            ball,
            cue: position.cue,
            direction,
            ghost,
            cut,
            speed: self.pace.shot(to_ball, cut, onward, self.pace.at_cushion),
            tolerance,
        })
    }

    /// The middle of the widest part of `ball` that the cue ball can meet directly, as a direction, and the angle from
    /// there to the edge of that part.
    fn sight(&self, position: &Position, (ball, at): (Ball, Vec2)) -> Option<(Vec2, f32)> {
        let radius = self.layout.radius;
        let to_ball = at - position.cue;
        let axis = to_ball.try_normalize()?;
        let edge = (2.0 * radius / to_ball.length()).min(1.0).asin();
        let step = 2.0 * edge / f32::from(GLANCES + 1);
        let angle = |i: u16| f32::from(i + 1) * step - edge;
        let glance = |i: u16| Vec2::from_angle(angle(i)).rotate(axis);
        let sees = |direction: Vec2| {
            let balls = position.balls.iter().copied();
            first_met(position.cue, direction, radius, balls).is_some_and(|(met, distance)| {
                // A cushion may be in front of a part of a ball near it.
                met == ball && self.layout.holds(position.cue + direction * distance)
            })
        };
        let (mut widest, mut run) = ((0, 0), (0, 0));
        for i in 0..GLANCES {
            let seen = sees(glance(i));
            run = if seen { (run.0, i + 1) } else { (i + 1, i + 1) };
            if run.1 - run.0 > widest.1 - widest.0 {
                widest = run;
            }
        }
        let (from, to) = widest;
        (to > from + 1).then(|| {
            let (low, high) = (angle(from), angle(to - 1));
            let middle = Vec2::from_angle(0.5 * (low + high)).rotate(axis);
            (middle, 0.5 * (high - low))
        })
    }

    /// The balls of which the cue ball can meet some part directly.
    pub fn in_sight(&self, position: &Position) -> BallSet {
        let balls = position.balls.iter().copied();
        let seen = balls.filter(|ball| self.sight(position, *ball).is_some());
        seen.map(|(ball, _)| ball).collect()
    }

    /// How far a ball runs from `from` along `direction` to the cushions.
    pub(super) fn to_cushion(&self, from: Vec2, direction: Vec2) -> f32 {
        let reach = self.layout.reach();
        let along = |reach: f32, from: f32, direction: f32| match direction {
            0.0 => f32::INFINITY,
            _ => ((reach - from * direction.signum()) / direction.abs()).max(0.0),
        };
        along(reach.x, from.x, direction.x).min(along(reach.y, from.y, direction.y))
    }
}

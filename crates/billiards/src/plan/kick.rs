//! A hit by way of a cushion.

use bevy::math::Vec2;

use super::{
    path::blocker,
    planner::{Aim, Candidate, Planner, Position, easiest_first},
};
use crate::rules::{Ball, BallSet};

impl Planner {
    /// Full hits of the targets by way of one cushion, the easiest first.
    pub fn kicks(&self, position: &Position, targets: BallSet) -> Vec<Candidate> {
        let reach = self.layout.reach();
        let sides = [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y];
        let shots = position
            .among(targets)
            .flat_map(|target| sides.map(|side| (target, side)))
            .filter_map(|(target, side)| self.kick(position, target, side, reach.dot(side.abs())));
        easiest_first(shots.collect())
    }

    /// The kick by way of the cushion in the direction `side`, where the cue ball's centre turns back at `distance`
    /// from the table's middle. A mirror there shows the ball where the cue ball has to aim.
    fn kick(
        &self,
        position: &Position,
        (ball, at): (Ball, Vec2),
        side: Vec2,
        distance: f32,
    ) -> Option<Candidate> {
        let radius = self.layout.radius;
        let to_side = |place: Vec2| distance - place.dot(side);
        let image = at + 2.0 * to_side(at) * side;
        let way = image - position.cue;
        let direction = way.try_normalize()?;
        let part = to_side(position.cue) / way.dot(side);
        let bounce = position.cue + way * part;
        let back = (at - bounce).try_normalize()?;
        let ghost = at - 2.0 * radius * back;
        let reaches = part > 0.0 && at.distance(bounce) > 2.0 * radius;
        if !reaches || !self.layout.holds(bounce) || self.layout.in_mouth(bounce) {
            return None;
        }
        let balls = || position.balls.iter().copied();
        let others = balls().filter(|(other, _)| *other != ball);
        let clear = blocker(position.cue, bounce, radius, balls()).is_none()
            && blocker(bounce, ghost, radius, others).is_none();
        let onward = self.to_cushion(at, back);
        let ball_speed = self.pace.start(self.pace.at_cushion, onward);
        let at_bounce = self
            .pace
            .start(self.pace.to_give(ball_speed, 0.0), ghost.distance(bounce));
        let speed = self
            .pace
            .start(at_bounce / self.pace.cushion, way.length() * part);
        clear.then(|| Candidate {
            aim: Aim::Kick { bounce },
            ball,
            cue: position.cue,
            direction,
            ghost,
            cut: 0.0,
            speed: speed.min(self.pace.hardest),
            tolerance: (2.0 * radius / way.length()).min(1.0).asin(),
        })
    }
}

//! Switches, and the lines across lanes that close one.

use bevy::{
    math::{Vec2, Vec3Swizzles, vec2},
    prelude::*,
};

use super::{Side, measures::*, play::Ball, rules::Switch};

/// The ball closes a switch.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct Closed(pub Switch);

/// A line on the playfield that closes a switch when the ball's centre crosses it.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// Its switch.
    pub switch: Switch,
    /// Its ends.
    pub ends: [Vec2; 2],
    /// The way that counts, as seen from the first end to the second: to the left only, or both.
    pub is_one_way: bool,
}

impl Line {
    /// The line between two points. Both ways count.
    pub fn new(switch: Switch, a: Vec2, b: Vec2) -> Self {
        Self {
            switch,
            ends: [a, b],
            is_one_way: false,
        }
    }

    fn one_way(self) -> Self {
        Self {
            is_one_way: true,
            ..self
        }
    }

    /// Whether a centre that moves from `p` to `q` crosses it in a way that counts.
    pub fn is_crossed(&self, p: Vec2, q: Vec2) -> bool {
        let [a, b] = self.ends;
        let side = |x: Vec2| (b - a).perp_dot(x - a);
        let (before, after) = (side(p), side(q));
        // z points down the screen: a negative product is on the left.
        let is_across = (before < 0.0) != (after < 0.0);
        let is_between = ((q - p).perp_dot(a - p) < 0.0) != ((q - p).perp_dot(b - p) < 0.0);
        is_across && is_between && !(self.is_one_way && after >= 0.0)
    }
}

/// All lines of the table.
pub fn lines() -> Vec<Line> {
    let level = |z: f32, left: f32, right: f32| [vec2(left, z), vec2(right, z)];
    let line = |switch, [a, b]: [Vec2; 2]| Line::new(switch, a, b);
    let middle = 0.5 * (LANE_ENDS[0] + LANE_ENDS[1]);
    let mut lines: Vec<Line> = LANE_POSTS
        .windows(2)
        .enumerate()
        .map(|(lane, posts)| line(Switch::Lane(lane), level(middle, posts[0], posts[1])))
        .collect();
    let apex = ramp::centre().y - ramp::radius();
    lines.extend([
        line(Switch::Launch, GATE).one_way(),
        line(
            Switch::RampMouth,
            level(-0.05, ramp::X[1] - ramp::HALF, ramp::X[1] + ramp::HALF),
        ),
        Line::new(
            Switch::Ramp,
            vec2(ramp::centre().x, ramp::centre().y),
            vec2(ramp::centre().x, apex - 2.0 * ramp::HALF),
        )
        .one_way(),
        line(
            Switch::Orbit,
            [vec2(0.0, -HALF_LENGTH), vec2(0.0, LANE_ENDS[0])],
        ),
        Line::new(
            Switch::Drain,
            vec2(DIVIDER, DRAIN),
            vec2(-HALF_WIDTH - 0.01, DRAIN),
        )
        .one_way(),
    ]);
    for side in Side::BOTH {
        let [_, bend, top] = inlane_guide(side);
        let z = 0.5 * (bend.y + top.y);
        let sling = slingshot(side)[0].x;
        let wall = match side {
            Side::Left => -HALF_WIDTH,
            Side::Right => DIVIDER,
        };
        lines.push(line(Switch::Inlane(side), level(z, sling, top.x)));
        lines.push(line(Switch::Outlane(side), level(z, top.x, wall)));
    }
    lines
}

/// Closes the switches whose lines the ball crosses in this step.
pub(super) fn cross_lines(
    mut balls: Query<(&mut Ball, &Transform)>,
    mut closed: MessageWriter<Closed>,
    mut all: Local<Vec<Line>>,
) {
    if all.is_empty() {
        *all = lines();
    }
    for (mut ball, transform) in &mut balls {
        let now = transform.translation.xz();
        let before = std::mem::replace(&mut ball.before, now);
        let crossed = all.iter().filter(|line| line.is_crossed(before, now));
        closed.write_batch(crossed.map(|line| Closed(line.switch)));
    }
}

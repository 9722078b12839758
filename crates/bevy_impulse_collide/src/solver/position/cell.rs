//! The overlaps of one cell of the partition.

use fearless_simd::dispatch;

use super::{
    balls::{BallState, PushParams, WideOverlap},
    capsules::{CapsuleOverlap, points},
    pair::{overlap, project_pair},
    position_change::PositionChange,
    rotation_change::RotationChange,
};
use crate::{
    body::Bodies,
    config::CollisionConfig,
    solver::{contact::BallGroup, partition::CellLayout, simd_limit::level},
};

/// The pairs of a cell that overlap.
#[derive(Debug, Default)]
pub(super) struct PositionCell {
    balls: Vec<WideOverlap>,
    /// Balls on planes.
    on_planes: Vec<WideOverlap>,
    /// Pairs of a capsule and a round body, one entry per point.
    points: Vec<CapsuleOverlap>,
    /// Pairs of a capsule and a plane, or of a body and a collider. They are pushed last: nothing passes a plane.
    points_on_planes: Vec<CapsuleOverlap>,
    /// Pairs that are pushed apart from their manifold.
    others: Vec<(u32, u32)>,
    /// Whether the last sweep has moved a body.
    pub moved: bool,
}

impl PositionCell {
    /// Whether nothing overlaps.
    pub fn is_empty(&self) -> bool {
        self.balls.is_empty() && self.on_planes.is_empty() && !self.turns()
    }

    /// Whether a push may turn a body.
    pub fn turns(&self) -> bool {
        !(self.points.is_empty() && self.points_on_planes.is_empty() && self.others.is_empty())
    }

    /// Removes all pairs.
    pub fn clear(&mut self) {
        self.balls.clear();
        self.on_planes.clear();
        self.points.clear();
        self.points_on_planes.clear();
        self.others.clear();
    }

    /// Adds the pairs of balls that overlap.
    pub fn find_balls<'a>(
        &mut self,
        params: &PushParams,
        ball_states: &[BallState],
        groups: impl Iterator<Item = BallGroup<'a>>,
    ) {
        dispatch!(level(), simd => for balls in groups {
            if balls.on_planes {
                let overlaps = WideOverlap::on_planes(simd, params, ball_states, &balls);
                self.on_planes.extend(overlaps);
            } else {
                let (overlaps, near) = WideOverlap::find(simd, params, ball_states, &balls);
                self.balls.extend(overlaps);
                let near = near.iter().map(|lane| (balls.a[lane], balls.b[lane]));
                self.others.extend(near);
            }
        });
    }

    /// Adds any other pair if it overlaps. `first` is the cell's first solver index.
    pub fn find_other(
        &mut self,
        bodies: &Bodies,
        config: &CollisionConfig,
        layout: &CellLayout,
        first: usize,
        pair: (u32, u32),
    ) {
        let (a, b) = (pair.0 as usize, pair.1 as usize);
        if bodies.are_held(pair) {
            return;
        }
        let has_arm = |i: usize| bodies.shape[i].is_capsule() || bodies.is_aside(i);
        let has_capsule = has_arm(a) || has_arm(b);
        if has_capsule || bodies.has_collider(a, b) {
            let solver_index = |i: usize| match bodies.moves(i) {
                true => (layout.solver_index(i) - first) as u32,
                false => 0,
            };
            let found = points(bodies, config, (a, b), [solver_index(a), solver_index(b)]);
            match bodies.has_ground(a, b) {
                true => self.points_on_planes.extend(found),
                false => self.points.extend(found),
            }
        } else if overlap(bodies, config, a, b) {
            self.others.push(pair);
        }
    }

    /// One sweep over the pairs of balls.
    pub fn push_balls_apart(
        &mut self,
        params: &PushParams,
        position_changes: &mut [PositionChange],
    ) {
        self.moved = dispatch!(level(), simd => {
            let mut moved = false;
            for overlaps in &self.balls {
                moved |= overlaps.push_apart::<_, false>(simd, params, position_changes);
            }
            for overlaps in &self.on_planes {
                moved |= overlaps.push_apart::<_, true>(simd, params, position_changes);
            }
            moved
        });
    }

    /// One sweep over all other pairs.
    pub fn push_others_apart(
        &mut self,
        bodies: &Bodies,
        config: &CollisionConfig,
        layout: &CellLayout,
        first: usize,
        position_changes: &mut [PositionChange],
        rotation_changes: &mut [RotationChange],
    ) {
        for &(a, b) in &self.others {
            let solver_index = |i| layout.solver_index(i) - first;
            let (a, b) = (a as usize, b as usize);
            self.moved |= project_pair(
                bodies,
                config,
                position_changes,
                rotation_changes,
                solver_index,
                a,
                b,
            );
        }
        for point in self.points.iter().chain(&self.points_on_planes) {
            self.moved |= point.push_apart(config, bodies.h, position_changes, rotation_changes);
        }
    }
}

//! One contact point as the solver left it, from either kind of constraint.

use bevy::prelude::*;

use super::{class::TOUCH, entry::StoredImpulse, handle::LaneIndex, pose::SolverPose};
use crate::collision::ManifoldPoint;

/// An active contact point.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactPoint {
    /// Index of the pair, and index of the point in the pair.
    pub pair: u32,
    pub feature: u32,
    /// Where the constraint is in its cell.
    pub at: LaneIndex,
    /// Indices of the bodies. `b` is the plane, if there is one.
    pub a: u32,
    pub b: u32,
    /// Indices of the bodies among the cell's solver bodies; zero for the ground.
    pub slots: (u32, u32),
    /// Unit vector from b to a.
    pub normal: Vec3,
    /// From a's centre to the contact point.
    pub arm_a: Vec3,
    /// Overlap in m at the start of the substep.
    pub depth: f32,
    /// Speed in m/s at which the gap may close.
    pub closing_allowed: f32,
    /// Coefficient of sliding friction.
    pub friction: f32,
    pub normal_impulse: f32,
    pub friction_impulse: Vec3,
    pub couple: Vec3,
}

impl ContactPoint {
    /// Normal and friction impulse on a.
    pub fn impulse(&self) -> Vec3 {
        self.normal * self.normal_impulse + self.friction_impulse
    }

    /// The contact point in world coordinates, of bodies that had these `poses`.
    pub fn point(&self, poses: &[SolverPose]) -> ManifoldPoint {
        ManifoldPoint {
            point: poses[self.a as usize].position.truncate() + self.arm_a,
            normal: self.normal,
            depth: self.depth,
        }
    }

    /// Whether the bodies, which had these `poses`, touch here.
    pub fn is_touching(&self, poses: &[SolverPose]) -> bool {
        let [r_a, r_b] = [self.a, self.b].map(|i| poses[i as usize].position.w);
        // A plane has no radius.
        let radius = if r_b > 0.0 { r_a.min(r_b) } else { r_a };
        are_touching(radius, self.depth, self.normal_impulse)
    }

    /// Whether one of the bodies is the ground.
    pub fn is_on_ground(&self) -> bool {
        self.slots.0 == 0 || self.slots.1 == 0
    }
}

/// Whether two bodies touch at a point; `radius` is the smaller one.
pub(super) fn are_touching(radius: f32, depth: f32, normal_impulse: f32) -> bool {
    normal_impulse > 0.0 || depth >= -TOUCH * radius
}

/// The impulses of a pair, from its points: one or two.
pub(super) fn stored(points: impl Iterator<Item = ContactPoint>) -> StoredImpulse {
    let mut sum = StoredImpulse::INACTIVE;
    let (mut of_second, mut is_active) = (0.0, false);
    for point in points {
        sum.normal += point.normal_impulse;
        sum.friction += point.friction_impulse;
        sum.couple += point.couple;
        is_active = true;
        if point.feature == 1 {
            of_second += point.normal_impulse;
        }
    }
    if is_active {
        sum.second_share = of_second / sum.normal.max(f32::MIN_POSITIVE);
    }
    sum
}

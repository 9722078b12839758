//! The contact points and the bodies of a set of impacts.

use bevy::prelude::*;

use crate::{body::Flight, collision::ManifoldPoint, kernel::EffectiveMass};

/// A body of the set.
#[derive(Clone, Copy, Debug)]
pub(super) struct ImpactBody {
    pub(super) at: Flight,
    /// Change of its velocity and angular velocity by the impulses found so far.
    pub(super) dv: Vec3,
    pub(super) dw: Vec3,
    /// Change of both by joints that its flight up to the impact was not allowed by.
    pub(super) calmed: [Vec3; 2],
    /// Contact points that it takes part in.
    pub(super) contacts: u32,
}

/// One contact point of the set.
#[derive(Clone, Copy, Debug)]
pub(super) struct ImpactPoint {
    /// Index of the pair in the set.
    pub(super) pair: usize,
    /// The bodies among the set's dynamic bodies; `None` for a static or kinematic body.
    pub(super) a: Option<usize>,
    pub(super) b: Option<usize>,
    pub(super) point: ManifoldPoint,
    pub(super) arm_a: Vec3,
    pub(super) arm_b: Vec3,
    pub(super) mass: EffectiveMass,
    /// Relative velocity of the contact points before the impact; of their surfaces, if one of these is a belt. Its tangential part
    /// is greater by the tangential restitution.
    pub(super) velocity: Vec3,
    pub(super) restitution: f32,
    pub(super) friction: f32,
    /// Normal impulse of the projection, then of the whole impact.
    pub(super) normal_impulse: f32,
    pub(super) impulse: Vec3,
    /// The first of its changes in the set's list, and their number: how a unit impulse changes each body of it. None without joints.
    pub(super) changes: Option<(u32, u32)>,
}

/// How an impulse P on the first body of a point, and its opposite on the second one, change a body of the set: by V·P and W·P.
#[derive(Clone, Copy, Debug)]
pub(super) struct JoinedChange {
    pub(super) local: usize,
    pub(super) v: Mat3,
    pub(super) w: Mat3,
}

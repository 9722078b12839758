//! The input of the prepare verb.

use glam::Vec4;

use super::{
    pose::{BodyExtras, SolverInertia, SolverPose},
    substep::Substep,
};

/// The bodies and parameters that a substep's prepare reads.
pub(super) struct SolverInput<'a> {
    pub substep: Substep,
    pub poses: &'a [SolverPose],
    pub inertias: &'a [SolverInertia],
    pub extras: &'a [BodyExtras],
    /// Velocities of the surfaces along themselves; empty in a world without belts.
    pub belts: &'a [Vec4],
}

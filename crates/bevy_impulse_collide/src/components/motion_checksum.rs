use bevy::prelude::*;

/// Checksums of a body's motion, with its mass and its share of gravity, and of the external force and torque on it. A part of [`Acceleration`](super::Acceleration): the step compares it with
/// the components, and so tells the motion that a user has written from its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct MotionChecksum {
    pub(crate) motion: u32,
    pub(crate) loads: u32,
}

impl MotionChecksum {
    pub(crate) const NONE: Self = Self {
        motion: 0,
        loads: 0,
    };
}

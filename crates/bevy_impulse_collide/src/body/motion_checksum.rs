//! Tells a motion that a user has written from the motion that the last step has written.

use bevy::prelude::*;

/// The motion of a body in its components, and the loads on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShownMotion {
    pub position: Vec3,
    pub rotation: Quat,
    pub velocity: Vec3,
    pub angular_velocity: Vec3,
    pub force: Vec3,
    pub torque: Vec3,
    pub gravity_scale: f32,
}

/// Checksums of the motion and of the loads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Debug, PartialEq, Clone, Default)]
pub struct MotionChecksum {
    motion: u32,
    loads: u32,
}

impl MotionChecksum {
    pub(crate) const NONE: Self = Self {
        motion: 0,
        loads: 0,
    };

    /// Whether the motion is that of the other checksum.
    pub(crate) fn has_motion_of(self, other: Self) -> bool {
        self.motion == other.motion
    }
}

impl ShownMotion {
    /// Checksums of all numbers.
    pub fn checksum(&self) -> MotionChecksum {
        let Self {
            position: x,
            rotation: q,
            velocity: v,
            angular_velocity: w,
            force: f,
            torque: t,
            gravity_scale: g,
        } = *self;
        MotionChecksum {
            motion: sum([
                [x.x, x.y],
                [x.z, q.x],
                [q.y, q.z],
                [q.w, v.x],
                [v.y, v.z],
                [w.x, w.y],
                [w.z, 0.0],
            ]),
            loads: sum([[f.x, f.y], [f.z, t.x], [t.y, t.z], [g, 0.0]]),
        }
    }
}

/// Sum of products with odd constants. −0 counts as 0, as components compare them as equal.
fn sum<const PAIRS: usize>(numbers: [[f32; 2]; PAIRS]) -> u32 {
    let mut factor = 0x9E37_79B9_7F4A_7C15_u64;
    let sum = numbers.into_iter().fold(0, |sum: u64, pair| {
        let [low, high] = pair.map(|number| u64::from((number + 0.0).to_bits()));
        factor = factor.wrapping_mul(0xD134_2543_DE82_EF95);
        let mixed = (low | high << 32).wrapping_mul(factor);
        sum.wrapping_add(mixed ^ mixed >> 32)
    });
    (sum >> 32) as u32
}

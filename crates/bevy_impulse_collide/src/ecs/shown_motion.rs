//! Tells a motion that a user has written from the motion that the last step has written.

use bevy::prelude::*;

use crate::{
    body::{Bodies, Velocities},
    components::MotionChecksum,
};

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
    /// 1/m in 1/kg.
    pub inverse_mass: f32,
}

impl ShownMotion {
    /// The motion that a step shows of body `i`, with the loads that it has read.
    pub fn of(
        bodies: &Bodies,
        i: usize,
        (position, rotation): (Vec3, Quat),
        velocities: Velocities,
    ) -> Self {
        Self {
            position,
            rotation,
            velocity: velocities.linear,
            angular_velocity: velocities.angular,
            force: bodies.external_force[i],
            torque: bodies.external_torque[i],
            gravity_scale: bodies.gravity_scale[i],
            inverse_mass: bodies.inverse_mass[i],
        }
    }

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
            inverse_mass: m,
        } = *self;
        MotionChecksum {
            motion: sum([
                [x.x, x.y],
                [x.z, q.x],
                [q.y, q.z],
                [q.w, v.x],
                [v.y, v.z],
                [w.x, w.y],
                [w.z, g],
                [m, 0.0],
            ]),
            loads: sum([[f.x, f.y], [f.z, t.x], [t.y, t.z]]),
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

//! What the sweeps change of a body: its motion, packed so that one cache line holds two of them.

use bevy::prelude::*;
use fearless_simd::{f32x8, prelude::*};
use glam::Vec4;

use crate::{
    body::{Bodies, Growing},
    solver::simd::{LANES, Vector, load, unload},
};

/// Velocity of a body with its ease 1/m in the fourth lane; angular velocity, beside it 1/I across the axis. What grows has lanes
/// nowhere, and needs no 1/I here: beside its angular velocity is the speed of its growth.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Motion {
    pub linear: Vec4,
    pub angular: Vec4,
}

impl Motion {
    /// Of everything that nothing moves.
    pub const GROUND: Self = Self {
        linear: Vec4::ZERO,
        angular: Vec4::ZERO,
    };

    pub fn of(bodies: &Bodies, i: usize) -> Self {
        Self {
            linear: bodies.velocity[i].extend(bodies.inverse_mass[i]),
            angular: bodies.angular_velocity[i].extend(match bodies.growth[i] {
                Growing::NONE => bodies.inverse_inertia[i].transverse,
                growth => growth.speed,
            }),
        }
    }

    pub fn velocity(&self) -> Vec3 {
        self.linear.truncate()
    }

    pub fn angular_velocity(&self) -> Vec3 {
        self.angular.truncate()
    }

    pub fn inverse_mass(&self) -> f32 {
        self.linear.w
    }

    /// How fast it grows, in m/s, if it does.
    pub fn growth_speed(&self) -> f32 {
        self.angular.w
    }

    pub fn add_growth(&mut self, change: f32) {
        self.angular.w += change;
    }

    pub fn add(&mut self, dv: Vec3, dw: Vec3) {
        self.linear += dv.extend(0.0);
        self.angular += dw.extend(0.0);
    }
}

/// The motions of `a` and `b`, to change both. Of two that are the same, the ground's, the changes are nothing.
pub(super) fn change_both(
    motions: &mut [Motion],
    (a, b): (u32, u32),
    change: impl FnOnce(&mut Motion, &mut Motion),
) {
    let (mut motion_a, mut motion_b) = (motions[a as usize], motions[b as usize]);
    change(&mut motion_a, &mut motion_b);
    motions[a as usize] = motion_a;
    motions[b as usize] = motion_b;
}

/// Several motions, by component.
#[derive(Clone, Copy)]
pub(super) struct Motions<S: Simd> {
    pub v: Vector<S>,
    pub inverse_mass: f32x8<S>,
    pub w: Vector<S>,
    pub inverse_inertia: f32x8<S>,
}

impl<S: Simd> Motions<S> {
    #[inline(always)]
    pub fn load(simd: S, motions: &[Motion], bodies: &[u32; LANES]) -> Self {
        let (v, inverse_mass) = load(simd, |i| motions[i].linear, bodies);
        let (w, inverse_inertia) = load(simd, |i| motions[i].angular, bodies);
        Self {
            v,
            inverse_mass,
            w,
            inverse_inertia,
        }
    }

    #[inline(always)]
    pub fn store(self, motions: &mut [Motion], bodies: &[u32; LANES]) {
        let linear = unload(self.v, self.inverse_mass);
        let angular = unload(self.w, self.inverse_inertia);
        for lane in 0..LANES {
            motions[bodies[lane] as usize] = Motion {
                linear: linear[lane],
                angular: angular[lane],
            };
        }
    }
}

//! The solver's record of a body, first half: its velocities. One cache line holds two bodies.

use fearless_simd::{f32x8, prelude::*};
use glam::Vec4;

use crate::{
    body::Bodies,
    solver::simd::{LANES, Vector, load, unload},
};

/// Velocity of a body, with 1/m beside it; angular velocity, with the greatest 1/I beside it.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct SolverVelocity {
    pub linear: Vec4,
    pub angular: Vec4,
}

impl SolverVelocity {
    /// The velocity of the ground: of every static body.
    pub const GROUND: Self = Self {
        linear: Vec4::ZERO,
        angular: Vec4::ZERO,
    };

    pub fn of(bodies: &Bodies, i: usize) -> Self {
        Self {
            linear: bodies.velocity[i].as_vec3().extend(bodies.inverse_mass[i]),
            angular: bodies.angular_velocity[i]
                .as_vec3()
                .extend(bodies.inverse_inertia[i].greatest()),
        }
    }
}

/// Several velocities, component by component.
#[derive(Clone, Copy)]
pub(super) struct WideVelocity<S: Simd> {
    pub v: Vector<S>,
    pub inverse_mass: f32x8<S>,
    pub w: Vector<S>,
    pub inverse_inertia: f32x8<S>,
}

impl<S: Simd> WideVelocity<S> {
    #[inline(always)]
    pub fn load(simd: S, velocities: &[SolverVelocity], bodies: &[u32; LANES]) -> Self {
        let (v, inverse_mass) = load(simd, |i| velocities[i].linear, bodies);
        let (w, inverse_inertia) = load(simd, |i| velocities[i].angular, bodies);
        Self {
            v,
            inverse_mass,
            w,
            inverse_inertia,
        }
    }

    #[inline(always)]
    pub fn store(self, velocities: &mut [SolverVelocity], bodies: &[u32; LANES]) {
        let linear = unload(self.v, self.inverse_mass);
        let angular = unload(self.w, self.inverse_inertia);
        for lane in 0..LANES {
            velocities[bodies[lane] as usize] = SolverVelocity {
                linear: linear[lane],
                angular: angular[lane],
            };
        }
    }

    /// Velocity of the points at `arm` from the centres.
    #[inline(always)]
    pub fn at(&self, arm: Vector<S>) -> Vector<S> {
        self.v + self.w.cross(arm)
    }
}

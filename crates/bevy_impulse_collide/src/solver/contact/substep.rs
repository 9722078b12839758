//! The parameters that all constraints of a substep share.

use fearless_simd::{f32x8, mask32x8, prelude::*};

use super::velocity::WideVelocity;
use crate::{
    config::CollisionConfig,
    solver::simd::{Vector, only, turn_slightly},
};

/// Fractions of the last substep's impulses with which this substep starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct WarmStart {
    pub normal: f32,
    pub friction: f32,
}

impl WarmStart {
    /// Forces do not depend on the substep's length. So if a user changes it from `h_before` to `h`, impulses change in proportion.
    pub fn new(config: &CollisionConfig, h_before: f32, h: f32) -> Self {
        let stretch = if h_before > 0.0 { h / h_before } else { 1.0 };
        let normal = config.warm_start * stretch;
        Self {
            normal,
            friction: normal * config.friction_warm_start,
        }
    }
}

/// The parameters of a substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Substep {
    pub h: f32,
    pub margin: f32,
    pub slop: f32,
    pub resting_speed: f32,
    pub warm_start: WarmStart,
}

impl Substep {
    pub fn new(config: &CollisionConfig, warm_start: WarmStart, h: f32) -> Self {
        Self {
            h,
            margin: config.contact_margin,
            slop: config.overlap_slop,
            // Without the impulse jolt, contacts must stop every approach.
            resting_speed: if config.stages.impulse_jolt {
                config.resting_speed
            } else {
                f32::INFINITY
            },
            warm_start,
        }
    }

    /// Mean rotation vectors of the pairs in the substep; zero for a pair with the ground, which does not turn with the body
    /// that rolls on it.
    #[inline(always)]
    pub fn turn_of<S: Simd>(&self, a: &WideVelocity<S>, b: &WideVelocity<S>) -> Vector<S> {
        let both_free = a.inverse_mass.simd_gt(0.0) & b.inverse_mass.simd_gt(0.0);
        let half = f32x8::splat(a.inverse_mass.simd, self.h * 0.5);
        (a.w + b.w).scaled(only(both_free, half))
    }

    /// Normal impulses to start with, from the last substep's impulses.
    #[inline(always)]
    pub fn start_normal<S: Simd>(&self, before: f32x8<S>, is_active: mask32x8<S>) -> f32x8<S> {
        only(is_active, before * self.warm_start.normal)
    }

    /// Friction impulses to start with: they turn with the pair by `angle` and stay across the normal. So a heap that turns as a
    /// whole has the right friction from the start, and does not creep.
    #[inline(always)]
    pub fn start_friction<S: Simd>(
        &self,
        before: Vector<S>,
        angle: Vector<S>,
        normal: Vector<S>,
        is_active: mask32x8<S>,
    ) -> Vector<S> {
        let turned = turn_slightly(before, angle);
        let share = f32x8::splat(before.x.simd, self.warm_start.friction);
        let across = turned.add_scaled(normal, -turned.dot(normal));
        across.scaled(only(is_active, share))
    }

    /// Couples to start with: they turn with the pair.
    #[inline(always)]
    pub fn start_couple<S: Simd>(
        &self,
        before: Vector<S>,
        angle: Vector<S>,
        is_active: mask32x8<S>,
    ) -> Vector<S> {
        let share = f32x8::splat(before.x.simd, self.warm_start.friction);
        turn_slightly(before, angle).scaled(only(is_active, share))
    }
}

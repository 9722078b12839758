//! Optional term of a contact: rolling friction and spinning friction, as a couple.

use fearless_simd::{f32x8, prelude::*};

use super::{entry::EntryGroup, pose::BodyExtras, velocity::WideVelocity};
use crate::solver::simd::{LANES, Numbers, Symmetric, Vector, Vectors, load, only};

/// The couples of up to [`LANES`] contact points, one a lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct CoupleTerms {
    /// Coefficients of the pairs.
    rolling_friction: Numbers,
    spinning_friction: Numbers,
    /// Largest rolling and spinning couple for a unit of normal impulse, in m.
    rolling_arm: Numbers,
    spinning_arm: Numbers,
    /// Effective mass of the relative rotation, in kg·m².
    turn_mass: Numbers,
    /// Impulse in N·s that would stop the sliding that the contact had before the fields' kick.
    sliding: Numbers,
    /// On a, in N·m·s.
    pub couple: Vectors,
}

/// I⁻¹ of the bodies of several pairs.
pub(super) struct InverseInertias<S: Simd> {
    pub a: Symmetric<S>,
    pub b: Symmetric<S>,
}

impl<S: Simd> InverseInertias<S> {
    /// Gives the bodies a couple.
    #[inline(always)]
    pub fn twist(&self, a: &mut WideVelocity<S>, b: &mut WideVelocity<S>, couple: Vector<S>) {
        a.w = a.w + self.a.mul(couple);
        b.w = b.w - self.b.mul(couple);
    }
}

impl CoupleTerms {
    /// The terms of a group of pairs that start with the couples `couple`.
    pub fn new(group: &EntryGroup, couple: Vectors) -> Self {
        Self {
            rolling_friction: group.number(|entry| entry.rolling_friction),
            spinning_friction: group.number(|entry| entry.spinning_friction),
            rolling_arm: Numbers::ZERO,
            spinning_arm: Numbers::ZERO,
            turn_mass: Numbers::ZERO,
            sliding: Numbers::ZERO,
            couple,
        }
    }

    /// Brings the limits up to date. `radius` is the smaller radius, `tangent_mass` the inverse of the tangential part of K at
    /// these points, and `velocity_before` the relative velocity there without the fields' kick of this substep.
    #[inline(always)]
    pub fn prepare<S: Simd>(
        &mut self,
        (a, b): (&WideVelocity<S>, &WideVelocity<S>),
        radius: f32x8<S>,
        tangent_mass: &Symmetric<S>,
        velocity_before: Vector<S>,
        couple: Vector<S>,
    ) {
        let simd = radius.simd;
        // With the inverse inertia about the axis of the easiest turn, no couple about any axis overshoots.
        let inverse = a.inverse_inertia + b.inverse_inertia;
        self.turn_mass = only(inverse.simd_gt(0.0), 1.0 / inverse).into();
        // For a ball the factor is 7/5, which makes the deceleration of a free roll μ_r·g.
        let inverse_mass = a.inverse_mass + b.inverse_mass;
        let square = (inverse * radius * radius).max(f32::MIN_POSITIVE);
        let roll = radius * (inverse_mass / square + 1.0);
        let rolling_friction = self.rolling_friction.load(simd);
        self.rolling_arm = (roll * rolling_friction).into();
        self.spinning_arm = (radius * self.spinning_friction.load(simd)).into();
        let stop = tangent_mass.mul(velocity_before);
        self.sliding = stop.dot(stop).sqrt().into();
        self.couple = couple.into();
    }

    /// Brings the couples closer to those that stop the relative rotation, within their limits for these normal impulses.
    ///
    /// Rolling friction acts only while the contact rolls. Before that the contact slides, until `friction` ends the sliding after
    /// the fraction sliding/(friction·N) of the substep.
    #[inline(always)]
    pub fn solve<S: Simd>(
        &mut self,
        (a, b): (&mut WideVelocity<S>, &mut WideVelocity<S>),
        inertias: &InverseInertias<S>,
        n: Vector<S>,
        friction: f32x8<S>,
        normal_impulse: f32x8<S>,
    ) {
        let simd = friction.simd;
        let before = self.couple.load(simd);
        let wanted = before.add_scaled(a.w - b.w, -self.turn_mass.load(simd));
        let spin = wanted.dot(n);
        let spin_limit = self.spinning_arm.load(simd) * normal_impulse;
        let spin_held = spin.min(spin_limit).max(-spin_limit);

        let roll = wanted.add_scaled(n, -spin);
        let rolling_part = (normal_impulse - self.sliding.load(simd) / friction).max(0.0);
        let rolling_part = only(friction.simd_gt(0.0), rolling_part);
        let limit = self.rolling_arm.load(simd) * rolling_part;
        let square = roll.dot(roll);
        let one = f32x8::splat(simd, 1.0);
        let factor = square
            .simd_gt(limit * limit)
            .select(limit / square.sqrt(), one);
        let couple = roll.scaled(factor).add_scaled(n, spin_held);
        self.couple = couple.into();
        inertias.twist(a, b, couple - before);
    }
}

/// Relative velocity that the fields' kick of this substep has given to the points at `arms` from the centres.
#[inline(always)]
pub(super) fn kick_velocity<S: Simd>(
    simd: S,
    arms: (Vector<S>, Vector<S>),
    extras: &[BodyExtras],
    (a, b): (&[u32; LANES], &[u32; LANES]),
) -> Vector<S> {
    let of = |bodies: &[u32; LANES], arm: Vector<S>| {
        let (linear, _) = load(simd, |i| extras[i].kick, bodies);
        let (angular, _) = load(simd, |i| extras[i].angular_kick, bodies);
        linear + angular.cross(arm)
    };
    of(a, arms.0) - of(b, arms.1)
}

//! Two bodies that pass each other, or slide over each other, within a substep.

use fearless_simd::{f32x8, mask32x8, prelude::*};

use super::{
    closest_points::{ClosestPoint, WideSegments},
    substep::Substep,
    velocity::WideVelocity,
};
use crate::{
    body::IMMOVABLE,
    solver::simd::{LaneMask, Vector, only, turn_slightly},
};

/// Angle in rad by which a capsule turns in a substep, up to which its end is where the second order says.
pub(super) const MOST_ANGLE: f32 = 0.5;

/// Several pairs at the start of a substep.
pub(super) struct PassingPair<S: Simd> {
    /// x_a − x_b, in m.
    pub d: Vector<S>,
    /// v_a − v_b, in m/s.
    pub velocity: Vector<S>,
    /// The flight shift of a minus that of b.
    pub flight_shift: Vector<S>,
    pub depth: f32x8<S>,
    /// Sum of the radii.
    pub reach: f32x8<S>,
    /// The smaller radius, and the contact margin in m.
    pub radius: f32x8<S>,
    pub margin: f32x8<S>,
    /// Sum of the magnitudes of the fields' accelerations.
    pub pulls: f32x8<S>,
}

impl<S: Simd> PassingPair<S> {
    /// The pairs of balls that pass each other in this substep and do not overlap at its end. The impulse jolt has resolved their
    /// impact; a flat contact would only take energy from a glancing pass.
    ///
    /// A ball that rests on a static or kinematic body does not pass it: contacts will cancel the velocity that the field has given
    /// the ball.
    #[inline(always)]
    pub fn balls_part_again(
        &self,
        a: &WideVelocity<S>,
        b: &WideVelocity<S>,
        substep: &Substep,
    ) -> mask32x8<S> {
        let end = self.end(substep);
        self.is_quick(a, b, self.velocity, substep) & end.dot(end).simd_ge(self.reach * self.reach)
    }

    /// The same for pairs with capsules, among those for which it `is_possible`. The `point` is their first contact.
    #[inline(always)]
    pub fn capsules_part_again(
        &self,
        (a, b): (&WideVelocity<S>, &WideVelocity<S>),
        flight_halves: impl FnOnce() -> (Vector<S>, Vector<S>),
        segments: &WideSegments<S>,
        point: &ClosestPoint<S>,
        is_possible: mask32x8<S>,
        substep: &Substep,
    ) -> mask32x8<S> {
        let turning = a.w.cross(point.arm_a) - b.w.cross(point.arm_b);
        let velocity = self.velocity + turning;
        let is_quick = is_possible & self.is_quick(a, b, velocity, substep);
        if !LaneMask::from(is_quick).any() {
            return is_quick;
        }
        let h = f32x8::splat(self.depth.simd, substep.h);
        // From the start of the flights: after impacts of this substep the capsules may have other axes there than they have now.
        let turned = |half: Vector<S>, w: Vector<S>| {
            let square = half.dot(half);
            // A spin about its axis does not turn the axis.
            let about = only(square.simd_gt(0.0), half.dot(w) / square);
            let angle = w.add_scaled(half, -about).scaled(h);
            (turn_slightly(half, angle), angle.dot(angle))
        };
        let (half_a, half_b) = flight_halves();
        let (half_a, angle_a) = turned(half_a, a.w);
        let (half_b, angle_b) = turned(half_b, b.w);
        let end = WideSegments {
            x_ab: self.end(substep),
            half_a,
            half_b,
            ..*segments
        };
        let ([point, _], _) = end.nearest(is_quick);
        is_quick & point.depth.simd_le(0.0) & angle_a.max(angle_b).simd_le(MOST_ANGLE * MOST_ANGLE)
    }

    /// x_a − x_b at the end of the substep.
    #[inline(always)]
    fn end(&self, substep: &Substep) -> Vector<S> {
        let h = f32x8::splat(self.depth.simd, substep.h);
        (self.d + self.flight_shift).add_scaled(self.velocity, h)
    }

    /// The pairs that do not overlap, and whose path with this relative velocity is longer than that of a pair at rest.
    #[inline(always)]
    fn is_quick(
        &self,
        a: &WideVelocity<S>,
        b: &WideVelocity<S>,
        velocity: Vector<S>,
        substep: &Substep,
    ) -> mask32x8<S> {
        let simd = self.depth.simd;
        let h = f32x8::splat(simd, substep.h);
        let immovable = f32x8::splat(simd, IMMOVABLE);
        let is_carried = a.inverse_mass.min(b.inverse_mass).simd_le(immovable);
        let kick = only(is_carried, self.pulls * h);
        let least_path = self.margin + kick * h;
        let path_squared = velocity.dot(velocity) * h * h;
        self.depth.simd_le(self.radius * substep.slop)
            & path_squared.simd_gt(least_path * least_path)
    }
}

/// The pairs that an impact of this substep has thrown off the ground, faster than the fields bring them back in it: the ground
/// presses no more. Along the ground's normal, `shift` is the flight shift in m, and `v_n` the relative velocity in m/s.
#[inline(always)]
pub(super) fn leave_ground<S: Simd>(shift: f32x8<S>, v_n: f32x8<S>, slow: f32x8<S>) -> mask32x8<S> {
    shift.simd_lt(0.0) & v_n.simd_gt(slow)
}

/// Speed in m/s at which two round surfaces that slide past each other may close at the start of a substep:
/// (d − √(d² − (v_t·h)²))/h, with d the distance of the centres at its end. The straight path of a substep is a chord, which opens
/// the gap again. Without this speed every turning heap would swell.
#[inline(always)]
pub(super) fn closing_on_a_chord<S: Simd>(d: f32x8<S>, v_t: Vector<S>, h: f32x8<S>) -> f32x8<S> {
    // A path longer than half the distance of the centres is no slide.
    let most = d * 0.5;
    let slide_squared = (v_t.dot(v_t) * h * h).min(most * most);
    // The difference of the squares, divided by the sum, loses no digits for a short slide. Overlapping balls may go on
    // overlapping: the projection parts them. Concentric balls have d = 0.
    let sum = d + (d * d - slide_squared).sqrt();
    slide_squared / sum.max(f32::MIN_POSITIVE) / h
}

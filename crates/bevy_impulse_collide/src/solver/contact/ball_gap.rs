//! Two balls that pass each other, or slide over each other, within a substep.

use fearless_simd::{f32x8, mask32x8, prelude::*};

use super::{substep::Substep, velocity::WideVelocity};
use crate::{
    body::IMMOVABLE,
    solver::simd::{Vector, only},
};

/// The gaps of several pairs of balls at the start of a substep.
pub(super) struct BallGap<S: Simd> {
    /// x_a − x_b, in m.
    pub d: Vector<S>,
    /// v_a − v_b, in m/s.
    pub velocity: Vector<S>,
    /// Launch offset of a minus launch offset of b.
    pub launch: Vector<S>,
    pub depth: f32x8<S>,
    /// Sum of the radii.
    pub reach: f32x8<S>,
    /// The smaller radius, and the contact margin in m.
    pub radius: f32x8<S>,
    pub margin: f32x8<S>,
    /// Sum of the magnitudes of the fields' accelerations.
    pub pulls: f32x8<S>,
}

impl<S: Simd> BallGap<S> {
    /// The pairs that pass each other in this substep and do not overlap at its end. The impulse jolt has resolved their impact; a
    /// flat contact would only take energy from a glancing pass.
    ///
    /// A ball that rests on a static or kinematic body does not pass it: contacts will cancel the velocity that the field has given
    /// the ball. Nor does a ball that was pressed on the other ball in the last substep: it slides or rolls over it.
    #[inline(always)]
    pub fn parts_again(
        &self,
        a: &WideVelocity<S>,
        b: &WideVelocity<S>,
        substep: &Substep,
    ) -> mask32x8<S> {
        let simd = self.depth.simd;
        let h = f32x8::splat(simd, substep.h);
        let immovable = f32x8::splat(simd, IMMOVABLE);
        let is_held = a.inverse_mass.min(b.inverse_mass).simd_le(immovable);
        let kick = only(is_held, self.pulls * h);
        let least_path = self.margin + kick * h;
        let path_squared = self.velocity.dot(self.velocity) * h * h;
        let end = self.d.plus_all(self.launch).plus(self.velocity, h);
        self.depth.simd_le(self.radius * substep.slop)
            & path_squared.simd_gt(least_path * least_path)
            & end.dot(end).simd_ge(self.reach * self.reach)
    }
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

//! The solve verb of the general kernel: one sweep over a group of pairs.

use fearless_simd::{f32x8, prelude::*};

use super::{
    couple::{CoupleTerms, InverseInertias},
    point_data::Points,
    slide::SlideTerms,
    stretch::{GrowthSpeeds, Stretch, StretchTerms},
    velocity::{SolverVelocity, WideVelocity},
};
use crate::solver::simd::{Vector, only};

/// The optional terms of a group, at both points.
pub(super) struct Optional<'a> {
    pub couples: Option<&'a mut [CoupleTerms; 2]>,
    pub stretch: Option<&'a [StretchTerms; 2]>,
    pub slide: Option<&'a SlideTerms>,
    pub growth_speeds: &'a mut [f32],
}

impl Optional<'_> {
    #[inline(always)]
    pub fn none() -> Self {
        Self {
            couples: None,
            stretch: None,
            slide: None,
            growth_speeds: &mut [],
        }
    }

    #[inline(always)]
    fn stretch_at<S: Simd>(&self, simd: S, k: usize) -> Option<Stretch<S>> {
        self.stretch.map(|stretch| stretch[k].load(simd))
    }

    /// The sliding of the surfaces, from that of the bodies. Friction sees only its part across the normal.
    #[inline(always)]
    fn sliding<S: Simd>(&self, of_bodies: Vector<S>, motion: &PairMotion<S>) -> Vector<S> {
        match self.slide {
            Some(slide) => slide.sliding(of_bodies, motion.a.v - motion.b.v),
            None => of_bodies,
        }
    }
}

/// The velocities of the bodies of a group while it is solved.
struct PairMotion<S: Simd> {
    a: WideVelocity<S>,
    b: WideVelocity<S>,
    growth: Option<GrowthSpeeds<S>>,
}

impl<S: Simd> PairMotion<S> {
    #[inline(always)]
    fn load(simd: S, points: &Points, optional: &Optional, velocities: &[SolverVelocity]) -> Self {
        Self {
            a: WideVelocity::load(simd, velocities, &points.a),
            b: WideVelocity::load(simd, velocities, &points.b),
            growth: optional
                .stretch
                .map(|_| GrowthSpeeds::load(simd, optional.growth_speeds, &points.a, &points.b)),
        }
    }

    #[inline(always)]
    fn store(self, points: &Points, optional: &mut Optional, velocities: &mut [SolverVelocity]) {
        self.a.store(velocities, &points.a);
        self.b.store(velocities, &points.b);
        if let Some(growth) = self.growth {
            growth.store(optional.growth_speeds, &points.a, &points.b);
        }
    }

    /// Relative velocity at the points.
    #[inline(always)]
    fn at(&self, points: &Points, stretch: Option<Stretch<S>>) -> Vector<S> {
        let rigid = points.velocity(&self.a, &self.b);
        match (stretch, &self.growth) {
            (Some(stretch), Some(speeds)) => rigid + stretch.velocity(speeds),
            _ => rigid,
        }
    }

    /// Speed of separation plus the speed at which the gap may close.
    #[inline(always)]
    fn closing(&self, points: &Points, stretch: Option<Stretch<S>>) -> f32x8<S> {
        let simd = self.a.inverse_mass.simd;
        let v_n = self.at(points, stretch).dot(points.normal.load(simd));
        v_n + points.closing_allowed.load(simd)
    }

    #[inline(always)]
    fn push(&mut self, points: &Points, stretch: Option<Stretch<S>>, impulse: Vector<S>) {
        points.push(&mut self.a, &mut self.b, impulse);
        if let (Some(stretch), Some(speeds)) = (stretch, &mut self.growth) {
            stretch.push(speeds, impulse);
        }
    }
}

/// One point of each pair: friction first, then couples, then the normal impulse.
#[inline(always)]
pub(super) fn solve_one<S: Simd>(
    simd: S,
    points: &mut Points,
    mut optional: Optional,
    relaxation: f32,
    velocities: &mut [SolverVelocity],
) {
    let stretch = optional.stretch_at(simd, 0);
    let mut motion = PairMotion::load(simd, points, &optional, velocities);
    let u = motion.at(points, stretch);
    let n = points.normal.load(simd);
    let friction_change = points.friction(optional.sliding(u, &motion));
    points.add_friction(friction_change);

    let (v_n, given);
    if let Some(couples) = &mut optional.couples {
        motion.push(points, stretch, friction_change);
        solve_couple(simd, points, &mut couples[0], &mut motion);
        v_n = motion.at(points, stretch).dot(n);
        given = Vector::zero(simd);
    } else {
        v_n = u.dot(n) + points.coupling.load(simd).dot(friction_change);
        given = friction_change;
    }
    let normal_before = points.normal_impulse.load(simd);
    let closing = v_n + points.closing_allowed.load(simd);
    let push = points.normal_mass.load(simd) * closing * relaxation;
    let normal_impulse = (normal_before - push).max(0.0);
    points.normal_impulse = normal_impulse.into();
    motion.push(
        points,
        stretch,
        given.add_scaled(n, normal_impulse - normal_before),
    );
    motion.store(points, &mut optional, velocities);
}

#[inline(always)]
fn solve_couple<S: Simd>(
    simd: S,
    points: &Points,
    couple: &mut CoupleTerms,
    motion: &mut PairMotion<S>,
) {
    couple.solve(
        (&mut motion.a, &mut motion.b),
        &points.inertias(simd),
        points.normal.load(simd),
        points.friction.load(simd),
        points.normal_impulse.load(simd),
    );
}

/// Both points of each pair together: friction at both, couples at both, then the normal impulses at both. Solved in turn, the
/// first would always take more than its share, and a stack of logs would turn.
#[inline(always)]
pub(super) fn solve_both<S: Simd>(
    simd: S,
    [first, second]: [&mut Points; 2],
    mut optional: Optional,
    relaxation: f32,
    velocities: &mut [SolverVelocity],
) {
    let stretch_1 = optional.stretch_at(simd, 0);
    let stretch_2 = optional.stretch_at(simd, 1);
    let mut motion = PairMotion::load(simd, first, &optional, velocities);
    // Together, both points would stop the motion that they share twice.
    let mutual = second.mutual_inverse_mass.load(simd);
    let squares = first.inverse_normal_mass.load(simd) * second.inverse_normal_mass.load(simd);
    let shared = (mutual * mutual / squares.max(f32::MIN_POSITIVE)).sqrt();
    let shared = only(mutual.simd_gt(0.0), shared.min(1.0));
    let share = 1.0 / (shared + 1.0);
    // Along the line through both points they share the whole motion: both bodies are rigid.
    let line = second.arm_a.load(simd) - first.arm_a.load(simd);
    let line = line.scaled(1.0 / line.dot(line).sqrt().max(f32::MIN_POSITIVE));
    let part = |u: Vector<S>| {
        let along = u.dot(line);
        u.scaled(share).add_scaled(line, along * (0.5 - share))
    };
    let sliding = |points: &Points, stretch| optional.sliding(motion.at(points, stretch), &motion);
    let friction_1 = first.friction(part(sliding(first, stretch_1)));
    let friction_2 = second.friction(part(sliding(second, stretch_2)));
    first.add_friction(friction_1);
    second.add_friction(friction_2);
    motion.push(first, stretch_1, friction_1);
    motion.push(second, stretch_2, friction_2);
    if let Some(couples) = &mut optional.couples {
        solve_couple(simd, first, &mut couples[0], &mut motion);
        solve_couple(simd, second, &mut couples[1], &mut motion);
    }

    let closing = (
        motion.closing(first, stretch_1),
        motion.closing(second, stretch_2),
    );
    let [change_1, change_2] = normal_changes(first, second, relaxation, closing);
    let along = (first.normal.load(simd), second.normal.load(simd));
    first.normal_impulse = (first.normal_impulse.load(simd) + change_1).into();
    second.normal_impulse = (second.normal_impulse.load(simd) + change_2).into();
    motion.push(first, stretch_1, along.0.scaled(change_1));
    motion.push(second, stretch_2, along.1.scaled(change_2));
    motion.store(first, &mut optional, velocities);
}

/// Changes of the normal impulses of two points. Each point pushes or does not, and one of the four cases holds (E. Catto's block
/// solver, Box2D).
#[inline(always)]
fn normal_changes<S: Simd>(
    first: &Points,
    second: &Points,
    relaxation: f32,
    (closing_1, closing_2): (f32x8<S>, f32x8<S>),
) -> [f32x8<S>; 2] {
    let simd = closing_1.simd;
    let k_1 = first.inverse_normal_mass.load(simd);
    let k_2 = second.inverse_normal_mass.load(simd);
    let k_12 = second.mutual_inverse_mass.load(simd);
    let p_1 = first.normal_impulse.load(simd);
    let p_2 = second.normal_impulse.load(simd);
    // The velocities without any impulse.
    let v_1 = closing_1 - k_1 * p_1 - k_12 * p_2;
    let v_2 = closing_2 - k_12 * p_1 - k_2 * p_2;
    let (acts_1, acts_2) = (first.is_active.load(simd), second.is_active.load(simd));

    let (alone_1, alone_2) = (-v_1 / k_1, -v_2 / k_2);
    let determinant = k_1 * k_2 - k_12 * k_12;
    let both_1 = (k_12 * v_2 - k_2 * v_1) / determinant;
    let both_2 = (k_12 * v_1 - k_1 * v_2) / determinant;
    let is_both = acts_1
        & acts_2
        & determinant.simd_gt(k_1 * 1e-3 * k_2)
        & both_1.simd_ge(0.0)
        & both_2.simd_ge(0.0);
    let is_second = acts_2 & alone_2.simd_ge(0.0) & (!acts_1 | (v_1 + k_12 * alone_2).simd_ge(0.0));
    // If neither case holds, the points are solved in turn. The second then gets no impulse, or only a rounding error.
    let after_1 = only(acts_1, alone_1.max(0.0));
    let after_2 = only(acts_2, (-(v_2 + k_12 * after_1) / k_2).max(0.0));
    let wanted_1 = is_both.select(both_1, only(!is_second, after_1));
    let wanted_2 = is_both.select(both_2, is_second.select(alone_2, after_2));

    let next_1 = (p_1 + (wanted_1 - p_1) * relaxation).max(0.0);
    let next_2 = (p_2 + (wanted_2 - p_2) * relaxation).max(0.0);
    [only(acts_1, next_1 - p_1), only(acts_2, next_2 - p_2)]
}

impl Points {
    /// Relative velocity of the contact points by the motion of the rigid bodies.
    #[inline(always)]
    pub fn velocity<S: Simd>(&self, a: &WideVelocity<S>, b: &WideVelocity<S>) -> Vector<S> {
        let simd = a.inverse_mass.simd;
        (a.at(self.arm_a.load(simd))) - b.at(self.arm_b.load(simd))
    }

    /// Normal and friction impulse on a.
    #[inline(always)]
    pub fn impulse<S: Simd>(&self, simd: S) -> Vector<S> {
        let (n, normal) = (self.normal.load(simd), self.normal_impulse.load(simd));
        self.friction_impulse.load(simd).add_scaled(n, normal)
    }

    /// I⁻¹ of the bodies.
    #[inline(always)]
    pub fn inertias<S: Simd>(&self, simd: S) -> InverseInertias<S> {
        InverseInertias {
            a: self.inverse_inertia_a.load(simd),
            b: self.inverse_inertia_b.load(simd),
        }
    }

    /// The change of the friction impulse that stops the sliding `u`, within Coulomb's cone.
    #[inline(always)]
    fn friction<S: Simd>(&self, u: Vector<S>) -> Vector<S> {
        let simd = u.x.simd;
        let before = self.friction_impulse.load(simd);
        let stop = before - self.tangent_mass.load(simd).mul(u);
        let limit = self.friction.load(simd) * self.normal_impulse.load(simd);
        let length_squared = stop.dot(stop);
        let slides = length_squared.simd_gt(limit * limit);
        let one = f32x8::splat(simd, 1.0);
        let factor = slides.select(limit / length_squared.sqrt(), one);
        stop.scaled(factor) - before
    }

    #[inline(always)]
    fn add_friction<S: Simd>(&mut self, change: Vector<S>) {
        let before = self.friction_impulse.load(change.x.simd);
        self.friction_impulse = (before + change).into();
    }

    /// Gives the bodies an impulse at the points.
    #[inline(always)]
    pub fn push<S: Simd>(
        &self,
        a: &mut WideVelocity<S>,
        b: &mut WideVelocity<S>,
        impulse: Vector<S>,
    ) {
        let simd = impulse.x.simd;
        let couple_a = self.arm_a.load(simd).cross(impulse);
        let couple_b = self.arm_b.load(simd).cross(impulse);
        let turn_a = self.inverse_inertia_a.load(simd).mul(couple_a);
        let turn_b = self.inverse_inertia_b.load(simd).mul(couple_b);
        a.v = a.v.add_scaled(impulse, a.inverse_mass);
        b.v = b.v.add_scaled(impulse, -b.inverse_mass);
        a.w = a.w + turn_a;
        b.w = b.w - turn_b;
    }
}

//! The prepare verb of the general kernel: points, effective masses, and the impulses to start with.

use fearless_simd::{f32x8, mask32x8, prelude::*};

use super::{
    closest_points::{ClosestPoint, WideSegments},
    couple::{CoupleTerms, InverseInertias, kick_velocity},
    passing::{MOST_ANGLE, PassingPair, closing_on_a_chord, leave_ground},
    point_data::{PointPairs, Points},
    pose::{BodyExtras, SolverInertia, WideAside, WidePose},
    rows::RowInput,
    slide::SlideTerms,
    stretch::{GrowthSpeeds, Stretch, StretchTerms},
    substep::Substep,
    surface::SurfaceTerms,
    velocity::WideVelocity,
};
use crate::solver::simd::{LANES, LaneMask, Numbers, Symmetric, Vector, Vectors, load, only};

/// The bodies of a group: velocities, axes, and the data that all points of the pairs share.
struct PairState<'a, S: Simd> {
    bodies: (&'a [u32; LANES], &'a [u32; LANES]),
    pose: &'a WidePose<S>,
    a: WideVelocity<S>,
    b: WideVelocity<S>,
    growth: Option<GrowthSpeeds<S>>,
    extras: &'a [BodyExtras],
    slide: Option<SlideTerms>,
    inertias: InverseInertias<S>,
    halves: (Vector<S>, Vector<S>),
    radius: f32x8<S>,
    flight_shift: Vector<S>,
    /// [`WidePose::are_elsewhere`]
    are_elsewhere: mask32x8<S>,
    /// Approach speed up to which contacts stop the bodies.
    slow: f32x8<S>,
    /// Whether the bodies b are planes or colliders.
    on_ground: bool,
    /// Rotation vector of the pair in the substep.
    angle: Vector<S>,
    /// The pairs of bodies that move freely and pass each other.
    passing: Option<mask32x8<S>>,
    /// Of balls: the speed at which the chord of a slide closes the gap.
    chord: Option<f32x8<S>>,
}

/// Brings the contacts of a group up to date. Returns whether any first points, and any second points, are active.
#[inline(always)]
pub(super) fn prepare<S: Simd>(
    simd: S,
    pairs: &mut PointPairs,
    [first, second]: [&mut Points; 2],
    couples: Option<&mut [CoupleTerms; 2]>,
    stretches: Option<&mut [StretchTerms; 2]>,
    surface: Option<&SurfaceTerms>,
    slide: Option<&mut SlideTerms>,
    input: &RowInput,
) -> [bool; 2] {
    let RowInput {
        substep,
        poses,
        inertias,
        extras,
        belts,
        asides,
        velocities,
        growth_speeds,
        ..
    } = *input;
    let substep = &substep;
    let on_planes = pairs.class.on_plane;

    let mut pose = WidePose::load(simd, poses, &pairs.a, &pairs.b);
    // In a world without compounds nothing lies aside.
    let aside = (!asides.is_empty()).then(|| WideAside::load(simd, asides, &pairs.a, &pairs.b));
    if let Some(aside) = &aside {
        pose = pose.beside(aside);
    }
    let (half_a, _) = load(simd, |i| poses[i].half, &pairs.a);
    let (half_b, _) = load(simd, |i| poses[i].half, &pairs.b);
    let segments = WideSegments {
        x_ab: pose.x_ab,
        half_a,
        half_b,
        r_a: pose.r_a,
        r_b: pose.r_b,
    };
    let is_used = pairs.is_used.load(simd);
    let (closest, is_double) = if let Some(surface) = surface {
        (
            surface.points(simd, &segments),
            is_used & surface.is_double.load(simd),
        )
    } else if on_planes {
        let has_length = half_a.dot(half_a).simd_gt(0.0);
        (
            segments.on_plane(pose.plane_normals()),
            is_used & has_length,
        )
    } else {
        let (closest, is_double) = segments.nearest(is_used);
        (closest, is_used & is_double)
    };
    let closest = match &aside {
        Some(aside) => closest.map(|point| point.beside(aside)),
        None => closest,
    };
    let a = WideVelocity::load(simd, velocities, &first.a);
    let b = WideVelocity::load(simd, velocities, &first.b);
    let radius = pose.radius(on_planes);
    let are_balls = !on_planes && !pairs.class.has_capsule;
    let velocity = a.v - b.v;
    let was_pressed = first.normal_impulse.load(simd).simd_gt(0.0);
    // Bodies that were pressed on each other in the last substep slide or roll over each other.
    let may_pass = is_used & !was_pressed & pose.may_pass();
    let flight_halves = || {
        let of = |bodies| load(simd, |i| inertias[i].flight_half, bodies).0;
        (of(&pairs.a), of(&pairs.b))
    };
    let turning = InverseInertias {
        a: SolverInertia::load(simd, inertias, &pairs.a),
        b: SolverInertia::load(simd, inertias, &pairs.b),
    };
    let pair = || PassingPair {
        d: pose.x_ab,
        velocity,
        flight_shift: pose.flight_shift,
        depth: closest[0].depth,
        reach: pose.r_a + pose.r_b,
        radius,
        margin: radius * substep.margin,
        pulls: pose.pulls,
    };
    let passing = if on_planes || surface.is_some() {
        None
    } else if are_balls {
        Some(pair().balls_part_again(&a, &b, substep) & may_pass)
    } else if substep.resting_speed == f32::INFINITY {
        // Without impulse jolt, contacts stop every approach.
        None
    } else {
        let first = &closest[0];
        let mut pair = pair();
        let mut may_pass = may_pass;
        if let Some(aside) = &aside {
            let h = f32x8::splat(simd, substep.h);
            let (angle_a, angle_b) = (a.w.scaled(h), b.w.scaled(h));
            pair.flight_shift = pair.flight_shift + aside.way(angle_a, angle_b);
            let most = angle_a.dot(angle_a).max(angle_b.dot(angle_b));
            may_pass &= !aside.any() | most.simd_le(MOST_ANGLE * MOST_ANGLE);
        }
        Some(pair.capsules_part_again((&a, &b), flight_halves, &segments, first, may_pass, substep))
    };
    let chord = are_balls.then(|| {
        let ClosestPoint {
            normal: n, depth, ..
        } = closest[0];
        let v_t = velocity.add_scaled(n, -velocity.dot(n));
        let h = f32x8::splat(simd, substep.h);
        closing_on_a_chord(pose.r_a + pose.r_b - depth.max(0.0), v_t, h)
    });
    let slide = slide.map(|slide| {
        let belts = if belts.is_empty() {
            Vector::zero(simd)
        } else {
            let (of_a, _) = load(simd, |i| belts[i], &pairs.a);
            let (of_b, _) = load(simd, |i| belts[i], &pairs.b);
            of_a - of_b
        };
        let apart = closest[0].arm_b - closest[0].arm_a;
        *slide = SlideTerms::new(simd, (&a, &b), belts, apart, substep.h);
        *slide
    });
    let state = PairState {
        bodies: (&pairs.a, &pairs.b),
        pose: &pose,
        growth: pairs
            .stretch
            .map(|_| GrowthSpeeds::load(simd, growth_speeds, &first.a, &first.b)),
        extras,
        slide,
        inertias: turning,
        halves: (half_a, half_b),
        radius,
        slow: pose.resting_speed(on_planes, substep),
        on_ground: on_planes,
        angle: substep.turn_of(&a, &b),
        a,
        b,
        passing,
        chord,
        // A plane has the same normal everywhere, a collider has not.
        are_elsewhere: pose.are_elsewhere(on_planes && surface.is_none(), on_planes),
        flight_shift: pose.flight_shift,
    };

    // If two points have become one, it takes over their impulses; if one has become two, they share its impulses. On a plane, a
    // capsule always has two points.
    let mut couples = couples.map(|[one, two]| (one, two));
    if !on_planes {
        let was_double = pairs.was_double.load(simd);
        let (joins, parts) = (was_double & !is_double, is_double & !was_double);
        let one = f32x8::splat(simd, 1.0);
        let (join, part) = (only(joins, one), only(parts, one * 0.5));
        share_impulses(simd, first, second, join, part);
        if let Some((one, two)) = &mut couples {
            let (couple_1, couple_2) = (one.couple.load(simd), two.couple.load(simd));
            let moved = couple_2.scaled(join).add_scaled(couple_1, -part);
            one.couple = (couple_1 + moved).into();
            two.couple = (couple_2 - moved).into();
        }
    }
    pairs.was_double = is_double.into();

    let (couple_1, couple_2) = couples.unzip();
    let [closest_1, closest_2] = closest;
    let stretch = pairs.stretch.is_some();
    let bends = surface.map(|surface| surface.bend.map(|bend| bend.load(simd)));
    let [bend_1, bend_2] = [0, 1].map(|k| bends.map(|bends| bends[k]));
    let (active_1, stretch_1) = first.prepare(
        simd, &closest_1, bend_1, is_used, &state, substep, couple_1, stretch,
    );
    let (active_2, stretch_2) = second.prepare(
        simd, &closest_2, bend_2, is_double, &state, substep, couple_2, stretch,
    );
    pairs.is_active = [active_1, active_2];
    pairs.depth = [closest_1.depth.into(), closest_2.depth.into()];
    if active_2.any() {
        let stretches = stretch_1.zip(stretch_2);
        second.mutual_inverse_mass = first.mutual(simd, second, &state, stretches).into();
    }
    if let (Some(stretches), Some(one), Some(two)) = (stretches, stretch_1, stretch_2) {
        *stretches = [one.into(), two.into()];
    }
    [active_1.any(), active_2.any()]
}

/// Moves the fraction `join` of the second points' impulses to the first points, and the fraction `part` of the first points'
/// impulses to the second.
#[inline(always)]
fn share_impulses<S: Simd>(
    simd: S,
    first: &mut Points,
    second: &mut Points,
    join: f32x8<S>,
    part: f32x8<S>,
) {
    let normal_1 = first.normal_impulse.load(simd);
    let normal_2 = second.normal_impulse.load(simd);
    let friction_1 = first.friction_impulse.load(simd);
    let friction_2 = second.friction_impulse.load(simd);
    let moved = join * normal_2 - part * normal_1;
    let friction_moved = friction_2.scaled(join).add_scaled(friction_1, -part);
    first.normal_impulse = (normal_1 + moved).into();
    second.normal_impulse = (normal_2 - moved).into();
    first.friction_impulse = (friction_1 + friction_moved).into();
    second.friction_impulse = (friction_2 - friction_moved).into();
}

impl Points {
    /// Brings the points up to date. Returns the active lanes, and the growth's terms.
    #[inline(always)]
    fn prepare<S: Simd>(
        &mut self,
        simd: S,
        closest: &ClosestPoint<S>,
        bend: Option<f32x8<S>>,
        is_there: mask32x8<S>,
        state: &PairState<S>,
        substep: &Substep,
        couple: Option<&mut CoupleTerms>,
        has_stretch: bool,
    ) -> (LaneMask, Option<Stretch<S>>) {
        let h = f32x8::splat(simd, substep.h);
        let PairState { a, b, inertias, .. } = state;
        let n = closest.normal;
        self.normal = n.into();
        let arms = (closest.arm_a, closest.arm_b);
        (self.arm_a, self.arm_b) = (arms.0.into(), arms.1.into());
        let stretch =
            has_stretch.then(|| Stretch::new(arms, state.halves, state.extras, state.bodies));
        let mut velocity = self.velocity(a, b);
        if let (Some(stretch), Some(speeds)) = (&stretch, &state.growth) {
            velocity = velocity + stretch.velocity(speeds);
        }
        let gap = -closest.depth;
        let v_n = velocity.dot(n);
        let approach = state.pose.approach(velocity, v_n);
        let margin = state.radius * substep.margin;
        let mut is_active =
            is_there & gap.simd_le(margin + h * approach.min(state.slow)) & !state.are_elsewhere;
        if let Some(passing) = state.passing {
            is_active &= !passing;
        }
        if state.on_ground {
            is_active &= !leave_ground(n.dot(state.flight_shift), v_n, state.slow);
        }
        let active = LaneMask::from(is_active);
        if !active.any() {
            self.is_active = active;
            self.normal_impulse = Numbers::ZERO;
            self.friction_impulse = Vectors::ZERO;
            if let Some(couple) = couple {
                couple.couple = Vectors::ZERO;
            }
            return (active, stretch);
        }
        let mut closing_allowed = gap.max(0.0) / h + n.dot(state.flight_shift) / h;
        if let Some(chord) = state.chord {
            closing_allowed += chord;
        }
        if let Some(bend) = bend {
            closing_allowed += bend / h;
        }
        self.closing_allowed = closing_allowed.into();

        self.inverse_inertia_a = inertias.a.into();
        self.inverse_inertia_b = inertias.b.into();
        let mut k = (Symmetric::diagonal(a.inverse_mass + b.inverse_mass)
            + inertias.a.at_arm(arms.0))
            + inertias.b.at_arm(arms.1);
        if let Some(stretch) = &stretch {
            stretch.add_to(&mut k);
        }
        let along = k.mul(n);
        let inverse_mass = along.dot(n);
        let some = is_active & inverse_mass.simd_gt(0.0);
        self.is_active = some.into();
        self.inverse_normal_mass = only(some, inverse_mass).into();
        self.normal_mass = only(some, 1.0 / inverse_mass).into();
        let one = f32x8::splat(simd, 1.0);
        self.coupling = along
            .add_scaled(n, -inverse_mass)
            .scaled(only(some, one))
            .into();
        let tangent_mass = k.inverse_across(n, some);
        self.tangent_mass = tangent_mass.into();

        let normal_impulse = self.normal_impulse.load(simd);
        self.normal_impulse = substep.start_normal(normal_impulse, is_active).into();
        let friction_impulse = self.friction_impulse.load(simd);
        self.friction_impulse = substep
            .start_friction(friction_impulse, state.angle, n, is_active)
            .into();
        if let Some(terms) = couple {
            let kick = kick_velocity(simd, arms, state.extras, state.bodies);
            let start = substep.start_couple(terms.couple.load(simd), state.angle, is_active);
            let mut before = velocity - kick;
            if let Some(slide) = &state.slide {
                before = slide.sliding(before, a.v - b.v);
            }
            terms.prepare((a, b), state.radius, &tangent_mass, before, start);
        }
        (active, stretch)
    }

    /// Change of the normal velocity at the `other` points of the same pairs by a unit normal impulse at these points.
    #[inline(always)]
    fn mutual<S: Simd>(
        &self,
        simd: S,
        other: &Self,
        state: &PairState<S>,
        stretches: Option<(Stretch<S>, Stretch<S>)>,
    ) -> f32x8<S> {
        let both = self.is_active.load(simd) & other.is_active.load(simd);
        let (n_1, n_2) = (self.normal.load(simd), other.normal.load(simd));
        let levers_a = (
            self.arm_a.load(simd).cross(n_1),
            other.arm_a.load(simd).cross(n_2),
        );
        let levers_b = (
            self.arm_b.load(simd).cross(n_1),
            other.arm_b.load(simd).cross(n_2),
        );
        let PairState { a, b, inertias, .. } = state;
        let linear = (a.inverse_mass + b.inverse_mass) * n_1.dot(n_2);
        // ⟨l₁, I⁻¹·l₂⟩ of the couples l that unit impulses at two points give a body.
        let of_a = levers_a.0.dot(inertias.a.mul(levers_a.1));
        let of_b = levers_b.0.dot(inertias.b.mul(levers_b.1));
        let mut sum = linear + of_a + of_b;
        if let Some((one, two)) = stretches {
            sum += one.mutual(n_1, &two, n_2);
        }
        only(both, sum)
    }
}

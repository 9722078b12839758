//! The kernel for balls: balls on balls and balls on planes, without rolling friction, several pairs at a time.

use bevy::prelude::*;
use fearless_simd::{f32x8, prelude::*};

use super::{
    accumulator::ImpulseAccumulator,
    class::TOUCH,
    entry::{BallGroup, EntryGroup, PairEntry, StoredImpulse},
    handle::{LaneIndex, Store},
    passing::{PassingPair, closing_on_a_chord, leave_ground},
    pose::{SolverPose, WidePose},
    substep::Substep,
    velocity::{SolverVelocity, WideVelocity},
    view::ContactPoint,
};
use crate::solver::simd::{LANES, LaneMask, Numbers, Vector, Vectors, load, only, unload};

/// Contacts of balls with balls, or of balls with planes. No two of them share a moving body.
///
/// Both arms of such a contact lie along its normal: r_a = −l_a·n and r_b = l_b·n. So their relative velocity is
/// u = v_a − v_b − (l_a·ω_a + l_b·ω_b) × n, and an impulse P changes the ω of each body by −l/I·(n × P). K is 1/m_a + 1/m_b along
/// the normal; across it, l_a²/I_a + l_b²/I_b is added. The normal impulse changes only the normal part of u, friction only the
/// rest.
///
/// A pair keeps its lane and its impulses until the broad phase finds all pairs anew. A lane without a pair, or with bodies that
/// are apart, has zero effective masses: it changes nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct BallContacts {
    /// Indices of the bodies among the cell's solver bodies.
    a: [u32; LANES],
    b: [u32; LANES],
    normal: Vectors,
    arm_a: Numbers,
    arm_b: Numbers,
    closing_allowed: Numbers,
    normal_mass: Numbers,
    tangent_mass: Numbers,
    friction: Numbers,
    normal_impulse: Numbers,
    friction_impulse: Vectors,
}

/// The data of each lane that a sweep does not read.
#[derive(Clone, Copy, Debug)]
pub(super) struct BallPairs {
    /// Index of the pair; `u32::MAX` for none.
    pub pair: [u32; LANES],
    /// Indices of the bodies. `b` is the plane, if there is one.
    pub a: [u32; LANES],
    pub b: [u32; LANES],
    pub on_planes: bool,
    /// Number of the colour: consecutive constraints of one colour share no moving body.
    pub color: u32,
    /// The lanes that have a pair; whose bodies touch, or will in this substep; whose surfaces are within the touch distance.
    is_used: LaneMask,
    is_active: LaneMask,
    is_close: LaneMask,
    /// The lanes in which one body is the ground.
    on_ground: LaneMask,
    depth: Numbers,
}

impl BallContacts {
    /// The constraints of a group, and their data that a sweep does not read.
    pub fn pack(group: &EntryGroup, on_planes: bool, color: u32) -> (Self, BallPairs) {
        let contacts = Self {
            a: group.each(|entry| entry.slots.0),
            b: group.each(|entry| entry.slots.1),
            normal: Vectors::ZERO,
            arm_a: Numbers::ZERO,
            arm_b: Numbers::ZERO,
            closing_allowed: Numbers::ZERO,
            normal_mass: Numbers::ZERO,
            tangent_mass: Numbers::ZERO,
            friction: group.number(|entry| entry.friction),
            normal_impulse: group.number(|entry| entry.impulse.normal),
            friction_impulse: group.vector(|entry| entry.impulse.friction),
        };
        let is_used = group.is_used();
        let pairs = BallPairs {
            pair: group.each(|entry| entry.pair),
            a: group.each(|entry| entry.bodies.0),
            b: group.each(|entry| entry.bodies.1),
            on_planes,
            color,
            is_used,
            is_active: LaneMask::NONE,
            is_close: LaneMask::NONE,
            on_ground: group.marks(|entry| entry.slots.0 == 0 || entry.slots.1 == 0),
            depth: Numbers::ZERO,
        };
        (contacts, pairs)
    }
}

impl BallPairs {
    /// The pairs, for the projection stage.
    pub fn view<'a>(&'a self, contacts: &'a BallContacts) -> BallGroup<'a> {
        BallGroup {
            a: &self.a,
            b: &self.b,
            slots: (&contacts.a, &contacts.b),
            on_planes: self.on_planes,
            is_used: self.is_used,
            friction: &contacts.friction,
        }
    }

    /// The lanes whose bodies touch, or will in this substep.
    pub fn active(&self) -> impl Iterator<Item = usize> + use<> {
        self.is_active.iter()
    }

    /// Whether the bodies of a lane touch, or will in this substep.
    pub fn has_active(&self, lane: usize) -> bool {
        self.is_active.has(lane)
    }

    /// Whether any lane has a contact with the ground.
    pub fn has_ground(&self) -> bool {
        self.on_ground.any()
    }
}

impl BallContacts {
    /// The contact point of a lane, which is in the cell's constraints of number `group`.
    pub fn point(&self, pairs: &BallPairs, group: usize, lane: usize) -> ContactPoint {
        let normal = self.normal.lane(lane);
        ContactPoint {
            pair: pairs.pair[lane],
            feature: 0,
            at: LaneIndex {
                store: Store::Balls,
                group,
                lane,
            },
            a: pairs.a[lane],
            b: pairs.b[lane],
            slots: self.slots(lane),
            normal,
            arm_a: -normal * self.arm_a.lane(lane),
            depth: pairs.depth.lane(lane),
            closing_allowed: self.closing_allowed.lane(lane),
            friction: self.friction.lane(lane),
            normal_impulse: self.normal_impulse.lane(lane),
            friction_impulse: self.friction_impulse.lane(lane),
            couple: Vec3::ZERO,
        }
    }

    /// Indices of a lane's bodies among the cell's solver bodies.
    pub fn slots(&self, lane: usize) -> (u32, u32) {
        (self.a[lane], self.b[lane])
    }

    /// The impulses of a lane.
    pub fn stored_impulse(&self, pairs: &BallPairs, lane: usize) -> StoredImpulse {
        if !pairs.is_active.has(lane) {
            // Its impulses are zero.
            return StoredImpulse::INACTIVE;
        }
        StoredImpulse {
            normal: self.normal_impulse.lane(lane),
            friction: self.friction_impulse.lane(lane),
            second_share: 0.0,
            ..StoredImpulse::INACTIVE
        }
    }

    /// Takes the pair out of a lane.
    pub fn take_out(&mut self, pairs: &mut BallPairs, lane: usize) {
        (self.a[lane], self.b[lane]) = PairEntry::NONE.slots;
        self.set_impulse(lane, 0.0, Vec3::ZERO);
        pairs.pair[lane] = PairEntry::NONE.pair;
        (pairs.a[lane], pairs.b[lane]) = PairEntry::NONE.bodies;
        for mask in [
            &mut pairs.is_used,
            &mut pairs.is_active,
            &mut pairs.is_close,
            &mut pairs.on_ground,
        ] {
            mask.remove(lane);
        }
    }

    /// Sets the impulses of a lane.
    pub fn set_impulse(&mut self, lane: usize, normal: f32, friction: Vec3) {
        self.normal_impulse.0[lane] = normal;
        self.friction_impulse.set_lane(lane, friction);
    }

    /// Finds the pairs that touch or will touch, their contact points, the speeds at which their gaps may close, and the impulses
    /// to start with. Returns whether any pair is active.
    #[inline(always)]
    pub fn prepare<S: Simd, const PLANES: bool>(
        &mut self,
        simd: S,
        pairs: &mut BallPairs,
        substep: &Substep,
        poses: &[SolverPose],
        velocities: &[SolverVelocity],
    ) -> bool {
        let (h, zero) = (f32x8::splat(simd, substep.h), f32x8::splat(simd, 0.0));
        let pose = WidePose::load(simd, poses, &pairs.a, &pairs.b);
        let a = WideVelocity::load(simd, velocities, &self.a);
        let b = WideVelocity::load(simd, velocities, &self.b);

        let WidePose {
            x_ab: d,
            r_a,
            r_b,
            flight_shift,
            pulls,
            ..
        } = pose;
        let velocity = a.v - b.v;
        let (n, distance, reach);
        if PLANES {
            n = pose.plane_normals();
            distance = d.dot(n);
            reach = r_a;
        } else {
            let length = d.dot(d).sqrt();
            let is_apart = length.simd_gt(0.0);
            let inverse = only(is_apart, 1.0 / length);
            // Concentric balls have no normal of their own.
            n = Vector {
                y: is_apart.select(d.y * inverse, f32x8::splat(simd, 1.0)),
                ..d.scaled(inverse)
            };
            distance = length;
            reach = r_a + r_b;
        }
        let depth = reach - distance;
        let gap = -depth;
        let radius = pose.radius(PLANES);
        let margin = radius * substep.margin;
        let v_n = velocity.dot(n);
        let slow = pose.resting_speed(PLANES, substep);
        let approach = pose.approach(velocity, v_n);
        let is_near = gap.simd_le(margin + h * approach.min(slow));

        let mut is_active = pairs.is_used.load(simd) & is_near;
        if PLANES {
            is_active &= !leave_ground(n.dot(flight_shift), v_n, slow);
        } else {
            let was_pressed = self.normal_impulse.load(simd).simd_gt(zero);
            let pair = PassingPair {
                d,
                velocity,
                flight_shift,
                depth,
                reach,
                radius,
                margin,
                pulls,
            };
            is_active &= !pose.are_elsewhere(false, false);
            // A ball that was pressed on the other ball in the last substep slides or rolls over it.
            is_active &= was_pressed | !pose.may_pass() | !pair.balls_part_again(&a, &b, substep);
        }
        pairs.is_active = is_active.into();
        pairs.is_close = depth.simd_ge(radius * -TOUCH).into();
        pairs.depth = depth.into();

        self.normal = n.into();
        let (arm_a, arm_b) = if PLANES {
            (r_a, zero)
        } else {
            let half = depth * 0.5;
            (r_a - half, r_b - half)
        };
        (self.arm_a, self.arm_b) = (arm_a.into(), arm_b.into());
        let mut closing_allowed = gap.max(zero) / h + n.dot(flight_shift) / h;
        if !PLANES {
            let v_t = velocity.add_scaled(n, -v_n);
            closing_allowed += closing_on_a_chord(reach - depth.max(zero), v_t, h);
        }
        self.closing_allowed = closing_allowed.into();

        let linear = a.inverse_mass + b.inverse_mass;
        let angular = arm_a * arm_a * a.inverse_inertia + arm_b * arm_b * b.inverse_inertia;
        let mass = only(is_active & linear.simd_gt(0.0), 1.0 / linear);
        self.normal_mass = mass.into();
        let ease = linear + angular;
        self.tangent_mass = only(is_active & ease.simd_gt(0.0), 1.0 / ease).into();

        let normal_impulse = self.normal_impulse.load(simd);
        self.normal_impulse = substep.start_normal(normal_impulse, is_active).into();
        let friction_impulse = self.friction_impulse.load(simd);
        let angle = substep.turn_of(&a, &b);
        self.friction_impulse = substep
            .start_friction(friction_impulse, angle, n, is_active)
            .into();
        pairs.is_active.any()
    }

    /// Gives the bodies the impulses that the contacts start with.
    #[inline(always)]
    pub fn warm_start<S: Simd>(&self, simd: S, velocities: &mut [SolverVelocity]) {
        let a = WideVelocity::load(simd, velocities, &self.a);
        let b = WideVelocity::load(simd, velocities, &self.b);
        let normal = self.normal_impulse.load(simd);
        self.push(velocities, a, b, normal, self.friction_impulse.load(simd));
    }

    /// Adds the impulses to the `sums` of the bodies. Returns the lanes whose bodies touch.
    #[inline(always)]
    pub fn accumulate<S: Simd>(
        &self,
        simd: S,
        pairs: &BallPairs,
        poses: &[SolverPose],
        sums: &mut [ImpulseAccumulator],
    ) -> LaneMask {
        let n = self.normal.load(simd);
        let normal = self.normal_impulse.load(simd);
        let friction = self.friction_impulse.load(simd);
        let (zero, impulse) = (f32x8::splat(simd, 0.0), friction.add_scaled(n, normal));
        let couple = n.cross(friction);
        let mut angular_a = couple.scaled(-self.arm_a.load(simd));
        let mut angular_b = couple.scaled(-self.arm_b.load(simd));
        if pairs.on_ground.any() {
            let on_ground = pairs.on_ground.load(simd);
            let impulse = impulse.where_or(on_ground, Vector::zero(simd));
            let (shift_a, _) = load(simd, |i| poses[i].flight_shift, &pairs.a);
            let (shift_b, _) = load(simd, |i| poses[i].flight_shift, &pairs.b);
            angular_a = angular_a + shift_a.cross(impulse);
            angular_b = angular_b - shift_b.cross(impulse);
        }
        let linear = unload(impulse, zero);
        let is_pressed = normal.simd_gt(0.0);
        let presses = only(is_pressed, f32x8::splat(simd, 1.0));
        let (angular_a, angular_b) = (unload(angular_a, presses), unload(angular_b, presses));
        // A lane without an active contact has zero impulses.
        for lane in 0..LANES {
            let (a, b) = (self.a[lane] as usize, self.b[lane] as usize);
            let linear = linear[lane].as_dvec4();
            sums[a].add(linear, angular_a[lane].as_dvec4());
            sums[b].add(-linear, angular_b[lane].as_dvec4());
        }
        let touch = is_pressed | pairs.is_close.load(simd);
        (touch & pairs.is_active.load(simd)).into()
    }

    /// First half of a sweep: the velocities at the contacts, and the friction impulse that would stop the sliding.
    #[inline(always)]
    fn slide<S: Simd>(&self, simd: S, velocities: &[SolverVelocity]) -> Slide<S> {
        let a = WideVelocity::load(simd, velocities, &self.a);
        let b = WideVelocity::load(simd, velocities, &self.b);
        let n = self.normal.load(simd);
        let centres = a.v - b.v;
        let v_n = centres.dot(n);
        let arms = (self.arm_a.load(simd), self.arm_b.load(simd));
        let turning = a.w.scaled(arms.0).add_scaled(b.w, arms.1);
        let v_t = centres.add_scaled(n, -v_n) - turning.cross(n);
        let friction_impulse = self.friction_impulse.load(simd);
        let stop = friction_impulse.add_scaled(v_t, -self.tangent_mass.load(simd));
        Slide {
            a,
            b,
            v_n,
            stop,
            stop_squared: stop.dot(stop),
        }
    }

    /// Second half: clamps the friction impulse to Coulomb's cone, then the normal impulse to zero or more.
    #[inline(always)]
    fn solve<S: Simd>(
        &mut self,
        simd: S,
        slide: Slide<S>,
        relaxation: f32,
        velocities: &mut [SolverVelocity],
    ) {
        let normal_before = self.normal_impulse.load(simd);
        let limit = self.friction.load(simd) * normal_before;
        let slides = slide.stop_squared.simd_gt(limit * limit);
        let one = f32x8::splat(simd, 1.0);
        let factor = slides.select(limit / slide.stop_squared.sqrt(), one);
        let friction_impulse = slide.stop.scaled(factor);
        let closing = slide.v_n + self.closing_allowed.load(simd);
        let push = self.normal_mass.load(simd) * closing * relaxation;
        let normal_impulse = (normal_before - push).max(0.0);

        let normal_change = normal_impulse - normal_before;
        let friction_change = friction_impulse - self.friction_impulse.load(simd);
        self.normal_impulse = normal_impulse.into();
        self.friction_impulse = friction_impulse.into();
        self.push(velocities, slide.a, slide.b, normal_change, friction_change);
    }

    /// Gives impulses to the bodies, whose velocities are `a` and `b`.
    #[inline(always)]
    fn push<S: Simd>(
        &self,
        velocities: &mut [SolverVelocity],
        mut a: WideVelocity<S>,
        mut b: WideVelocity<S>,
        normal: f32x8<S>,
        friction: Vector<S>,
    ) {
        let simd = normal.simd;
        let n = self.normal.load(simd);
        let impulse = friction.add_scaled(n, normal);
        let couple = n.cross(friction);
        a.v = a.v.add_scaled(impulse, a.inverse_mass);
        b.v = b.v.add_scaled(impulse, -b.inverse_mass);
        a.w =
            a.w.add_scaled(couple, -(self.arm_a.load(simd) * a.inverse_inertia));
        b.w =
            b.w.add_scaled(couple, -(self.arm_b.load(simd) * b.inverse_inertia));
        a.store(velocities, &self.a);
        b.store(velocities, &self.b);
    }
}

/// Number of constraints that are swept side by side.
pub(super) const SIDE_BY_SIDE: usize = 2;

/// The result of the first half of a sweep.
#[derive(Clone, Copy)]
struct Slide<S: Simd> {
    a: WideVelocity<S>,
    b: WideVelocity<S>,
    v_n: f32x8<S>,
    stop: Vector<S>,
    stop_squared: f32x8<S>,
}

/// Sweeps up to [`SIDE_BY_SIDE`] constraints, which share no moving body. The normal impulses change by `relaxation` times the
/// change that satisfies each contact alone.
///
/// The first half runs for all constraints before the second half begins. The sweep of a constraint is a chain of dependent
/// operations, too long for the processor to look past its end. Of two half sweeps side by side, it works on both at once.
#[inline(always)]
pub(super) fn sweep<S: Simd>(
    simd: S,
    contacts: &mut [BallContacts],
    some: &[u32],
    relaxation: f32,
    velocities: &mut [SolverVelocity],
) {
    match *some {
        [one, other] => {
            let (one, other) = (one as usize, other as usize);
            let first = contacts[one].slide(simd, velocities);
            let second = contacts[other].slide(simd, velocities);
            contacts[one].solve(simd, first, relaxation, velocities);
            contacts[other].solve(simd, second, relaxation, velocities);
        }
        _ => {
            for &one in some {
                let slide = contacts[one as usize].slide(simd, velocities);
                contacts[one as usize].solve(simd, slide, relaxation, velocities);
            }
        }
    }
}

#[cfg(test)]
mod tests;

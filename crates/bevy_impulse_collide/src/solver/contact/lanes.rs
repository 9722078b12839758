//! Contacts of balls, several at a time.

use bevy::prelude::*;
use fearless_simd::{f32x8, mask32x8, prelude::*};

use super::{
    WarmStart,
    kind::TOUCH,
    motion::{Motion, Motions},
    place::{Place, Places},
    tally::Sum,
};
use crate::{
    body::IMMOVABLE,
    config::CollisionConfig,
    solver::simd::{LANES, LaneMask, Numbers, Vector, Vectors, load, only, turn_slightly, unload},
};

/// Contacts of balls with balls, or of balls with planes, no two of them with the same moving body.
///
/// Both arms of such a contact lie along its normal: r_a = −l_a·n and r_b = l_b·n. So the velocity of the contact points is
/// u = v_a − v_b − (l_a·ω_a + l_b·ω_b) × n, an impulse P changes ω by −l/I·(n × P) of either body, and K is one number
/// along the normal, 1/m_a + 1/m_b, and one across it, which adds l_a²/I_a + l_b²/I_b. Normal and friction do not act on
/// each other's part of u.
///
/// A pair keeps its lane until all pairs are found anew, and its impulses with it. A lane whose bodies are apart, or that is no
/// pair's, has no masses: it changes nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes {
    /// Where the bodies are among the motions.
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

/// Of each lane, what the sweeps do not need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seats {
    /// Index of the pair; `u32::MAX` for none.
    pub pair: [u32; LANES],
    /// Indices of the bodies. `b` is the plane, if one is.
    pub a: [u32; LANES],
    pub b: [u32; LANES],
    /// Whether the lanes are of balls on planes.
    pub on_planes: bool,
    /// Number of the colour: lanes of the same one that follow each other have no moving body in common.
    pub color: u32,
    /// Whether the lane is a pair's, whether its bodies touch or will in this substep, and whether they touch unpressed.
    is_used: LaneMask,
    is_active: LaneMask,
    is_close: LaneMask,
    /// Whether nothing moves one of the bodies.
    on_ground: LaneMask,
    depth: Numbers,
}

/// Several pairs of balls, or of balls on planes, that have lanes.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct BallGroup<'a> {
    /// Indices of the bodies. `b` is the plane, if one is.
    pub a: &'a [u32; LANES],
    pub b: &'a [u32; LANES],
    /// Where the bodies are among those of their part.
    pub places: (&'a [u32; LANES], &'a [u32; LANES]),
    pub on_planes: bool,
    /// Which lanes are pairs'.
    pub is_used: LaneMask,
}

/// A pair to be given a lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Index of the pair.
    pub pair: u32,
    /// Indices of the bodies. `b` is the plane, if one is.
    pub bodies: (u32, u32),
    /// Where the bodies are among the motions.
    pub places: (u32, u32),
    /// Coefficient of sliding friction.
    pub friction: f32,
    /// The impulses to start with.
    pub normal_impulse: f32,
    pub friction_impulse: Vec3,
    /// Part of the impulses that the second of two points gives.
    pub second_share: f32,
}

/// A normal and a friction impulse.
type Impulses = (f32, Vec3);

impl Entry {
    /// The impulses that the first and the second of two points start with.
    pub fn shares(&self) -> (Impulses, Impulses) {
        let share = |share: f32| (share * self.normal_impulse, share * self.friction_impulse);
        (share(1.0 - self.second_share), share(self.second_share))
    }
}

/// Up to [`LANES`] pairs, lane by lane.
pub(super) struct Group<'a>(pub &'a [Entry]);

impl Group<'_> {
    /// A number of each pair; `none` in a lane that is no pair's.
    pub fn each(&self, value: fn(&Entry) -> u32, none: u32) -> [u32; LANES] {
        std::array::from_fn(|lane| self.0.get(lane).map_or(none, value))
    }

    /// The same; zero in a lane that is no pair's.
    pub fn number(&self, value: fn(&Entry) -> f32) -> Numbers {
        Numbers(std::array::from_fn(|lane| {
            self.0.get(lane).map_or(0.0, value)
        }))
    }

    /// The lanes that are pairs'.
    pub fn is_used(&self) -> LaneMask {
        self.marks(|_| true)
    }

    /// A vector of each pair; zero in a lane that is no pair's.
    pub fn vector(&self, value: fn(&Entry) -> Vec3) -> Vectors {
        Vectors::from_lanes(std::array::from_fn(|lane| {
            self.0.get(lane).map_or(Vec3::ZERO, value)
        }))
    }

    /// The lanes of the pairs of which this is true.
    pub fn marks(&self, is: fn(&Entry) -> bool) -> LaneMask {
        LaneMask::of(std::array::from_fn(|lane| self.0.get(lane).is_some_and(is)))
    }
}

/// What a substep is like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    pub h: f32,
    pub margin: f32,
    pub slop: f32,
    pub resting_speed: f32,
    pub warm_start: WarmStart,
}

impl Terms {
    pub fn new(config: &CollisionConfig, warm_start: WarmStart, h: f32) -> Self {
        Self {
            h,
            margin: config.contact_margin,
            slop: config.overlap_slop,
            // What no jolt has stopped, a contact must.
            resting_speed: if config.stages.impulse_jolt {
                config.resting_speed
            } else {
                f32::INFINITY
            },
            warm_start,
        }
    }

    /// Angles by which pairs turn in the substep; none of what lies on the ground, and rolls over it.
    #[inline(always)]
    pub fn turn_of<S: Simd>(&self, a: &Motions<S>, b: &Motions<S>) -> Vector<S> {
        let both_free = a.inverse_mass.simd_gt(0.0) & b.inverse_mass.simd_gt(0.0);
        let half = f32x8::splat(a.inverse_mass.simd, self.h * 0.5);
        a.w.plus_all(b.w).scaled(only(both_free, half))
    }

    /// The normal impulses that contacts start with, from those that they had.
    #[inline(always)]
    pub fn start_normal<S: Simd>(&self, before: f32x8<S>, is_active: mask32x8<S>) -> f32x8<S> {
        only(is_active, before * self.warm_start.normal)
    }

    /// The same of friction, which turns with the bodies by an `angle`, and is across the normal.
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
        let across = turned.plus(normal, -turned.dot(normal));
        across.scaled(only(is_active, share))
    }
}

/// Of up to [`LANES`] pairs.
pub(super) fn pack(entries: &[Entry], on_planes: bool, color: u32) -> (Lanes, Seats) {
    let group = Group(entries);
    let lanes = Lanes {
        a: group.each(|entry| entry.places.0, 0),
        b: group.each(|entry| entry.places.1, 0),
        normal: Vectors::ZERO,
        arm_a: Numbers::ZERO,
        arm_b: Numbers::ZERO,
        closing_allowed: Numbers::ZERO,
        normal_mass: Numbers::ZERO,
        tangent_mass: Numbers::ZERO,
        friction: group.number(|entry| entry.friction),
        normal_impulse: group.number(|entry| entry.normal_impulse),
        friction_impulse: group.vector(|entry| entry.friction_impulse),
    };
    let seats = Seats {
        pair: group.each(|entry| entry.pair, u32::MAX),
        a: group.each(|entry| entry.bodies.0, 0),
        b: group.each(|entry| entry.bodies.1, 0),
        on_planes,
        color,
        is_used: group.is_used(),
        is_active: LaneMask::NONE,
        is_close: LaneMask::NONE,
        on_ground: group.marks(|entry| entry.places.0 == 0 || entry.places.1 == 0),
        depth: Numbers::ZERO,
    };
    (lanes, seats)
}

impl Seats {
    /// Whether the bodies of a lane touch or will in this substep.
    pub fn is_active(&self, lane: usize) -> bool {
        self.is_active.has(lane)
    }

    /// The lanes whose bodies touch or will in this substep.
    pub fn active(&self) -> impl Iterator<Item = usize> + use<> {
        self.is_active.iter()
    }

    /// Overlap in m at the start of the substep.
    pub fn depth(&self, lane: usize) -> f32 {
        self.depth.lane(lane)
    }
}

impl Lanes {
    /// Which balls these are.
    pub fn balls<'a>(&'a self, seats: &'a Seats) -> BallGroup<'a> {
        BallGroup {
            a: &seats.a,
            b: &seats.b,
            places: (&self.a, &self.b),
            on_planes: seats.on_planes,
            is_used: seats.is_used,
        }
    }

    /// Whether the bodies of a lane touch.
    pub fn is_touching(&self, seats: &Seats, lane: usize) -> bool {
        self.normal_impulse(lane) > 0.0 || seats.is_close.has(lane)
    }

    /// Unit vector from b to a.
    pub fn normal(&self, lane: usize) -> Vec3 {
        self.normal.lane(lane)
    }

    /// Normal impulse of a lane.
    pub fn normal_impulse(&self, lane: usize) -> f32 {
        self.normal_impulse.lane(lane)
    }

    /// Friction impulse of a lane.
    pub fn friction_impulse(&self, lane: usize) -> Vec3 {
        self.friction_impulse.lane(lane)
    }

    /// Normal and friction impulse of a lane, on a.
    pub fn impulse(&self, lane: usize) -> Vec3 {
        self.normal(lane) * self.normal_impulse(lane) + self.friction_impulse(lane)
    }

    /// Speed at which the gap may close.
    pub fn closing_allowed(&self, lane: usize) -> f32 {
        self.closing_allowed.lane(lane)
    }

    /// Distance of the contact point from a's centre.
    pub fn arm_a(&self, lane: usize) -> f32 {
        self.arm_a.lane(lane)
    }

    /// Brings the contacts up to date: which of the pairs touch or will, where, how fast their gaps may close, and with what
    /// impulses they start. Whether any is active.
    ///
    /// Friction turns with the bodies: in a heap that turns as one it then is right from the start, and it does not creep.
    #[inline(always)]
    pub fn refresh<S: Simd, const PLANES: bool>(
        &mut self,
        simd: S,
        seats: &mut Seats,
        terms: &Terms,
        places: &[Place],
        motions: &[Motion],
    ) -> bool {
        let (h, zero) = (f32x8::splat(simd, terms.h), f32x8::splat(simd, 0.0));
        let places = Places::load(simd, places, &seats.a, &seats.b);
        let a = Motions::load(simd, motions, &self.a);
        let b = Motions::load(simd, motions, &self.b);

        let Places {
            x_ab: d,
            r_a,
            r_b,
            launch,
            pulls,
            ..
        } = places;
        let velocity = a.v.minus(b.v);
        let (n, distance, reach);
        if PLANES {
            n = places.plane_normals();
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
        let radius = places.radius(PLANES);
        let margin = radius * terms.margin;
        let v_n = velocity.dot(n);
        let slow = places.resting_speed(PLANES, terms);
        let approach = (-v_n).max(zero);
        let is_near = gap.simd_le(margin + h * approach.min(slow));

        let mut is_active = seats.is_used.load(simd) & is_near;
        if !PLANES {
            // A ball that passes another and is clear of it at the end of the substep: the jolt stage has seen to what they had to
            // do with each other. The flat contact of a glancing pass would only take energy. A ball that rests on what is held
            // does not pass it: the field has given it a velocity that contacts will take. Nor does a ball that was pressed on the
            // other one a substep ago: it slides or rolls over it.
            let immovable = f32x8::splat(simd, IMMOVABLE);
            let is_held = a.inverse_mass.min(b.inverse_mass).simd_le(immovable);
            let kick = only(is_held, pulls * h);
            let least_path = margin + kick * h;
            let path_squared = velocity.dot(velocity) * h * h;
            let end = d.plus_all(launch).plus(velocity, h);
            let parts_again = depth.simd_le(radius * terms.slop)
                & path_squared.simd_gt(least_path * least_path)
                & end.dot(end).simd_ge(reach * reach);
            let was_pressed = self.normal_impulse.load(simd).simd_gt(zero);
            is_active &= was_pressed | !parts_again;
        }
        seats.is_active = is_active.into();
        seats.is_close = depth.simd_ge(radius * -TOUCH).into();
        seats.depth = depth.into();

        self.normal = n.into();
        let (arm_a, arm_b) = if PLANES {
            (r_a, zero)
        } else {
            let half = depth * 0.5;
            (r_a - half, r_b - half)
        };
        (self.arm_a, self.arm_b) = (arm_a.into(), arm_b.into());
        let mut closing_allowed = gap.max(zero) / h + n.dot(launch) / h;
        if !PLANES {
            let v_t = velocity.plus(n, -v_n);
            closing_allowed += round_off_the_path(reach - depth.max(zero), v_t, h);
        }
        self.closing_allowed = closing_allowed.into();

        let linear = a.inverse_mass + b.inverse_mass;
        let angular = arm_a * arm_a * a.inverse_inertia + arm_b * arm_b * b.inverse_inertia;
        let mass = only(is_active & linear.simd_gt(0.0), 1.0 / linear);
        self.normal_mass = mass.into();
        let ease = linear + angular;
        self.tangent_mass = only(is_active & ease.simd_gt(0.0), 1.0 / ease).into();

        let normal_impulse = self.normal_impulse.load(simd);
        self.normal_impulse = terms.start_normal(normal_impulse, is_active).into();
        let friction_impulse = self.friction_impulse.load(simd);
        let angle = terms.turn_of(&a, &b);
        self.friction_impulse = terms
            .start_friction(friction_impulse, angle, n, is_active)
            .into();
        seats.is_active.any()
    }

    /// Gives the impulses found so far.
    #[inline(always)]
    pub fn push_all<S: Simd>(&self, simd: S, motions: &mut [Motion]) {
        let a = Motions::load(simd, motions, &self.a);
        let b = Motions::load(simd, motions, &self.b);
        let normal = self.normal_impulse.load(simd);
        self.push(motions, a, b, normal, self.friction_impulse.load(simd));
    }

    /// Adds the impulses found to the `sums` of the bodies. The lanes whose bodies touch.
    #[inline(always)]
    pub fn sum<S: Simd>(
        &self,
        simd: S,
        seats: &Seats,
        places: &[Place],
        sums: &mut [Sum],
    ) -> LaneMask {
        let n = self.normal.load(simd);
        let normal = self.normal_impulse.load(simd);
        let friction = self.friction_impulse.load(simd);
        let (zero, impulse) = (f32x8::splat(simd, 0.0), friction.plus(n, normal));
        let couple = n.cross(friction);
        let mut angular_a = couple.scaled(-self.arm_a.load(simd));
        let mut angular_b = couple.scaled(-self.arm_b.load(simd));
        if seats.on_ground.any() {
            let on_ground = seats.on_ground.load(simd);
            let impulse = impulse.where_or(on_ground, Vector::zero(simd));
            let (launch_a, _) = load(simd, |i| places[i].launch, &seats.a);
            let (launch_b, _) = load(simd, |i| places[i].launch, &seats.b);
            angular_a = angular_a.plus_all(launch_a.cross(impulse));
            angular_b = angular_b.minus(launch_b.cross(impulse));
        }
        let linear = unload(impulse, zero);
        let (angular_a, angular_b) = (unload(angular_a, zero), unload(angular_b, zero));
        // What is no pair's, or apart, has impulses of nothing.
        for lane in 0..LANES {
            let (a, b) = (self.a[lane] as usize, self.b[lane] as usize);
            let linear = linear[lane].as_dvec4();
            sums[a].add(linear, angular_a[lane].as_dvec4());
            sums[b].add(-linear, angular_b[lane].as_dvec4());
        }
        let is_pressed = normal.simd_gt(0.0);
        let touch = is_pressed | seats.is_close.load(simd);
        (touch & seats.is_active.load(simd)).into()
    }

    /// First half of a sweep: how the contacts move, and what friction would stop them.
    #[inline(always)]
    fn slide<S: Simd>(&self, simd: S, motions: &[Motion]) -> Slide<S> {
        let a = Motions::load(simd, motions, &self.a);
        let b = Motions::load(simd, motions, &self.b);
        let n = self.normal.load(simd);
        let centres = a.v.minus(b.v);
        let v_n = centres.dot(n);
        let arms = (self.arm_a.load(simd), self.arm_b.load(simd));
        let turning = a.w.scaled(arms.0).plus(b.w, arms.1);
        let v_t = centres.plus(n, -v_n).minus(turning.cross(n));
        let friction_impulse = self.friction_impulse.load(simd);
        let stop = friction_impulse.plus(v_t, -self.tangent_mass.load(simd));
        Slide {
            a,
            b,
            v_n,
            stop,
            stop_squared: stop.dot(stop),
        }
    }

    /// Second half: brings the contacts closer to what they must hold, friction and what keeps the bodies apart.
    #[inline(always)]
    fn solve<S: Simd>(
        &mut self,
        simd: S,
        slide: Slide<S>,
        relaxation: f32,
        motions: &mut [Motion],
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
        let friction_change = friction_impulse.minus(self.friction_impulse.load(simd));
        self.normal_impulse = normal_impulse.into();
        self.friction_impulse = friction_impulse.into();
        self.push(motions, slide.a, slide.b, normal_change, friction_change);
    }

    /// Gives impulses to the bodies, whose motions are `a` and `b`.
    #[inline(always)]
    fn push<S: Simd>(
        &self,
        motions: &mut [Motion],
        mut a: Motions<S>,
        mut b: Motions<S>,
        normal: f32x8<S>,
        friction: Vector<S>,
    ) {
        let simd = normal.simd;
        let n = self.normal.load(simd);
        let impulse = friction.plus(n, normal);
        let couple = n.cross(friction);
        a.v = a.v.plus(impulse, a.inverse_mass);
        b.v = b.v.plus(impulse, -b.inverse_mass);
        a.w =
            a.w.plus(couple, -(self.arm_a.load(simd) * a.inverse_inertia));
        b.w =
            b.w.plus(couple, -(self.arm_b.load(simd) * b.inverse_inertia));
        a.store(motions, &self.a);
        b.store(motions, &self.b);
    }
}

/// Lanes that are swept side by side.
pub(super) const SIDE_BY_SIDE: usize = 2;

/// How contacts move, and what friction would stop them.
#[derive(Clone, Copy)]
struct Slide<S: Simd> {
    a: Motions<S>,
    b: Motions<S>,
    v_n: f32x8<S>,
    stop: Vector<S>,
    stop_squared: f32x8<S>,
}

/// Sweeps up to [`SIDE_BY_SIDE`] of the lanes, no two of them with the same moving body. The normal impulses change by
/// `relaxation` times what would just do.
///
/// In halves, each of them for all before the next: a sweep is one long chain of operations that wait for each other, and the
/// processor looks ahead no further than one; of halves, it has two under way.
#[inline(always)]
pub(super) fn sweep<S: Simd>(
    simd: S,
    lanes: &mut [Lanes],
    some: &[u32],
    relaxation: f32,
    motions: &mut [Motion],
) {
    match *some {
        [one, other] => {
            let (one, other) = (one as usize, other as usize);
            let first = lanes[one].slide(simd, motions);
            let second = lanes[other].slide(simd, motions);
            lanes[one].solve(simd, first, relaxation, motions);
            lanes[other].solve(simd, second, relaxation, motions);
        }
        _ => {
            for &one in some {
                let slide = lanes[one as usize].slide(simd, motions);
                lanes[one as usize].solve(simd, slide, relaxation, motions);
            }
        }
    }
}

/// Speed at which two round surfaces that slide past each other may close at first, as a straight path over the substep
/// opens them up again: (d − √(d² − (v_t·h)²))/h, with d the distance at which they end. Without it every turning heap would
/// swell.
#[inline(always)]
fn round_off_the_path<S: Simd>(d: f32x8<S>, v_t: Vector<S>, h: f32x8<S>) -> f32x8<S> {
    // Past half the distance in a step the path is no longer a slide.
    let most = d * 0.5;
    let slide_squared = (v_t.dot(v_t) * h * h).min(most * most);
    // The difference of the squares over the sum: it keeps its digits for a short slide. What overlaps has not parted by d
    // alone: it may go on overlapping, and to part it is the projection's task. Balls with one centre have no distance at all.
    let sum = d + (d * d - slide_squared).sqrt();
    slide_squared / sum.max(f32::MIN_POSITIVE) / h
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Level, dispatch};
    use proptest::prelude::*;

    use super::super::general::{General, Single};
    use super::super::row::Row;
    use super::*;
    use crate::{body::Bodies, collision::manifold, kernel::InverseInertia, shape::Shape};

    fn bodies(balls: [(Vec3, Vec3, f32, f32); 2]) -> Bodies {
        let mut bodies = Bodies::default();
        bodies.resize(2);
        for (i, (v, w, radius, mass)) in balls.into_iter().enumerate() {
            bodies.position[i] = Vec3::new(0.6, 0.7, -0.2) * i as f32;
            bodies.launch_position[i] = bodies.position[i];
            bodies.shape[i] = Shape::Particle { radius };
            bodies.velocity[i] = v;
            bodies.angular_velocity[i] = w;
            bodies.inverse_mass[i] = mass.recip();
            bodies.inverse_inertia[i] = InverseInertia::sphere(mass, radius);
        }
        bodies
    }

    fn vector() -> impl Strategy<Value = Vec3> {
        let axis = || -2.0..2.0f32;
        (axis(), axis(), axis()).prop_map(Vec3::from)
    }

    proptest! {
        /// Free bodies feel an impulse as seen from where they launch; one on the ground, as seen from where it is.
        #[test]
        fn sums_are_those_of_impulses_at_the_contact_point(
            (x_b, launch_a, launch_b) in (vector(), vector(), vector()),
            (normal_impulse, friction_impulse) in (0.0..3.0f32, vector()),
            on_ground in any::<bool>(),
        ) {
            prop_assume!(x_b.length() > 0.1);
            let mut bodies = bodies([(Vec3::ZERO, Vec3::ZERO, 0.6, 1.0); 2]);
            bodies.position[1] = bodies.position[0] + x_b.normalize() * 1.19;
            let launches = [launch_a, launch_b].map(|launch| launch * 0.01);
            for (i, launch) in launches.into_iter().enumerate() {
                bodies.launch_position[i] = bodies.position[i] + launch;
            }
            let entry = Entry {
                pair: 0,
                bodies: (0, 1),
                places: (1, if on_ground { 0 } else { 2 }),
                friction: 1.0,
                normal_impulse,
                friction_impulse,
                second_share: 0.0,
            };
            let (mut lanes, mut seats) = pack(&[entry], false, 0);
            let config = CollisionConfig::default();
            let terms = Terms::new(&config, WarmStart::new(&config, 1.0, 1.0), 1.0);
            let places = [Place::of(&bodies, 0, false), Place::of(&bodies, 1, false)];
            let motions = [Motion::GROUND, Motion::of(&bodies, 0), Motion::of(&bodies, 1)];
            let mut sums = [Sum::default(); 3];
            let touching = dispatch!(Level::new(), simd => {
                lanes.refresh::<_, false>(simd, &mut seats, &terms, &places, &motions);
                lanes.sum(simd, &seats, &places, &mut sums)
            });
            prop_assert!(touching.has(0));

            let impulse = lanes.impulse(0);
            let point = manifold(&bodies.placed(0), &bodies.placed(1))[0].point;
            for (i, sign) in [(0, 1.0), (1, -1.0)].into_iter().take(2 - usize::from(on_ground)) {
                let from = bodies.position[i] + if on_ground { Vec3::ZERO } else { launches[i] };
                let (linear, angular) = sums[i + 1].about(launches[i]);
                prop_assert!(linear.as_vec3().abs_diff_eq(sign * impulse, 1e-6));
                let expected = (point - from).cross(sign * impulse);
                prop_assert!(angular.as_vec3().abs_diff_eq(expected, 1e-5), "{angular} {expected}");
            }
        }

        #[test]
        fn many_at_once_do_as_one_at_a_time(
            (v_a, w_a, v_b, w_b) in (vector(), vector(), vector(), vector()),
            (r_a, r_b) in (0.5..0.8f32, 0.5..0.8f32),
            (m_a, m_b) in (0.2..5.0f32, 0.2..5.0f32),
            friction in 0.0..1.0f32,
        ) {
            let bodies = bodies([(v_a, w_a, r_a, m_a), (v_b, w_b, r_b, m_b)]);
            let motions = [Motion::GROUND, Motion::of(&bodies, 0), Motion::of(&bodies, 1)];

            let mut by_lanes = motions;
            let entry = Entry {
                pair: 0,
                bodies: (0, 1),
                places: (1, 2),
                friction,
                normal_impulse: 0.0,
                friction_impulse: Vec3::ZERO,
                second_share: 0.0,
            };
            let (mut lanes, mut seats) = pack(&[entry], false, 0);
            let config = CollisionConfig::default();
            let terms = Terms::new(&config, WarmStart::new(&config, 1e-3, 1e-3), 1e-3);
            let places = [Place::of(&bodies, 0, false), Place::of(&bodies, 1, false)];
            let is_active = dispatch!(Level::new(), simd => {
                lanes.refresh::<_, false>(simd, &mut seats, &terms, &places, &motions)
            });
            prop_assert!(is_active);

            let point = manifold(&bodies.placed(0), &bodies.placed(1))[0];
            let row = Row {
                a: 0,
                b: 1,
                feature: 0,
                point,
                closing_allowed: lanes.closing_allowed(0),
                is_passing: false,
                friction,
                normal_impulse: 0.0,
                friction_impulse: Vec3::ZERO,
            };
            let mut one_by_one = motions;
            let general = General::new(&bodies, 0, 1, &point, (0.0, 0.0));
            let mut single = Single::new(0, row, general, (1, 2));
            for _ in 0..4 {
                let lanes = std::slice::from_mut(&mut lanes);
                dispatch!(Level::new(), simd => sweep(simd, lanes, &[0], 1.0, &mut by_lanes));
                single.sweep(&mut one_by_one);
            }
            for (lane, one) in by_lanes.iter().zip(&one_by_one) {
                prop_assert!(lane.velocity().abs_diff_eq(one.velocity(), 1e-4));
                prop_assert!(lane.angular_velocity().abs_diff_eq(one.angular_velocity(), 1e-3));
            }
            prop_assert!((lanes.normal_impulse(0) - single.row.normal_impulse).abs() < 1e-4);
            let friction_impulse = lanes.friction_impulse(0);
            prop_assert!(friction_impulse.abs_diff_eq(single.row.friction_impulse, 1e-4));
            prop_assert!(friction_impulse.length() <= friction * lanes.normal_impulse(0) + 1e-5);
        }
    }
}

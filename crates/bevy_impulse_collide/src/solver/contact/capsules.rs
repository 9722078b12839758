//! Contacts of capsules with capsules, balls and planes, several pairs at a time.

use bevy::prelude::*;
use fearless_simd::{Level, dispatch, f32x8, mask32x8, prelude::*};

use super::{
    lanes::{Entry, Group, Terms},
    motion::{Motion, Motions},
    place::{Place, Places},
    segments::{Segments, Spot},
};
use crate::solver::simd::{
    LANES, LaneMask, Numbers, Symmetric, Symmetrics, Vector, Vectors, load, only,
};

/// Pairs of which one is a capsule, in groups of [`LANES`], no two pairs of a group with the same moving body. A pair touches
/// at one point or at two, which are solved together; while no pair of a group touches at two, its second points cost nothing.
///
/// A pair keeps its lane until all pairs are found anew, and its impulses with it. A lane whose bodies are apart, or that is no
/// pair's, has no masses: it changes nothing.
#[derive(Debug, Default)]
pub(super) struct Capsules {
    seats: Vec<Seats>,
    /// Of each group: the first points, and the second ones.
    points: [Vec<Points>; 2],
    /// The groups with contacts that are active, and whether second points are.
    active: Vec<(u32, bool)>,
}

/// Of each lane, what the sweeps do not need.
#[derive(Clone, Copy, Debug)]
struct Seats {
    /// Index of the pair; `u32::MAX` for none.
    pair: [u32; LANES],
    /// Indices of the bodies. `b` is the plane, if one is.
    a: [u32; LANES],
    b: [u32; LANES],
    /// Whether the group is of capsules on planes.
    on_planes: bool,
    is_used: LaneMask,
    /// Whether the pair had two points in the last substep.
    was_double: LaneMask,
    /// Of either point: whether its surfaces touch or will in this substep.
    is_active: [LaneMask; 2],
    depth: [Numbers; 2],
}

/// A contact point of each lane.
///
/// An impulse P on a changes v by P/m and ω by I⁻¹·(r × P), and the velocity u of the contact points by K·P, with
/// K = Σ 1/m + [r]ᵀ·I⁻¹·[r]. Friction takes the tangential part of u away with the inverse of K's tangential part.
#[derive(Clone, Copy, Debug)]
struct Points {
    /// Where the bodies are among the motions.
    a: [u32; LANES],
    b: [u32; LANES],
    normal: Vectors,
    arm_a: Vectors,
    arm_b: Vectors,
    /// Axes of the bodies, and how much more easily they turn about them than across them.
    axis_a: Vectors,
    axis_b: Vectors,
    extra_a: Numbers,
    extra_b: Numbers,
    closing_allowed: Numbers,
    is_active: LaneMask,
    /// ⟨n, K·n⟩, and its inverse.
    normal_ease: Numbers,
    normal_mass: Numbers,
    /// Of a second point: how the impulse at one of the pair's points changes the normal velocity at the other.
    mutual_ease: Numbers,
    /// Inverse of K's tangential part; nothing along the normal.
    tangent_mass: Symmetrics,
    /// Tangential part of K·n: what friction does to the normal velocity.
    coupling: Vectors,
    friction: Numbers,
    normal_impulse: Numbers,
    friction_impulse: Vectors,
}

/// A contact as the sweeps have left it.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneContact {
    /// Indices of the bodies. `b` is the plane, if one is.
    pub a: u32,
    pub b: u32,
    /// Unit vector from b to a.
    pub normal: Vec3,
    /// From a's centre to the contact point.
    pub arm_a: Vec3,
    pub depth: f32,
    /// Speed at which the gap may close.
    pub closing_allowed: f32,
    pub normal_impulse: f32,
    pub friction_impulse: Vec3,
    pub is_active: bool,
}

impl LaneContact {
    /// Normal and friction impulse on a.
    pub fn impulse(&self) -> Vec3 {
        self.normal * self.normal_impulse + self.friction_impulse
    }
}

impl Capsules {
    /// Forgets all pairs.
    pub fn clear(&mut self) {
        self.seats.clear();
        self.points.iter_mut().for_each(Vec::clear);
        self.active.clear();
    }

    /// Adds a group of up to [`LANES`] pairs.
    pub fn add(&mut self, entries: &[Entry], on_planes: bool) {
        let group = Group(entries);
        // A lane that is no pair's has the ground for both its bodies.
        let points = Points {
            a: group.each(|entry| entry.places.0, 0),
            b: group.each(|entry| entry.places.1, 0),
            friction: group.number(|entry| entry.friction),
            ..Points::NONE
        };
        let [first, second] = &mut self.points;
        first.push(Points {
            normal_impulse: group.number(|entry| entry.shares().0.0),
            friction_impulse: group.vector(|entry| entry.shares().0.1),
            ..points
        });
        second.push(Points {
            normal_impulse: group.number(|entry| entry.shares().1.0),
            friction_impulse: group.vector(|entry| entry.shares().1.1),
            ..points
        });
        self.seats.push(Seats {
            pair: group.each(|entry| entry.pair, u32::MAX),
            a: group.each(|entry| entry.bodies.0, 0),
            b: group.each(|entry| entry.bodies.1, 0),
            on_planes,
            is_used: group.is_used(),
            was_double: group.marks(|entry| entry.second_share > 0.0),
            is_active: [LaneMask::NONE; 2],
            depth: [Numbers::ZERO; 2],
        });
    }

    /// Brings the contacts up to date. `motions` are those that they change.
    pub fn refresh(&mut self, terms: &Terms, places: &[Place], motions: &[Motion]) {
        let Self {
            seats,
            points: [first, second],
            active,
        } = self;
        active.clear();
        let groups = seats.iter_mut().zip(first.iter_mut().zip(second));
        for (k, (seats, (first, second))) in groups.enumerate() {
            let is_active = dispatch!(Level::new(), simd => {
                refresh(simd, seats, [first, second], terms, places, motions)
            });
            if is_active.contains(&true) {
                active.push((k as u32, is_active[1]));
            }
        }
    }

    /// Gives the impulses found so far.
    pub fn push_all(&self, motions: &mut [Motion]) {
        dispatch!(Level::new(), simd => for &(k, is_double) in &self.active {
            self.points[0][k as usize].push_all(simd, motions);
            if is_double {
                self.points[1][k as usize].push_all(simd, motions);
            }
        });
    }

    /// Brings the contacts closer to what they must hold. The normal impulses change by `relaxation` times what would just do.
    pub fn sweep(&mut self, relaxation: f32, motions: &mut [Motion]) {
        let [first, second] = &mut self.points;
        dispatch!(Level::new(), simd => for &(k, is_double) in &self.active {
            let (first, second) = (&mut first[k as usize], &mut second[k as usize]);
            if is_double {
                sweep_both(simd, first, second, relaxation, motions);
            } else {
                first.sweep(simd, relaxation, motions);
            }
        });
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.seats.len()
    }

    /// Indices of the pairs of a group; `u32::MAX` for none.
    pub fn pairs(&self, group: usize) -> [u32; LANES] {
        self.seats[group].pair
    }

    /// The groups with contacts that are active.
    pub fn active(&self) -> impl Iterator<Item = usize> {
        self.active.iter().map(|&(k, _)| k as usize)
    }

    /// The two points of a lane.
    pub fn contacts(&self, group: usize, lane: usize) -> [LaneContact; 2] {
        let seats = &self.seats[group];
        [0, 1].map(|feature| {
            let points = &self.points[feature][group];
            LaneContact {
                a: seats.a[lane],
                b: seats.b[lane],
                normal: points.normal.lane(lane),
                arm_a: points.arm_a.lane(lane),
                depth: seats.depth[feature].lane(lane),
                closing_allowed: points.closing_allowed.lane(lane),
                normal_impulse: points.normal_impulse.lane(lane),
                friction_impulse: points.friction_impulse.lane(lane),
                is_active: seats.is_active[feature].has(lane),
            }
        })
    }
}

/// Where the bodies of a group are, how they move, and what draws them.
struct Bodies<S: Simd> {
    a: Motions<S>,
    b: Motions<S>,
    axis_a: Vector<S>,
    axis_b: Vector<S>,
    extra_a: f32x8<S>,
    extra_b: f32x8<S>,
    radius: f32x8<S>,
    launch: Vector<S>,
    /// Approach speed that the jolt stage leaves to this one.
    slow: f32x8<S>,
    /// Angle by which the pair turns in the substep.
    angle: Vector<S>,
}

/// Brings the contacts of a group up to date: at which points its pairs touch or will, how fast their gaps may close, and with
/// what impulses they start. Whether any first point is active, and any second one.
#[inline(always)]
fn refresh<S: Simd>(
    simd: S,
    seats: &mut Seats,
    [first, second]: [&mut Points; 2],
    terms: &Terms,
    places: &[Place],
    motions: &[Motion],
) -> [bool; 2] {
    let on_planes = seats.on_planes;
    let placed = Places::load(simd, places, &seats.a, &seats.b);
    let (half_a, extra_a) = load(simd, |i| places[i].half, &seats.a);
    let (half_b, extra_b) = load(simd, |i| places[i].half, &seats.b);
    let segments = Segments {
        x_ab: placed.x_ab,
        half_a,
        half_b,
        r_a: placed.r_a,
        r_b: placed.r_b,
    };
    let is_used = seats.is_used.load(simd);
    let (spots, is_double) = if on_planes {
        (segments.on_plane(placed.plane_normals()), is_used)
    } else {
        let (spots, is_double) = segments.nearest(is_used);
        (spots, is_used & is_double)
    };
    let a = Motions::load(simd, motions, &first.a);
    let b = Motions::load(simd, motions, &first.b);
    let bodies = Bodies {
        axis_a: half_a.normalized_or_zero(),
        axis_b: half_b.normalized_or_zero(),
        extra_a,
        extra_b,
        radius: placed.radius(on_planes),
        launch: placed.launch,
        slow: placed.resting_speed(on_planes, terms),
        angle: terms.turn_of(&a, &b),
        a,
        b,
    };

    // What two points gave, one gives when they are one; and what it gave, they share when they are two again. On a plane it has
    // two always.
    if !on_planes {
        let was_double = seats.was_double.load(simd);
        let (joins, parts) = (was_double & !is_double, is_double & !was_double);
        let one = f32x8::splat(simd, 1.0);
        let share = only(joins, one);
        let half = only(parts, one * 0.5);
        let normal_1 = first.normal_impulse.load(simd);
        let normal_2 = second.normal_impulse.load(simd);
        let friction_1 = first.friction_impulse.load(simd);
        let friction_2 = second.friction_impulse.load(simd);
        let moved = share * normal_2 - half * normal_1;
        let friction_moved = friction_2.scaled(share).plus(friction_1, -half);
        first.normal_impulse = (normal_1 + moved).into();
        second.normal_impulse = (normal_2 - moved).into();
        first.friction_impulse = friction_1.plus_all(friction_moved).into();
        second.friction_impulse = friction_2.minus(friction_moved).into();
    }
    seats.was_double = is_double.into();

    let [spot_1, spot_2] = spots;
    let active_1 = first.refresh(simd, &spot_1, is_used, &bodies, terms);
    let active_2 = second.refresh(simd, &spot_2, is_double, &bodies, terms);
    seats.is_active = [active_1, active_2];
    seats.depth = [spot_1.depth.into(), spot_2.depth.into()];
    if active_2.any() {
        second.mutual_ease = first.ease_between(simd, second, &bodies).into();
    }
    [active_1.any(), active_2.any()]
}

/// Brings both points of each pair closer to what they must hold: friction at both, then what keeps the bodies apart at both.
/// One after the other, the first would always take more than its share, and a stack of logs turn.
#[inline(always)]
fn sweep_both<S: Simd>(
    simd: S,
    first: &mut Points,
    second: &mut Points,
    relaxation: f32,
    motions: &mut [Motion],
) {
    let mut a = Motions::load(simd, motions, &first.a);
    let mut b = Motions::load(simd, motions, &first.b);
    // With both at once, what one does of the other's work is done twice.
    let mutual = second.mutual_ease.load(simd);
    let eases = first.normal_ease.load(simd) * second.normal_ease.load(simd);
    let shared = (mutual * mutual / eases.max(f32::MIN_POSITIVE)).sqrt();
    let shared = only(mutual.simd_gt(0.0), shared.min(1.0));
    let share = 1.0 / (shared + 1.0);
    let friction_1 = first.friction(first.velocity(&a, &b), share);
    let friction_2 = second.friction(second.velocity(&a, &b), share);
    first.add_friction(friction_1);
    second.add_friction(friction_2);
    first.add(&mut a, &mut b, friction_1);
    second.add(&mut a, &mut b, friction_2);

    let [change_1, change_2] = normal_changes(first, second, relaxation, &a, &b);
    let along = (first.normal.load(simd), second.normal.load(simd));
    first.normal_impulse = (first.normal_impulse.load(simd) + change_1).into();
    second.normal_impulse = (second.normal_impulse.load(simd) + change_2).into();
    first.add(&mut a, &mut b, along.0.scaled(change_1));
    second.add(&mut a, &mut b, along.1.scaled(change_2));
    a.store(motions, &first.a);
    b.store(motions, &first.b);
}

/// What the normal impulses of two points need: of the four cases, each of them pushes or not, the one that holds
/// (E. Catto, Box2D's block solver).
#[inline(always)]
fn normal_changes<S: Simd>(
    first: &Points,
    second: &Points,
    relaxation: f32,
    a: &Motions<S>,
    b: &Motions<S>,
) -> [f32x8<S>; 2] {
    let simd = a.inverse_mass.simd;
    let (k_1, k_2) = (first.normal_ease.load(simd), second.normal_ease.load(simd));
    let k_12 = second.mutual_ease.load(simd);
    let p_1 = first.normal_impulse.load(simd);
    let p_2 = second.normal_impulse.load(simd);
    // Without any impulse.
    let v_1 = first.closing(a, b) - k_1 * p_1 - k_12 * p_2;
    let v_2 = second.closing(a, b) - k_12 * p_1 - k_2 * p_2;
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
    // If neither holds, one after the other is right: the second does nothing then, or what rounding left undecided.
    let after_1 = only(acts_1, alone_1.max(0.0));
    let after_2 = only(acts_2, (-(v_2 + k_12 * after_1) / k_2).max(0.0));
    let wanted_1 = is_both.select(both_1, only(!is_second, after_1));
    let wanted_2 = is_both.select(both_2, is_second.select(alone_2, after_2));

    let next_1 = (p_1 + (wanted_1 - p_1) * relaxation).max(0.0);
    let next_2 = (p_2 + (wanted_2 - p_2) * relaxation).max(0.0);
    [only(acts_1, next_1 - p_1), only(acts_2, next_2 - p_2)]
}

impl Points {
    const NONE: Self = Self {
        a: [0; LANES],
        b: [0; LANES],
        normal: Vectors::ZERO,
        arm_a: Vectors::ZERO,
        arm_b: Vectors::ZERO,
        axis_a: Vectors::ZERO,
        axis_b: Vectors::ZERO,
        extra_a: Numbers::ZERO,
        extra_b: Numbers::ZERO,
        closing_allowed: Numbers::ZERO,
        is_active: LaneMask::NONE,
        normal_ease: Numbers::ZERO,
        normal_mass: Numbers::ZERO,
        mutual_ease: Numbers::ZERO,
        tangent_mass: Symmetrics::ZERO,
        coupling: Vectors::ZERO,
        friction: Numbers::ZERO,
        normal_impulse: Numbers::ZERO,
        friction_impulse: Vectors::ZERO,
    };

    /// Brings the points up to date; which are active.
    #[inline(always)]
    fn refresh<S: Simd>(
        &mut self,
        simd: S,
        spot: &Spot<S>,
        is_there: mask32x8<S>,
        bodies: &Bodies<S>,
        terms: &Terms,
    ) -> LaneMask {
        let h = f32x8::splat(simd, terms.h);
        let Bodies { a, b, .. } = bodies;
        let n = spot.normal;
        self.normal = n.into();
        (self.arm_a, self.arm_b) = (spot.arm_a.into(), spot.arm_b.into());
        let gap = -spot.depth;
        let approach = (-self.velocity(a, b).dot(n)).max(0.0);
        let margin = bodies.radius * terms.margin;
        let is_active = is_there & gap.simd_le(margin + h * approach.min(bodies.slow));
        let active = LaneMask::from(is_active);
        if !active.any() {
            self.is_active = active;
            self.normal_impulse = Numbers::ZERO;
            self.friction_impulse = Vectors::ZERO;
            return active;
        }
        self.closing_allowed = (gap.max(0.0) / h + n.dot(bodies.launch) / h).into();

        (self.axis_a, self.axis_b) = (bodies.axis_a.into(), bodies.axis_b.into());
        (self.extra_a, self.extra_b) = (bodies.extra_a.into(), bodies.extra_b.into());
        let mut k = Symmetric::diagonal(a.inverse_mass + b.inverse_mass);
        k.add_lever(spot.arm_a, bodies.axis_a, a.inverse_inertia, bodies.extra_a);
        k.add_lever(spot.arm_b, bodies.axis_b, b.inverse_inertia, bodies.extra_b);
        let along = k.mul(n);
        let ease = along.dot(n);
        let some = is_active & ease.simd_gt(0.0);
        self.is_active = some.into();
        self.normal_ease = only(some, ease).into();
        self.normal_mass = only(some, 1.0 / ease).into();
        let one = f32x8::splat(simd, 1.0);
        self.coupling = along.plus(n, -ease).scaled(only(some, one)).into();
        self.tangent_mass = k.inverse_across(n, some).into();

        let normal_impulse = self.normal_impulse.load(simd);
        self.normal_impulse = terms.start_normal(normal_impulse, is_active).into();
        let friction_impulse = self.friction_impulse.load(simd);
        self.friction_impulse = terms
            .start_friction(friction_impulse, bodies.angle, n, is_active)
            .into();
        active
    }

    /// Relative velocity of the contact points.
    #[inline(always)]
    fn velocity<S: Simd>(&self, a: &Motions<S>, b: &Motions<S>) -> Vector<S> {
        let simd = a.inverse_mass.simd;
        let of_a = a.v.plus_all(a.w.cross(self.arm_a.load(simd)));
        let of_b = b.v.plus_all(b.w.cross(self.arm_b.load(simd)));
        of_a.minus(of_b)
    }

    /// How fast the surfaces part, over how fast they may close.
    #[inline(always)]
    fn closing<S: Simd>(&self, a: &Motions<S>, b: &Motions<S>) -> f32x8<S> {
        let simd = a.inverse_mass.simd;
        self.velocity(a, b).dot(self.normal.load(simd)) + self.closing_allowed.load(simd)
    }

    #[inline(always)]
    fn push_all<S: Simd>(&self, simd: S, motions: &mut [Motion]) {
        let a = Motions::load(simd, motions, &self.a);
        let b = Motions::load(simd, motions, &self.b);
        let (n, normal) = (self.normal.load(simd), self.normal_impulse.load(simd));
        let impulse = self.friction_impulse.load(simd).plus(n, normal);
        self.push(motions, a, b, impulse);
    }

    /// Friction first, then what keeps the bodies apart.
    #[inline(always)]
    fn sweep<S: Simd>(&mut self, simd: S, relaxation: f32, motions: &mut [Motion]) {
        let a = Motions::load(simd, motions, &self.a);
        let b = Motions::load(simd, motions, &self.b);
        let n = self.normal.load(simd);
        let u = self.velocity(&a, &b);

        let friction_change = self.friction(u, f32x8::splat(simd, 1.0));
        self.add_friction(friction_change);

        let v_n = u.dot(n) + self.coupling.load(simd).dot(friction_change);
        let normal_before = self.normal_impulse.load(simd);
        let closing = v_n + self.closing_allowed.load(simd);
        let push = self.normal_mass.load(simd) * closing * relaxation;
        let normal_impulse = (normal_before - push).max(0.0);
        self.normal_impulse = normal_impulse.into();
        let impulse = friction_change.plus(n, normal_impulse - normal_before);
        self.push(motions, a, b, impulse);
    }

    /// The change of friction that takes a `share` of the sliding u away, as far as Coulomb's law lets it.
    #[inline(always)]
    fn friction<S: Simd>(&self, u: Vector<S>, share: f32x8<S>) -> Vector<S> {
        let simd = share.simd;
        let before = self.friction_impulse.load(simd);
        let stop = before.plus(self.tangent_mass.load(simd).mul(u), -share);
        let limit = self.friction.load(simd) * self.normal_impulse.load(simd);
        let length_squared = stop.dot(stop);
        let slides = length_squared.simd_gt(limit * limit);
        let one = f32x8::splat(simd, 1.0);
        let factor = slides.select(limit / length_squared.sqrt(), one);
        stop.scaled(factor).minus(before)
    }

    #[inline(always)]
    fn add_friction<S: Simd>(&mut self, change: Vector<S>) {
        let before = self.friction_impulse.load(change.x.simd);
        self.friction_impulse = before.plus_all(change).into();
    }

    /// How a normal impulse at these points changes the normal velocity at the other ones of the same pairs.
    #[inline(always)]
    fn ease_between<S: Simd>(&self, simd: S, other: &Self, bodies: &Bodies<S>) -> f32x8<S> {
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
        let Bodies { a, b, .. } = bodies;
        let linear = (a.inverse_mass + b.inverse_mass) * n_1.dot(n_2);
        let of_a = turning(levers_a, bodies.axis_a, a.inverse_inertia, bodies.extra_a);
        let of_b = turning(levers_b, bodies.axis_b, b.inverse_inertia, bodies.extra_b);
        only(both, linear + of_a + of_b)
    }

    /// Gives impulses to the bodies, whose motions are `a` and `b`, and stores these.
    #[inline(always)]
    fn push<S: Simd>(
        &self,
        motions: &mut [Motion],
        mut a: Motions<S>,
        mut b: Motions<S>,
        impulse: Vector<S>,
    ) {
        self.add(&mut a, &mut b, impulse);
        a.store(motions, &self.a);
        b.store(motions, &self.b);
    }

    #[inline(always)]
    fn add<S: Simd>(&self, a: &mut Motions<S>, b: &mut Motions<S>, impulse: Vector<S>) {
        let simd = impulse.x.simd;
        let couple_a = self.arm_a.load(simd).cross(impulse);
        let couple_b = self.arm_b.load(simd).cross(impulse);
        let (axis_a, axis_b) = (self.axis_a.load(simd), self.axis_b.load(simd));
        let about_a = self.extra_a.load(simd) * axis_a.dot(couple_a);
        let about_b = self.extra_b.load(simd) * axis_b.dot(couple_b);
        let turn_a = couple_a.scaled(a.inverse_inertia).plus(axis_a, about_a);
        let turn_b = couple_b.scaled(b.inverse_inertia).plus(axis_b, about_b);
        a.v = a.v.plus(impulse, a.inverse_mass);
        b.v = b.v.plus(impulse, -b.inverse_mass);
        a.w = a.w.plus_all(turn_a);
        b.w = b.w.minus(turn_b);
    }
}

/// ⟨l₁, I⁻¹·l₂⟩ of the couples l that unit impulses at two points give a body.
#[inline(always)]
fn turning<S: Simd>(
    (one, two): (Vector<S>, Vector<S>),
    axis: Vector<S>,
    transverse: f32x8<S>,
    extra: f32x8<S>,
) -> f32x8<S> {
    transverse * one.dot(two) + extra * axis.dot(one) * axis.dot(two)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::WarmStart;
    use super::super::general::{General, Single};
    use super::super::row::Row;
    use super::*;
    use crate::{
        body::Bodies, collision::manifold, config::CollisionConfig, kernel::InverseInertia,
        shape::Shape,
    };

    fn vector() -> impl Strategy<Value = Vec3> {
        let axis = || -2.0..2.0f32;
        (axis(), axis(), axis()).prop_map(Vec3::from)
    }

    proptest! {
        #[test]
        fn many_at_once_do_as_one_at_a_time(
            motions in [(vector(), vector()), (vector(), vector())],
            axes in [vector(), vector()],
            is_along in any::<bool>(),
            masses in [0.2..5.0f32, 0.2..5.0f32],
            friction in 0.0..1.0f32,
        ) {
            let friction = if is_along { 0.0 } else { friction };
            let mut bodies = Bodies::default();
            bodies.resize(2);
            for i in 0..2 {
                let mass = masses[i];
                bodies.position[i] = Vec3::new(0.1, 0.7, -0.2) * i as f32;
                bodies.launch_position[i] = bodies.position[i];
                bodies.axis[i] = axes[i].try_normalize().unwrap_or(Vec3::Y);
                bodies.shape[i] = Shape::Capsule {
                    radius: 0.6,
                    half_length: 0.5,
                };
                (bodies.velocity[i], bodies.angular_velocity[i]) = motions[i];
                bodies.inverse_mass[i] = mass.recip();
                bodies.inverse_inertia[i] = InverseInertia::capsule(mass, 0.6, 1.0);
            }
            if is_along {
                bodies.axis = vec![Vec3::X, (Vec3::X + 0.04 * axes[1]).normalize()];
            }
            let motions = [Motion::GROUND, Motion::of(&bodies, 0), Motion::of(&bodies, 1)];
            let mut by_lanes = motions;
            let mut capsules = Capsules::default();
            let entry = Entry {
                pair: 0,
                bodies: (0, 1),
                places: (1, 2),
                friction,
                normal_impulse: 0.0,
                friction_impulse: Vec3::ZERO,
                second_share: 0.0,
            };
            capsules.add(&[entry], false);
            let config = CollisionConfig::default();
            let terms = Terms::new(&config, WarmStart::new(&config, 1e-3, 1e-3), 1e-3);
            let places = [Place::of(&bodies, 0, true), Place::of(&bodies, 1, true)];
            capsules.refresh(&terms, &places, &motions);

            let points = manifold(&bodies.placed(0), &bodies.placed(1));
            let contacts = capsules.contacts(0, 0);
            let mut singles: Vec<_> = points
                .iter()
                .zip(contacts)
                .enumerate()
                .filter(|(_, (_, contact))| contact.is_active)
                .map(|(k, (point, _))| {
                    let row = Row {
                        a: 0,
                        b: 1,
                        feature: k as u32,
                        point: *point,
                        closing_allowed: capsules.points[k][0].closing_allowed.lane(0),
                        is_passing: false,
                        friction,
                        normal_impulse: 0.0,
                        friction_impulse: Vec3::ZERO,
                    };
                    let general = General::new(&bodies, 0, 1, point, (0.0, 0.0));
                    Single::new(k as u32, row, general, (1, 2))
                })
                .collect();
            let mut one_by_one = motions;
            // Two points are solved at once here, and one after the other there: without friction they agree in the end.
            for _ in 0..if points.len() == 1 { 4 } else { 1000 } {
                capsules.sweep(1.0, &mut by_lanes);
                for single in &mut singles {
                    single.sweep(&mut one_by_one);
                }
            }
            for (lane, one) in by_lanes.iter().zip(&one_by_one) {
                prop_assert!(lane.velocity().abs_diff_eq(one.velocity(), 1e-3));
                prop_assert!(lane.angular_velocity().abs_diff_eq(one.angular_velocity(), 1e-2));
            }
            for single in &singles {
                let contact = capsules.contacts(0, 0)[single.row.feature as usize];
                prop_assert!((contact.normal_impulse - single.row.normal_impulse).abs() < 1e-3);
                let friction_impulse = contact.friction_impulse;
                prop_assert!(friction_impulse.abs_diff_eq(single.row.friction_impulse, 1e-3));
            }
        }
    }
}

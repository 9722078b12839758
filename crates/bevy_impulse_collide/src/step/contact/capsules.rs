//! Contacts of capsules with capsules, balls and planes, several pairs at a time.

use bevy::prelude::*;
use wide::f32x4;

use super::{
    lanes::{Entry, Group, Terms},
    motion::{Motion, Motions},
    place::Place,
    segments::{Segments, Spot},
};
use crate::step::vector::{LANES, Symmetric, Vector, load, turn_slightly};

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
    is_used: f32x4,
    /// Whether the pair had two points in the last substep.
    was_double: f32x4,
    /// Of either point: whether its surfaces touch or will in this substep.
    is_active: [f32x4; 2],
    depth: [f32x4; 2],
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
    normal: Vector,
    arm_a: Vector,
    arm_b: Vector,
    /// Axes of the bodies, and how much more easily they turn about them than across them.
    axis_a: Vector,
    axis_b: Vector,
    extra_a: f32x4,
    extra_b: f32x4,
    closing_allowed: f32x4,
    is_active: f32x4,
    /// ⟨n, K·n⟩, and how far a sweep goes over it: the inverse times the relaxation.
    normal_ease: f32x4,
    normal_mass: f32x4,
    /// Of a second point: how the impulse at one of the pair's points changes the normal velocity at the other.
    mutual_ease: f32x4,
    /// Inverse of K's tangential part; nothing along the normal.
    tangent_mass: Symmetric,
    /// Tangential part of K·n: what friction does to the normal velocity.
    coupling: Vector,
    friction: f32x4,
    normal_impulse: f32x4,
    friction_impulse: Vector,
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
        let friction_impulse = group.friction_impulse();
        let second = group.number(|entry| entry.second_share);
        for (points, share) in self.points.iter_mut().zip([f32x4::ONE - second, second]) {
            points.push(Points {
                // A lane that is no pair's has the ground for both its bodies.
                a: group.each(|entry| entry.places.0, 0),
                b: group.each(|entry| entry.places.1, 0),
                friction: group.number(|entry| entry.friction),
                normal_impulse: group.number(|entry| entry.normal_impulse) * share,
                friction_impulse: friction_impulse.scaled(share),
                ..Points::NONE
            });
        }
        self.seats.push(Seats {
            pair: group.each(|entry| entry.pair, u32::MAX),
            a: group.each(|entry| entry.bodies.0, 0),
            b: group.each(|entry| entry.bodies.1, 0),
            on_planes,
            is_used: group.number(|_| 1.0).simd_gt(f32x4::ZERO),
            was_double: second.simd_gt(f32x4::ZERO),
            is_active: [f32x4::ZERO; 2],
            depth: [f32x4::ZERO; 2],
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
            let is_active = refresh(seats, [first, second], terms, places, motions);
            if is_active.contains(&true) {
                active.push((k as u32, is_active[1]));
            }
        }
    }

    /// Gives the impulses found so far.
    pub fn push_all(&self, motions: &mut [Motion]) {
        for &(k, is_double) in &self.active {
            self.points[0][k as usize].push_all(motions);
            if is_double {
                self.points[1][k as usize].push_all(motions);
            }
        }
    }

    /// Brings the contacts closer to what they must hold.
    pub fn sweep(&mut self, motions: &mut [Motion]) {
        let [first, second] = &mut self.points;
        for &(k, is_double) in &self.active {
            let (first, second) = (&mut first[k as usize], &mut second[k as usize]);
            if is_double {
                sweep_both(first, second, motions);
            } else {
                first.sweep(motions);
            }
        }
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
                depth: seats.depth[feature].as_array()[lane],
                closing_allowed: points.closing_allowed.as_array()[lane],
                normal_impulse: points.normal_impulse.as_array()[lane],
                friction_impulse: points.friction_impulse.lane(lane),
                is_active: seats.is_active[feature].to_bitmask() & (1 << lane) != 0,
            }
        })
    }
}

/// Where the bodies of a group are, how they move, and what draws them.
struct Bodies {
    a: Motions,
    b: Motions,
    axis_a: Vector,
    axis_b: Vector,
    extra_a: f32x4,
    extra_b: f32x4,
    radius: f32x4,
    launch: Vector,
    /// Approach speed that the jolt stage leaves to this one.
    slow: f32x4,
    /// Angle by which the pair turns in the substep; nothing for what lies on the ground, and rolls over it.
    angle: Vector,
}

/// Brings the contacts of a group up to date: at which points its pairs touch or will, how fast their gaps may close, and with
/// what impulses they start. Whether any first point is active, and any second one.
fn refresh(
    seats: &mut Seats,
    points: [&mut Points; 2],
    terms: &Terms,
    places: &[Place],
    motions: &[Motion],
) -> [bool; 2] {
    let (h, on_planes) = (f32x4::splat(terms.h), seats.on_planes);
    let (x_a, r_a) = load(|i| places[i].position, &seats.a);
    let (x_b, r_b) = load(|i| places[i].position, &seats.b);
    let (launch_a, unresolved_a) = load(|i| places[i].launch, &seats.a);
    let (launch_b, unresolved_b) = load(|i| places[i].launch, &seats.b);
    let (field_a, _) = load(|i| places[i].field, &seats.a);
    let (field_b, _) = load(|i| places[i].field, &seats.b);
    let (half_a, extra_a) = load(|i| places[i].half, &seats.a);
    let (half_b, extra_b) = load(|i| places[i].half, &seats.b);
    let segments = Segments {
        x_ab: x_a.minus(x_b),
        half_a,
        half_b,
        r_a,
        r_b,
    };
    // A plane's normal stands where a round body's field does.
    let (spots, is_double, field) = if on_planes {
        (segments.on_plane(field_b), seats.is_used, field_a)
    } else {
        let (spots, is_double) = segments.nearest();
        (spots, seats.is_used & is_double, field_a.minus(field_b))
    };
    // Where the jolt stage has left impacts over, a fast approach is a contact too.
    let unresolved = (unresolved_a + unresolved_b).simd_gt(f32x4::ZERO);
    let (a, b) = (
        Motions::load(motions, &points[0].a),
        Motions::load(motions, &points[0].b),
    );
    let both_free = a.inverse_mass.simd_gt(f32x4::ZERO) & b.inverse_mass.simd_gt(f32x4::ZERO);
    let bodies = Bodies {
        axis_a: half_a.normalized_or_zero(),
        axis_b: half_b.normalized_or_zero(),
        extra_a,
        extra_b,
        radius: if on_planes { r_a } else { r_a.fast_min(r_b) },
        launch: launch_a.minus(launch_b),
        slow: unresolved.select(
            f32x4::splat(f32::INFINITY),
            f32x4::splat(terms.resting_speed) + field.dot(field).sqrt() * h,
        ),
        angle: a.w.plus_all(b.w).scaled(both_free & (f32x4::HALF * h)),
        a,
        b,
    };

    // What two points gave, one gives when they are one; and what it gave, they share when they are two again.
    let [first, second] = points;
    let (joins, parts) = if on_planes {
        // There it has two always.
        (f32x4::ZERO, f32x4::ZERO)
    } else {
        (seats.was_double & !is_double, is_double & !seats.was_double)
    };
    let moved = (joins & second.normal_impulse) - (parts & (f32x4::HALF * first.normal_impulse));
    let friction_moved = second.friction_impulse.scaled(joins & f32x4::ONE);
    let friction_moved = friction_moved.plus(first.friction_impulse, parts & -f32x4::HALF);
    first.normal_impulse += moved;
    second.normal_impulse -= moved;
    first.friction_impulse = first.friction_impulse.plus_all(friction_moved);
    second.friction_impulse = second.friction_impulse.minus(friction_moved);
    seats.was_double = is_double;

    let both = [(&mut *first, seats.is_used), (&mut *second, is_double)];
    let mut any = [false; 2];
    for (feature, ((points, is_there), spot)) in both.into_iter().zip(spots).enumerate() {
        let is_active = points.refresh(&spot, is_there, &bodies, terms);
        seats.is_active[feature] = is_active;
        seats.depth[feature] = spot.depth;
        any[feature] = is_active.any();
    }
    if any[1] {
        second.mutual_ease = first.ease_between(second, &bodies);
    }
    any
}

/// Brings both points of each pair closer to what they must hold: friction at both, then what keeps the bodies apart at both.
/// One after the other, the first would always take more than its share, and a stack of logs turn.
#[inline]
fn sweep_both(first: &mut Points, second: &mut Points, motions: &mut [Motion]) {
    let mut a = Motions::load(motions, &first.a);
    let mut b = Motions::load(motions, &first.b);
    // With both at once, what one does of the other's work is done twice.
    let mutual = second.mutual_ease;
    let least = f32x4::splat(f32::MIN_POSITIVE);
    let shared =
        (mutual * mutual / (first.normal_ease * second.normal_ease).fast_max(least)).sqrt();
    let shared = mutual.simd_gt(f32x4::ZERO) & shared.fast_min(f32x4::ONE);
    let share = f32x4::ONE / (f32x4::ONE + shared);
    let frictions =
        [&*first, &*second].map(|points| points.friction(points.velocity(&a, &b), share));
    for (points, change) in [&mut *first, &mut *second].into_iter().zip(frictions) {
        points.friction_impulse = points.friction_impulse.plus_all(change);
        points.add(&mut a, &mut b, change);
    }

    let changes = normal_changes(first, second, &a, &b);
    for (points, change) in [&mut *first, &mut *second].into_iter().zip(changes) {
        points.normal_impulse += change;
        points.add(&mut a, &mut b, points.normal.scaled(change));
    }
    a.store(motions, &first.a);
    b.store(motions, &first.b);
}

/// What the normal impulses of two points need: of the four cases, each of them pushes or not, the one that holds
/// (E. Catto, Box2D's block solver).
#[inline(always)]
fn normal_changes(first: &Points, second: &Points, a: &Motions, b: &Motions) -> [f32x4; 2] {
    let zero = f32x4::ZERO;
    let present =
        |points: &Points| points.velocity(a, b).dot(points.normal) + points.closing_allowed;
    let (k_1, k_2, k_12) = (first.normal_ease, second.normal_ease, second.mutual_ease);
    let (p_1, p_2) = (first.normal_impulse, second.normal_impulse);
    // Without any impulse.
    let v_1 = present(first) - k_1 * p_1 - k_12 * p_2;
    let v_2 = present(second) - k_12 * p_1 - k_2 * p_2;
    let (acts_1, acts_2) = (first.is_active, second.is_active);

    let (alone_1, alone_2) = (-v_1 / k_1, -v_2 / k_2);
    let determinant = k_1 * k_2 - k_12 * k_12;
    let both_1 = (k_12 * v_2 - k_2 * v_1) / determinant;
    let both_2 = (k_12 * v_1 - k_1 * v_2) / determinant;
    let is_both = acts_1
        & acts_2
        & determinant.simd_gt(f32x4::splat(1e-3) * k_1 * k_2)
        & both_1.simd_ge(zero)
        & both_2.simd_ge(zero);
    let is_second =
        acts_2 & alone_2.simd_ge(zero) & (!acts_1 | (v_1 + k_12 * alone_2).simd_ge(zero));
    // If neither holds, one after the other is right: the second does nothing then, or what rounding left undecided.
    let after_1 = acts_1 & alone_1.fast_max(zero);
    let after_2 = acts_2 & (-(v_2 + k_12 * after_1) / k_2).fast_max(zero);
    let wanted_1 = is_both.select(both_1, !is_second & after_1);
    let wanted_2 = is_both.select(both_2, is_second.select(alone_2, after_2));

    let over = [(first, wanted_1), (second, wanted_2)];
    over.map(|(points, wanted)| {
        let relaxation = points.normal_mass * points.normal_ease;
        let p = points.normal_impulse;
        let next = (p + relaxation * (wanted - p)).fast_max(zero);
        points.is_active & (next - p)
    })
}

impl Points {
    const NONE: Self = Self {
        a: [0; LANES],
        b: [0; LANES],
        normal: Vector::ZERO,
        arm_a: Vector::ZERO,
        arm_b: Vector::ZERO,
        axis_a: Vector::ZERO,
        axis_b: Vector::ZERO,
        extra_a: f32x4::ZERO,
        extra_b: f32x4::ZERO,
        closing_allowed: f32x4::ZERO,
        is_active: f32x4::ZERO,
        normal_ease: f32x4::ZERO,
        normal_mass: f32x4::ZERO,
        mutual_ease: f32x4::ZERO,
        tangent_mass: Symmetric::ZERO,
        coupling: Vector::ZERO,
        friction: f32x4::ZERO,
        normal_impulse: f32x4::ZERO,
        friction_impulse: Vector::ZERO,
    };

    /// Brings the points up to date; which are active.
    #[inline]
    fn refresh(&mut self, spot: &Spot, is_there: f32x4, bodies: &Bodies, terms: &Terms) -> f32x4 {
        let h = f32x4::splat(terms.h);
        let Bodies { a, b, .. } = bodies;
        let n = spot.normal;
        (self.normal, self.arm_a, self.arm_b) = (n, spot.arm_a, spot.arm_b);
        let gap = -spot.depth;
        let approach = (-self.velocity(a, b).dot(n)).fast_max(f32x4::ZERO);
        let margin = bodies.radius * f32x4::splat(terms.margin);
        let is_active = is_there & gap.simd_le(margin + h * approach.fast_min(bodies.slow));
        if !is_active.any() {
            self.is_active = is_active;
            self.normal_impulse = f32x4::ZERO;
            self.friction_impulse = Vector::ZERO;
            return is_active;
        }
        self.closing_allowed = gap.fast_max(f32x4::ZERO) / h + n.dot(bodies.launch) / h;

        (self.axis_a, self.axis_b) = (bodies.axis_a, bodies.axis_b);
        (self.extra_a, self.extra_b) = (bodies.extra_a, bodies.extra_b);
        let mut k = Symmetric::diagonal(a.inverse_mass + b.inverse_mass);
        k.add_lever(self.arm_a, self.axis_a, a.inverse_inertia, self.extra_a);
        k.add_lever(self.arm_b, self.axis_b, b.inverse_inertia, self.extra_b);
        let along = k.mul(n);
        let ease = along.dot(n);
        let some = is_active & ease.simd_gt(f32x4::ZERO);
        (self.is_active, self.normal_ease) = (some, some & ease);
        self.normal_mass = (some & (f32x4::ONE / ease)) * f32x4::splat(terms.relaxation);
        self.coupling = along.plus(n, -ease).scaled(some & f32x4::ONE);
        self.tangent_mass = k.inverse_across(n, some);

        self.normal_impulse = is_active & (self.normal_impulse * f32x4::splat(terms.normal_share));
        let turned = turn_slightly(self.friction_impulse, bodies.angle);
        let share = is_active & f32x4::splat(terms.friction_share);
        self.friction_impulse = turned.plus(n, -turned.dot(n)).scaled(share);
        is_active
    }

    /// Relative velocity of the contact points.
    #[inline(always)]
    fn velocity(&self, a: &Motions, b: &Motions) -> Vector {
        let of_a = a.v.plus_all(a.w.cross(self.arm_a));
        let of_b = b.v.plus_all(b.w.cross(self.arm_b));
        of_a.minus(of_b)
    }

    fn push_all(&self, motions: &mut [Motion]) {
        let a = Motions::load(motions, &self.a);
        let b = Motions::load(motions, &self.b);
        let impulse = self.friction_impulse;
        self.push(
            motions,
            a,
            b,
            impulse.plus(self.normal, self.normal_impulse),
        );
    }

    /// Friction first, then what keeps the bodies apart.
    #[inline]
    fn sweep(&mut self, motions: &mut [Motion]) {
        let a = Motions::load(motions, &self.a);
        let b = Motions::load(motions, &self.b);
        let n = self.normal;
        let u = self.velocity(&a, &b);

        let friction_change = self.friction(u, f32x4::ONE);
        self.friction_impulse = self.friction_impulse.plus_all(friction_change);

        let v_n = u.dot(n) + self.coupling.dot(friction_change);
        let normal_impulse = (self.normal_impulse
            - self.normal_mass * (v_n + self.closing_allowed))
            .fast_max(f32x4::ZERO);
        let normal_change = normal_impulse - self.normal_impulse;
        self.normal_impulse = normal_impulse;
        self.push(motions, a, b, friction_change.plus(n, normal_change));
    }

    /// The change of friction that takes a `share` of the sliding u away, as far as Coulomb's law lets it.
    #[inline(always)]
    fn friction(&self, u: Vector, share: f32x4) -> Vector {
        let stop = self.friction_impulse.plus(self.tangent_mass.mul(u), -share);
        let limit = self.friction * self.normal_impulse;
        let length_squared = stop.dot(stop);
        let slides = length_squared.simd_gt(limit * limit);
        let factor = slides.select(limit / length_squared.sqrt(), f32x4::ONE);
        stop.scaled(factor).minus(self.friction_impulse)
    }

    /// How a normal impulse at these points changes the normal velocity at the other ones of the same pairs.
    fn ease_between(&self, other: &Self, bodies: &Bodies) -> f32x4 {
        let both = self.is_active & other.is_active;
        let turning = |arms: [Vector; 2], axis: Vector, transverse: f32x4, extra: f32x4| {
            let (one, two) = (arms[0].cross(self.normal), arms[1].cross(other.normal));
            transverse * one.dot(two) + extra * axis.dot(one) * axis.dot(two)
        };
        let Bodies { a, b, .. } = bodies;
        let arms_a = [self.arm_a, other.arm_a];
        let arms_b = [self.arm_b, other.arm_b];
        let linear = (a.inverse_mass + b.inverse_mass) * self.normal.dot(other.normal);
        both & (linear
            + turning(arms_a, bodies.axis_a, a.inverse_inertia, bodies.extra_a)
            + turning(arms_b, bodies.axis_b, b.inverse_inertia, bodies.extra_b))
    }

    /// Gives impulses to the bodies, whose motions are `a` and `b`, and stores these.
    #[inline(always)]
    fn push(&self, motions: &mut [Motion], mut a: Motions, mut b: Motions, impulse: Vector) {
        self.add(&mut a, &mut b, impulse);
        a.store(motions, &self.a);
        b.store(motions, &self.b);
    }

    #[inline(always)]
    fn add(&self, a: &mut Motions, b: &mut Motions, impulse: Vector) {
        let turn = |arm: Vector, axis: Vector, transverse: f32x4, extra: f32x4| {
            let angular = arm.cross(impulse);
            angular
                .scaled(transverse)
                .plus(axis, extra * axis.dot(angular))
        };
        let turn_a = turn(self.arm_a, self.axis_a, a.inverse_inertia, self.extra_a);
        let turn_b = turn(self.arm_b, self.axis_b, b.inverse_inertia, self.extra_b);
        a.v = a.v.plus(impulse, a.inverse_mass);
        b.v = b.v.plus(impulse, -b.inverse_mass);
        a.w = a.w.plus_all(turn_a);
        b.w = b.w.minus(turn_b);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::general::{General, Single};
    use super::super::row::Row;
    use super::*;
    use crate::{
        bodies::{Bodies, Shape},
        config::CollisionConfig,
        find::manifold,
        kernel::InverseInertia,
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
            let config = CollisionConfig {
                contact_relaxation: 1.0,
                ..default()
            };
            let terms = Terms::new(&config, 1e-3);
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
                        closing_allowed: capsules.points[k][0].closing_allowed.as_array()[0],
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
                capsules.sweep(&mut by_lanes);
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

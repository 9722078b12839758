//! Contacts of balls, several at a time.

use bevy::prelude::*;
use wide::f32x4;

use super::{
    motion::{Motion, Motions},
    place::Place,
};
use crate::{
    config::CollisionConfig,
    step::vector::{LANES, Vector, load, turn_slightly},
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
    normal: Vector,
    arm_a: f32x4,
    arm_b: f32x4,
    closing_allowed: f32x4,
    normal_mass: f32x4,
    tangent_mass: f32x4,
    friction: f32x4,
    normal_impulse: f32x4,
    friction_impulse: Vector,
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
    /// Whether the lane is a pair's, and whether its bodies touch or will in this substep.
    is_used: f32x4,
    is_active: f32x4,
    depth: f32x4,
}

/// Several pairs of balls, or of balls on planes, that have lanes.
#[derive(Clone, Copy, Debug)]
pub(in crate::step) struct BallGroup<'a> {
    /// Indices of the bodies. `b` is the plane, if one is.
    pub a: &'a [u32; LANES],
    pub b: &'a [u32; LANES],
    /// Where the bodies are among those of their part.
    pub places: (&'a [u32; LANES], &'a [u32; LANES]),
    pub on_planes: bool,
    /// Which lanes are pairs'.
    pub is_used: f32x4,
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

/// Up to [`LANES`] pairs, lane by lane.
pub(super) struct Group<'a>(pub &'a [Entry]);

impl Group<'_> {
    /// A number of each pair; `none` in a lane that is no pair's.
    pub fn each(&self, value: fn(&Entry) -> u32, none: u32) -> [u32; LANES] {
        std::array::from_fn(|lane| self.0.get(lane).map_or(none, value))
    }

    /// The same; zero in a lane that is no pair's.
    pub fn number(&self, value: fn(&Entry) -> f32) -> f32x4 {
        f32x4::new(std::array::from_fn(|lane| {
            self.0.get(lane).map_or(0.0, value)
        }))
    }

    /// The friction impulses to start with.
    pub fn friction_impulse(&self) -> Vector {
        Vector::from_lanes(std::array::from_fn(|lane| {
            self.0
                .get(lane)
                .map_or(Vec3::ZERO, |entry| entry.friction_impulse)
        }))
    }
}

/// What a substep is like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    pub h: f32,
    pub margin: f32,
    pub slop: f32,
    pub resting_speed: f32,
    pub normal_share: f32,
    pub friction_share: f32,
    pub relaxation: f32,
}

impl Terms {
    pub fn new(config: &CollisionConfig, h: f32) -> Self {
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
            normal_share: config.warm_start,
            friction_share: config.warm_start * config.friction_warm_start,
            relaxation: config.contact_relaxation,
        }
    }
}

/// Of up to [`LANES`] pairs.
pub(super) fn pack(entries: &[Entry], on_planes: bool, color: u32) -> (Lanes, Seats) {
    let group = Group(entries);
    let lanes = Lanes {
        a: group.each(|entry| entry.places.0, 0),
        b: group.each(|entry| entry.places.1, 0),
        normal: Vector::ZERO,
        arm_a: f32x4::ZERO,
        arm_b: f32x4::ZERO,
        closing_allowed: f32x4::ZERO,
        normal_mass: f32x4::ZERO,
        tangent_mass: f32x4::ZERO,
        friction: group.number(|entry| entry.friction),
        normal_impulse: group.number(|entry| entry.normal_impulse),
        friction_impulse: group.friction_impulse(),
    };
    let seats = Seats {
        pair: group.each(|entry| entry.pair, u32::MAX),
        a: group.each(|entry| entry.bodies.0, 0),
        b: group.each(|entry| entry.bodies.1, 0),
        on_planes,
        color,
        is_used: group.number(|_| 1.0).simd_gt(f32x4::ZERO),
        is_active: f32x4::ZERO,
        depth: f32x4::ZERO,
    };
    (lanes, seats)
}

impl Seats {
    /// Whether the bodies of a lane touch or will in this substep.
    pub fn is_active(&self, lane: usize) -> bool {
        self.is_active.to_bitmask() & (1 << lane) != 0
    }

    /// Overlap in m at the start of the substep.
    pub fn depth(&self, lane: usize) -> f32 {
        self.depth.as_array()[lane]
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

    /// Where the bodies of a lane are among the motions; `None` of what nothing moves.
    pub fn places(&self, lane: usize) -> [Option<usize>; 2] {
        // The first place is the ground's.
        [self.a, self.b].map(|places| Some(places[lane] as usize).filter(|&place| place > 0))
    }

    /// Unit vector from b to a.
    pub fn normal(&self, lane: usize) -> Vec3 {
        self.normal.lane(lane)
    }

    /// Normal impulse of a lane.
    pub fn normal_impulse(&self, lane: usize) -> f32 {
        self.normal_impulse.as_array()[lane]
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
        self.closing_allowed.as_array()[lane]
    }

    /// Distance of the contact point from a's centre.
    pub fn arm_a(&self, lane: usize) -> f32 {
        self.arm_a.as_array()[lane]
    }

    /// Brings the contacts up to date: which of the pairs touch or will, where, how fast their gaps may close, and with what
    /// impulses they start. Whether any is active.
    ///
    /// Friction turns with the bodies: in a heap that turns as one it then is right from the start, and it does not creep.
    #[inline]
    pub fn refresh<const PLANES: bool>(
        &mut self,
        seats: &mut Seats,
        terms: &Terms,
        places: &[Place],
        motions: &[Motion],
    ) -> bool {
        let h = f32x4::splat(terms.h);
        let (x_a, r_a) = load(|i| places[i].position, &seats.a);
        let (x_b, r_b) = load(|i| places[i].position, &seats.b);
        let (launch_a, unresolved_a) = load(|i| places[i].launch, &seats.a);
        let (launch_b, unresolved_b) = load(|i| places[i].launch, &seats.b);
        let (field_a, _) = load(|i| places[i].field, &seats.a);
        let (field_b, _) = load(|i| places[i].field, &seats.b);
        let a = Motions::load(motions, &self.a);
        let b = Motions::load(motions, &self.b);

        let d = x_a.minus(x_b);
        let launch = launch_a.minus(launch_b);
        let velocity = a.v.minus(b.v);
        let end = d.plus(launch, f32x4::ONE).plus(velocity, h);
        let (n, distance, end_distance, reach, radius);
        if PLANES {
            // A plane's normal stands where a ball's field does.
            n = field_b;
            (distance, end_distance) = (d.dot(n), end.dot(n));
            (reach, radius) = (r_a, r_a);
        } else {
            let length = d.dot(d).sqrt();
            let is_apart = length.simd_gt(f32x4::ZERO);
            let inverse = is_apart.select(f32x4::ONE / length, f32x4::ZERO);
            // Concentric balls have no normal of their own.
            n = Vector {
                y: is_apart.select(d.y * inverse, f32x4::ONE),
                ..d.scaled(inverse)
            };
            (distance, end_distance) = (length, end.dot(end).sqrt());
            (reach, radius) = (r_a + r_b, r_a.fast_min(r_b));
        }
        let depth = reach - distance;
        let gap = -depth;
        let margin = radius * f32x4::splat(terms.margin);
        let v_n = velocity.dot(n);
        let field = if PLANES {
            field_a
        } else {
            field_a.minus(field_b)
        };
        // Where the jolt stage has left impacts over, a fast approach is a contact too.
        let unresolved = (unresolved_a + unresolved_b).simd_gt(f32x4::ZERO);
        let slow = unresolved.select(
            f32x4::splat(f32::INFINITY),
            f32x4::splat(terms.resting_speed) + field.dot(field).sqrt() * h,
        );
        let approach = (-v_n).fast_max(f32x4::ZERO);
        let is_near = gap.simd_le(margin + h * approach.fast_min(slow));

        // A body that passes another and is clear of it at the end of the substep: the jolt stage has seen to what they had to
        // do with each other. The flat contact of a glancing pass would only take energy.
        let path_squared = velocity.dot(velocity) * h * h;
        let parts_again = depth.simd_le(radius * f32x4::splat(terms.slop))
            & path_squared.simd_gt(margin * margin)
            & end_distance.simd_ge(reach);
        let is_active = seats.is_used & is_near & !parts_again;
        seats.is_active = is_active;
        seats.depth = depth;

        self.normal = n;
        let (arm_a, arm_b) = if PLANES {
            (r_a, f32x4::ZERO)
        } else {
            let half = f32x4::HALF * depth;
            (r_a - half, r_b - half)
        };
        (self.arm_a, self.arm_b) = (arm_a, arm_b);
        let mut closing_allowed = gap.fast_max(f32x4::ZERO) / h + n.dot(launch) / h;
        if !PLANES {
            let v_t = velocity.plus(n, -v_n);
            closing_allowed += round_off_the_path(reach - depth.fast_max(f32x4::ZERO), v_t, h);
        }
        self.closing_allowed = closing_allowed;

        let linear = a.inverse_mass + b.inverse_mass;
        let angular = arm_a * arm_a * a.inverse_inertia + arm_b * arm_b * b.inverse_inertia;
        let mass = |ease: f32x4| is_active & ease.simd_gt(f32x4::ZERO) & (f32x4::ONE / ease);
        self.normal_mass = mass(linear) * f32x4::splat(terms.relaxation);
        self.tangent_mass = mass(linear + angular);

        self.normal_impulse = is_active & (self.normal_impulse * f32x4::splat(terms.normal_share));
        // What lies on the ground rolls over it: its friction does not turn.
        let both_free = a.inverse_mass.simd_gt(f32x4::ZERO) & b.inverse_mass.simd_gt(f32x4::ZERO);
        let angle = (a.w.plus(b.w, f32x4::ONE)).scaled(both_free & (f32x4::HALF * h));
        let turned = turn_slightly(self.friction_impulse, angle);
        let share = is_active & f32x4::splat(terms.friction_share);
        self.friction_impulse = turned.plus(n, -turned.dot(n)).scaled(share);
        is_active.any()
    }

    /// Gives the impulses found so far.
    pub fn push_all(&self, motions: &mut [Motion]) {
        let a = Motions::load(motions, &self.a);
        let b = Motions::load(motions, &self.b);
        self.push(motions, a, b, self.normal_impulse, self.friction_impulse);
    }

    /// First half of a sweep: how the contacts move, and what friction would stop them.
    #[inline(always)]
    fn slide(&self, motions: &[Motion]) -> Slide {
        let a = Motions::load(motions, &self.a);
        let b = Motions::load(motions, &self.b);
        let n = self.normal;
        let centres = a.v.minus(b.v);
        let v_n = centres.dot(n);
        let turning = a.w.scaled(self.arm_a).plus(b.w, self.arm_b);
        let v_t = centres.plus(n, -v_n).minus(turning.cross(n));
        let stop = self.friction_impulse.plus(v_t, -self.tangent_mass);
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
    fn solve(&mut self, slide: &Slide, motions: &mut [Motion]) {
        let limit = self.friction * self.normal_impulse;
        let slides = slide.stop_squared.simd_gt(limit * limit);
        let factor = slides.select(limit / slide.stop_squared.sqrt(), f32x4::ONE);
        let friction_impulse = slide.stop.scaled(factor);
        let normal_impulse = (self.normal_impulse
            - self.normal_mass * (slide.v_n + self.closing_allowed))
            .fast_max(f32x4::ZERO);

        let normal_change = normal_impulse - self.normal_impulse;
        let friction_change = friction_impulse.minus(self.friction_impulse);
        self.normal_impulse = normal_impulse;
        self.friction_impulse = friction_impulse;
        self.push(motions, slide.a, slide.b, normal_change, friction_change);
    }

    /// Gives impulses to the bodies, whose motions are `a` and `b`.
    #[inline(always)]
    fn push(
        &self,
        motions: &mut [Motion],
        mut a: Motions,
        mut b: Motions,
        normal: f32x4,
        friction: Vector,
    ) {
        let impulse = friction.plus(self.normal, normal);
        let couple = self.normal.cross(friction);
        a.v = a.v.plus(impulse, a.inverse_mass);
        b.v = b.v.plus(impulse, -b.inverse_mass);
        a.w = a.w.plus(couple, -(self.arm_a * a.inverse_inertia));
        b.w = b.w.plus(couple, -(self.arm_b * b.inverse_inertia));
        a.store(motions, &self.a);
        b.store(motions, &self.b);
    }
}

/// Lanes that are swept side by side.
pub(super) const SIDE_BY_SIDE: usize = 4;

/// How contacts move, and what friction would stop them.
#[derive(Clone, Copy)]
pub(super) struct Slide {
    a: Motions,
    b: Motions,
    v_n: f32x4,
    stop: Vector,
    stop_squared: f32x4,
}

impl Slide {
    pub const NONE: Self = Self {
        a: Motions::NONE,
        b: Motions::NONE,
        v_n: f32x4::ZERO,
        stop: Vector::ZERO,
        stop_squared: f32x4::ZERO,
    };
}

/// Sweeps a few of the lanes, no two of them with the same moving body.
///
/// In halves, each of them for all before the next: a sweep is one long chain of operations that wait for each other, and the
/// processor looks ahead no further than one; of halves, it has several under way.
#[inline(always)]
pub(super) fn sweep(
    lanes: &mut [Lanes],
    some: &[u32],
    motions: &mut [Motion],
    slides: &mut [Slide; SIDE_BY_SIDE],
) {
    for (slide, &k) in slides.iter_mut().zip(some) {
        *slide = lanes[k as usize].slide(motions);
    }
    for (slide, &k) in slides.iter().zip(some) {
        lanes[k as usize].solve(slide, motions);
    }
}

/// Speed at which two round surfaces that slide past each other may close at first, as a straight path over the substep
/// opens them up again: (d − √(d² − (v_t·h)²))/h, with d the distance at which they end. Without it every turning heap would
/// swell.
#[inline(always)]
fn round_off_the_path(d: f32x4, v_t: Vector, h: f32x4) -> f32x4 {
    // Past half the distance in a step the path is no longer a slide.
    let most = f32x4::HALF * d;
    let slide_squared = (v_t.dot(v_t) * h * h).fast_min(most * most);
    // The difference of the squares over the sum: it keeps its digits for a short slide. What overlaps has not parted by d
    // alone: it may go on overlapping, and to part it is the projection's task.
    slide_squared / (d + (d * d - slide_squared).sqrt()) / h
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::general::{General, Single};
    use super::super::row::Row;
    use super::*;
    use crate::{
        bodies::{Bodies, Shape},
        find::manifold,
        kernel::InverseInertia,
    };

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
            let config = CollisionConfig {
                contact_relaxation: 1.0,
                ..default()
            };
            let terms = Terms::new(&config, 1e-3);
            let places = [Place::of(&bodies, 0, false), Place::of(&bodies, 1, false)];
            prop_assert!(lanes.refresh::<false>(&mut seats, &terms, &places, &motions));

            let point = manifold(&bodies.placed(0), &bodies.placed(1))[0];
            let row = Row {
                a: 0,
                b: 1,
                feature: 0,
                point,
                closing_allowed: lanes.closing_allowed.as_array()[0],
                friction,
                normal_impulse: 0.0,
                friction_impulse: Vec3::ZERO,
            };
            let mut one_by_one = motions;
            let general = General::new(&bodies, 0, 1, &point, (0.0, 0.0));
            let mut single = Single::new(0, row, general, (1, 2));
            for _ in 0..4 {
                let lanes = std::slice::from_mut(&mut lanes);
                sweep(lanes, &[0], &mut by_lanes, &mut [Slide::NONE; SIDE_BY_SIDE]);
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

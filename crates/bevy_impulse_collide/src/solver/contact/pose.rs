//! The solver's record of a body, second half: its pose, and the fields that act on it. A solve only reads it. A part has the place
//! and the inertia of its compound, and a core of its own that lies aside.

use fearless_simd::{f32x8, mask32x8, prelude::*};
use glam::{DVec3, Vec3, Vec4};

use super::{kick::field_kick, substep::Substep};
use crate::{
    body::{Bodies, Growing},
    shape::Shape,
    solver::{
        impact::Unresolved,
        simd::{LANES, LaneMask, Symmetric, Vector, load, turn_slightly},
    },
};

/// Four vectors with a number beside each, in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct SolverPose {
    /// Position of the centre of mass, and the radius.
    pub position: Vec4,
    /// Start of its flight, relative to its position; beside it a mark: [`TO_CONTACTS`], [`PAUSED`], [`JOINED`], [`TURNED`] or zero.
    pub flight_shift: Vec4,
    /// Acceleration of its flight, and the magnitude of the fields' acceleration; for a plane, its normal.
    pub field: Vec4,
    /// From the centre of a capsule to the centre of a half-ball.
    pub half: Vec4,
}

/// Marks of bodies with unresolved impacts: [`Unresolved::ToContacts`], [`Unresolved::Paused`] and [`Unresolved::Joined`].
const TO_CONTACTS: f32 = 1.0;
const PAUSED: f32 = 2.0;
const JOINED: f32 = 4.0;
/// Mark of a capsule whose flight after an impact starts with another axis than it has now.
const TURNED: f32 = 3.0;

impl SolverPose {
    pub const NONE: Self = Self {
        position: Vec4::ZERO,
        flight_shift: Vec4::ZERO,
        field: Vec4::ZERO,
        half: Vec4::ZERO,
    };

    /// Whether the body is a plane or a collider: it has no radius.
    pub fn is_ground(&self) -> bool {
        self.position.w == 0.0
    }

    /// Whether impacts of the body are unresolved.
    pub fn is_unresolved(&self) -> bool {
        [TO_CONTACTS, PAUSED, JOINED].contains(&self.flight_shift.w)
    }

    pub fn position(&self) -> DVec3 {
        self.position.truncate().as_dvec3()
    }

    /// The start of the flight, relative to the position.
    pub fn flight_shift(&self) -> DVec3 {
        self.flight_shift.truncate().as_dvec3()
    }

    pub fn of(bodies: &Bodies, i: usize, unresolved: Unresolved) -> Self {
        let whole = bodies.whole_of(i);
        let x = bodies.position[whole].as_vec3();
        let field = match bodies.shape[i] {
            Shape::Plane => bodies.axis[i].extend(0.0),
            _ => {
                let by_fields = bodies.acceleration[i].length() as f32;
                bodies.flight_acceleration(i).extend(by_fields)
            }
        };
        let mark = match unresolved {
            Unresolved::Nothing if is_turned(bodies, i) => TURNED,
            Unresolved::Nothing => 0.0,
            Unresolved::ToContacts => TO_CONTACTS,
            Unresolved::Joined => JOINED,
            Unresolved::Paused => PAUSED,
        };
        Self {
            position: x.extend(bodies.shape[i].radius()),
            flight_shift: bodies.flight_shift[whole].extend(mark),
            field,
            half: match bodies.shape[i] {
                Shape::Capsule { half_length, .. } => {
                    // A growing capsule has an axis even at zero length.
                    let half_length = match bodies.growth[i] {
                        Growing::NONE => half_length,
                        _ => half_length.max(1e-12),
                    };
                    (bodies.axis[i] * half_length).extend(0.0)
                }
                _ => Vec4::ZERO,
            },
        }
    }
}

/// Whether the ends of a capsule were elsewhere at the start of its flight, by more than its radius, than they are now.
fn is_turned(bodies: &Bodies, i: usize) -> bool {
    let (radius, half_length) = match bodies.shape[i] {
        Shape::Capsule {
            radius,
            half_length,
        } => (radius, half_length),
        Shape::Particle { radius } if bodies.is_aside(i) => (radius, 0.0),
        _ => return false,
    };
    let aside = || (bodies.flight_arm_of_part(i) - bodies.arm_of_part(i)).length();
    bodies.flight_rotation[i] != bodies.rotation[i]
        && (bodies.flight_axis(i) - bodies.axis[i]).length() * half_length + aside() > radius
}

/// Where the core of a part lies aside of its compound's centre of mass: now, and at the start of the flight. In m.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Aside {
    pub now: Vec4,
    pub flight: Vec4,
}

impl Aside {
    pub const NONE: Self = Self {
        now: Vec4::ZERO,
        flight: Vec4::ZERO,
    };

    pub fn of(bodies: &Bodies, i: usize) -> Self {
        Self {
            now: bodies.arm_of_part(i).extend(0.0),
            flight: bodies.flight_arm_of_part(i).extend(0.0),
        }
    }
}

/// How far aside the cores of several pairs lie.
#[derive(Clone, Copy)]
pub(super) struct WideAside<S: Simd> {
    pub a: Vector<S>,
    pub b: Vector<S>,
    /// The same at the start of the flights.
    flight: (Vector<S>, Vector<S>),
    /// What the turn to the start of the flights moves them, a less b.
    shift: Vector<S>,
}

impl<S: Simd> WideAside<S> {
    #[inline(always)]
    pub fn load(simd: S, asides: &[Aside], a: &[u32; LANES], b: &[u32; LANES]) -> Self {
        let of = |bodies| {
            let (now, _) = load(simd, |i| asides[i].now, bodies);
            let (flight, _) = load(simd, |i| asides[i].flight, bodies);
            (now, flight)
        };
        let ((a, flight_a), (b, flight_b)) = (of(a), of(b));
        Self {
            a,
            b,
            flight: (flight_a, flight_b),
            shift: (flight_a - a) - (flight_b - b),
        }
    }

    /// What the turns of a substep by the vectors in rad move the cores from the start of the flights on, a less b.
    #[inline(always)]
    pub fn way(&self, angle_a: Vector<S>, angle_b: Vector<S>) -> Vector<S> {
        let of = |at: Vector<S>, angle| turn_slightly(at, angle) - at;
        of(self.flight.0, angle_a) - of(self.flight.1, angle_b)
    }

    /// The pairs of which a core lies aside.
    #[inline(always)]
    pub fn any(&self) -> mask32x8<S> {
        let (a, b) = self.flight;
        (a.dot(a) + b.dot(b)).simd_gt(0.0)
    }
}

/// The solver's record of a body's inertia: I⁻¹ in world axes.
///
/// It is that of the rotation from which the body flies after the impacts of this substep, as its angular velocity is: so a contact
/// takes as much energy as the solver finds. The contact points are those of its pose.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(super) struct SolverInertia {
    /// xx, yy, zz.
    diagonal: Vec4,
    /// xy, xz, yz.
    beside: Vec4,
    /// [`SolverPose::half`] with that rotation.
    pub flight_half: Vec4,
}

impl SolverInertia {
    pub const NONE: Self = Self {
        diagonal: Vec4::ZERO,
        beside: Vec4::ZERO,
        flight_half: Vec4::ZERO,
    };

    pub fn of(bodies: &Bodies, i: usize) -> Self {
        let inertia = &bodies.inverse_inertia[i];
        if bodies.is_plain_ball(i) {
            return Self {
                diagonal: Vec3::splat(inertia.principal.x).extend(0.0),
                ..Self::NONE
            };
        }
        let [x, y, z] = inertia.matrix(bodies.flight_rotation[i]).to_cols_array_2d();
        let half = bodies.shape[i].core_half(bodies.flight_axis(i));
        Self {
            diagonal: Vec4::new(x[0], y[1], z[2], 0.0),
            beside: Vec4::new(x[1], x[2], y[2], 0.0),
            flight_half: half.extend(0.0),
        }
    }

    /// I⁻¹ of the bodies of several pairs.
    #[inline(always)]
    pub fn load<S: Simd>(simd: S, inertias: &[Self], bodies: &[u32; LANES]) -> Symmetric<S> {
        let (diagonal, _) = load(simd, |i| inertias[i].diagonal, bodies);
        let (beside, _) = load(simd, |i| inertias[i].beside, bodies);
        Symmetric {
            xx: diagonal.x,
            yy: diagonal.y,
            zz: diagonal.z,
            xy: beside.x,
            xz: beside.y,
            yz: beside.z,
        }
    }
}

/// Relative poses of several pairs.
pub(super) struct WidePose<S: Simd> {
    /// x_a − x_b, of the cores; x_b may be a point of a plane.
    pub x_ab: Vector<S>,
    pub r_a: f32x8<S>,
    pub r_b: f32x8<S>,
    /// The flight shift of a minus that of b.
    pub flight_shift: Vector<S>,
    field_a: Vector<S>,
    field_b: Vector<S>,
    /// Sum of the magnitudes of the fields' accelerations.
    pub pulls: f32x8<S>,
    is_left_to_contacts: mask32x8<S>,
    /// The pairs with a joined body that an impact has hit.
    is_joined: mask32x8<S>,
    is_turned: mask32x8<S>,
    /// The pairs with a paused body.
    pub is_paused: mask32x8<S>,
}

impl<S: Simd> WidePose<S> {
    #[inline(always)]
    pub fn load(simd: S, poses: &[SolverPose], a: &[u32; LANES], b: &[u32; LANES]) -> Self {
        let (x_a, r_a) = load(simd, |i| poses[i].position, a);
        let (x_b, r_b) = load(simd, |i| poses[i].position, b);
        let (shift_a, mark_a) = load(simd, |i| poses[i].flight_shift, a);
        let (shift_b, mark_b) = load(simd, |i| poses[i].flight_shift, b);
        let any = |mark: f32| mark_a.simd_eq(mark) | mark_b.simd_eq(mark);
        let is_paused = any(PAUSED);
        let is_joined = any(JOINED) & !is_paused;
        let (field_a, pull_a) = load(simd, |i| poses[i].field, a);
        let (field_b, pull_b) = load(simd, |i| poses[i].field, b);
        Self {
            x_ab: x_a - x_b,
            r_a,
            r_b,
            flight_shift: shift_a - shift_b,
            field_a,
            field_b,
            pulls: pull_a + pull_b,
            is_left_to_contacts: any(TO_CONTACTS) & !is_paused | is_joined,
            is_joined,
            is_paused,
            is_turned: any(TURNED),
        }
    }

    /// The poses of cores that lie aside of their bodies' centres of mass.
    #[inline(always)]
    pub fn beside(self, aside: &WideAside<S>) -> Self {
        Self {
            x_ab: self.x_ab + (aside.a - aside.b),
            flight_shift: self.flight_shift + aside.shift,
            ..self
        }
    }

    /// Normals of the planes b.
    #[inline(always)]
    pub fn plane_normals(&self) -> Vector<S> {
        self.field_b
    }

    /// The smaller radii.
    #[inline(always)]
    pub fn radius(&self, on_planes: bool) -> f32x8<S> {
        if on_planes {
            self.r_a
        } else {
            self.r_a.min(self.r_b)
        }
    }

    /// The pairs that are elsewhere during the substep than their poses say: impacts have given them other flights. Their poses
    /// are no contact. All their impacts are resolved. A contact that `is_everywhere`, such as that of a ball on a plane, has the
    /// same normal wherever the bodies are.
    #[inline(always)]
    pub fn are_elsewhere(&self, is_everywhere: bool, on_planes: bool) -> mask32x8<S> {
        if is_everywhere {
            return self.is_turned;
        }
        let radius = self.radius(on_planes);
        self.is_turned
            | self
                .flight_shift
                .dot(self.flight_shift)
                .simd_gt(radius * radius)
    }

    /// The pairs whose impacts are all resolved, and that may part again.
    #[inline(always)]
    pub fn may_pass(&self) -> mask32x8<S> {
        !(self.is_paused | self.is_joined)
    }

    /// The speed at which pairs of this relative `velocity` may approach each other, where they do at `v_n` along their normals.
    #[inline(always)]
    pub fn approach(&self, velocity: Vector<S>, v_n: f32x8<S>) -> f32x8<S> {
        let approach = (-v_n).max(0.0);
        match LaneMask::from(self.is_joined).any() {
            true => self
                .is_joined
                .select(velocity.dot(velocity).sqrt(), approach),
            false => approach,
        }
    }

    /// Approach speeds up to which contacts stop the bodies. Where the impulse jolt has left impacts to them, contacts stop any
    /// approach. For a paused body only surfaces that touch it now count.
    #[inline(always)]
    pub fn resting_speed(&self, on_planes: bool, substep: &Substep) -> f32x8<S> {
        let simd = self.r_a.simd;
        let field = if on_planes {
            self.field_a
        } else {
            self.field_a - self.field_b
        };
        let slow = field.dot(field).sqrt() * substep.h + substep.resting_speed;
        self.is_left_to_contacts
            .select(f32x8::splat(simd, f32::INFINITY), slow)
    }
}

/// The data of a body that only optional terms need: couples and growth.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct BodyExtras {
    /// Velocity that the fields have given in this substep; beside it 1/G.
    pub kick: Vec4,
    /// Angular velocity that the fields have given in this substep.
    pub angular_kick: Vec4,
}

impl BodyExtras {
    pub const NONE: Self = Self {
        kick: Vec4::ZERO,
        angular_kick: Vec4::ZERO,
    };

    pub fn of(bodies: &Bodies, i: usize) -> Self {
        let (linear, angular) = field_kick(bodies, i);
        Self {
            kick: linear.extend(bodies.growth[i].inverse_inertia),
            angular_kick: angular.extend(0.0),
        }
    }

    /// 1/G in 1/kg; zero for a body that does not grow.
    pub fn inverse_growth_inertia(&self) -> f32 {
        self.kick.w
    }
}

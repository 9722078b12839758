//! Contacts of balls, four at a time.

use bevy::prelude::*;
use wide::f32x4;

use super::{motion::Motion, row::Row};

/// Contacts in a [`Lanes`].
pub(super) const LANES: usize = 4;

/// Four contacts of balls with balls or with what nothing moves, no two of them with the same moving body.
///
/// Both arms of such a contact lie along its normal: r_a = −l_a·n and r_b = l_b·n. So the velocity of the contact points is
/// u = v_a − v_b − (l_a·ω_a + l_b·ω_b) × n, an impulse P changes ω by −l/I·(n × P) of either body, and K is one number
/// along the normal, 1/m_a + 1/m_b, and one across it, which adds l_a²/I_a + l_b²/I_b. Normal and friction do not act on
/// each other's part of u.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes {
    /// Index of the row; `u32::MAX` in a lane that is not used.
    pub row: [u32; LANES],
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

/// Four vectors.
#[derive(Clone, Copy, Debug)]
struct Vector {
    x: f32x4,
    y: f32x4,
    z: f32x4,
}

impl Vector {
    fn from_lanes(vectors: [Vec3; LANES]) -> Self {
        Self {
            x: f32x4::new(vectors.map(|v| v.x)),
            y: f32x4::new(vectors.map(|v| v.y)),
            z: f32x4::new(vectors.map(|v| v.z)),
        }
    }

    fn lane(&self, lane: usize) -> Vec3 {
        Vec3::new(
            self.x.as_array()[lane],
            self.y.as_array()[lane],
            self.z.as_array()[lane],
        )
    }

    #[inline(always)]
    fn dot(self, other: Self) -> f32x4 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    /// self + other·factor
    #[inline(always)]
    fn plus(self, other: Self, factor: f32x4) -> Self {
        Self {
            x: self.x + other.x * factor,
            y: self.y + other.y * factor,
            z: self.z + other.z * factor,
        }
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self {
            x: self.x - other.x,
            y: self.y - other.y,
            z: self.z - other.z,
        }
    }

    #[inline(always)]
    fn scaled(self, factor: f32x4) -> Self {
        Self {
            x: self.x * factor,
            y: self.y * factor,
            z: self.z * factor,
        }
    }
}

/// Four motions, by component.
struct Motions {
    v: Vector,
    inverse_mass: f32x4,
    w: Vector,
    inverse_inertia: f32x4,
}

impl Motions {
    #[inline(always)]
    fn load(motions: &[Motion], bodies: &[u32; LANES]) -> Self {
        let four = bodies.map(|i| motions[i as usize]);
        let [x, y, z, inverse_mass] = f32x4::transpose(four.map(|motion| motion.linear));
        let [wx, wy, wz, inverse_inertia] = f32x4::transpose(four.map(|motion| motion.angular));
        Self {
            v: Vector { x, y, z },
            inverse_mass,
            w: Vector {
                x: wx,
                y: wy,
                z: wz,
            },
            inverse_inertia,
        }
    }

    #[inline(always)]
    fn store(self, motions: &mut [Motion], bodies: &[u32; LANES]) {
        let Self { v, w, .. } = self;
        let linear = f32x4::transpose([v.x, v.y, v.z, self.inverse_mass]);
        let angular = f32x4::transpose([w.x, w.y, w.z, self.inverse_inertia]);
        for lane in 0..LANES {
            motions[bodies[lane] as usize] = Motion {
                linear: linear[lane],
                angular: angular[lane],
            };
        }
    }
}

/// A contact to be put in a lane: the index of its row, and where its bodies are among the motions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub row: u32,
    pub bodies: (u32, u32),
}

impl Lanes {
    /// Of up to four contacts. `radii` tells the radii of a row's bodies, zero for a plane.
    pub fn new(
        entries: &[Entry],
        rows: &[Row],
        motions: &[Motion],
        radii: impl Fn(&Row) -> (f32, f32),
    ) -> Self {
        let entry = |lane: usize| entries.get(lane);
        let row = |lane: usize| entry(lane).map(|entry| &rows[entry.row as usize]);
        // A lane that is not used has the ground for both its bodies and no normal: it changes nothing.
        let each = |value: &dyn Fn(&Row) -> f32| {
            f32x4::new(std::array::from_fn(|lane| row(lane).map_or(0.0, value)))
        };
        let bodies: [(u32, u32); LANES] =
            std::array::from_fn(|lane| entry(lane).map_or((0, 0), |entry| entry.bodies));
        let (a, b) = (bodies.map(|pair| pair.0), bodies.map(|pair| pair.1));
        let arms: [(f32, f32); LANES] = std::array::from_fn(|lane| {
            row(lane).map_or((0.0, 0.0), |row| match radii(row) {
                (0.0, r) => (0.0, r),
                (r, 0.0) => (r, 0.0),
                (r_a, r_b) => (r_a - 0.5 * row.point.depth, r_b - 0.5 * row.point.depth),
            })
        });
        let (arm_a, arm_b) = (
            f32x4::new(arms.map(|pair| pair.0)),
            f32x4::new(arms.map(|pair| pair.1)),
        );
        let (motions_a, motions_b) = (Motions::load(motions, &a), Motions::load(motions, &b));
        let linear = motions_a.inverse_mass + motions_b.inverse_mass;
        let angular =
            arm_a * arm_a * motions_a.inverse_inertia + arm_b * arm_b * motions_b.inverse_inertia;
        let mass = |ease: f32x4| {
            let used = ease.simd_gt(f32x4::ZERO);
            used & (f32x4::ONE / ease)
        };
        Self {
            row: std::array::from_fn(|lane| entry(lane).map_or(u32::MAX, |entry| entry.row)),
            a,
            b,
            normal: Vector::from_lanes(std::array::from_fn(|lane| {
                row(lane).map_or(Vec3::ZERO, |row| row.point.normal)
            })),
            arm_a,
            arm_b,
            closing_allowed: each(&|row| row.closing_allowed),
            normal_mass: mass(linear),
            tangent_mass: mass(linear + angular),
            friction: each(&|row| row.friction),
            normal_impulse: each(&|row| row.normal_impulse),
            friction_impulse: Vector::from_lanes(std::array::from_fn(|lane| {
                row(lane).map_or(Vec3::ZERO, |row| row.friction_impulse)
            })),
        }
    }

    /// Normal and friction impulse of a lane.
    pub fn impulses(&self, lane: usize) -> (f32, Vec3) {
        let normal_impulse = self.normal_impulse.as_array()[lane];
        (normal_impulse, self.friction_impulse.lane(lane))
    }

    /// Gives the impulses found so far.
    pub fn push_all(&self, motions: &mut [Motion]) {
        let a = Motions::load(motions, &self.a);
        let b = Motions::load(motions, &self.b);
        self.push(motions, a, b, self.normal_impulse, self.friction_impulse);
    }

    /// Brings the contacts closer to what they must hold: friction and what keeps the bodies apart.
    #[inline]
    pub fn sweep(&mut self, motions: &mut [Motion]) {
        let a = Motions::load(motions, &self.a);
        let b = Motions::load(motions, &self.b);
        let n = self.normal;
        let turning = a.w.scaled(self.arm_a).plus(b.w, self.arm_b);
        let u = a.v.minus(b.v).minus(turning.cross(n));
        let v_n = u.dot(n);
        let v_t = u.plus(n, -v_n);

        let stop = self.friction_impulse.plus(v_t, -self.tangent_mass);
        let limit = self.friction * self.normal_impulse;
        let length_squared = stop.dot(stop);
        let slides = length_squared.simd_gt(limit * limit);
        let factor = slides.select(limit / length_squared.sqrt(), f32x4::ONE);
        let friction_impulse = stop.scaled(factor);
        let normal_impulse = (self.normal_impulse
            - self.normal_mass * (v_n + self.closing_allowed))
            .fast_max(f32x4::ZERO);

        let normal_change = normal_impulse - self.normal_impulse;
        let friction_change = friction_impulse.minus(self.friction_impulse);
        self.normal_impulse = normal_impulse;
        self.friction_impulse = friction_impulse;
        self.push(motions, a, b, normal_change, friction_change);
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::general::{General, Single};
    use super::*;
    use crate::{
        bodies::{Bodies, Shape},
        find::manifold,
        kernel::InverseInertia,
    };

    fn bodies(balls: [(Vec3, Vec3, f32, f32); 2]) -> Bodies {
        let mut bodies = Bodies::default();
        for (v, w, radius, mass) in balls {
            let x = if bodies.position.is_empty() {
                Vec3::ZERO
            } else {
                Vec3::new(0.6, 0.7, -0.2)
            };
            bodies.position.push(x);
            bodies.shape.push(Shape::Particle { radius });
            bodies.axis.push(Vec3::Y);
            bodies.velocity.push(v);
            bodies.angular_velocity.push(w);
            bodies.inverse_mass.push(mass.recip());
            bodies
                .inverse_inertia
                .push(InverseInertia::sphere(mass, radius));
        }
        bodies
    }

    fn vector() -> impl Strategy<Value = Vec3> {
        let axis = || -2.0..2.0f32;
        (axis(), axis(), axis()).prop_map(Vec3::from)
    }

    proptest! {
        #[test]
        fn four_at_once_do_as_one_at_a_time(
            (v_a, w_a, v_b, w_b) in (vector(), vector(), vector(), vector()),
            (r_a, r_b) in (0.4..0.8f32, 0.4..0.8f32),
            (m_a, m_b) in (0.2..5.0f32, 0.2..5.0f32),
            (friction, closing_allowed) in (0.0..1.0f32, 0.0..0.5f32),
        ) {
            let bodies = bodies([(v_a, w_a, r_a, m_a), (v_b, w_b, r_b, m_b)]);
            let point = manifold(&bodies.placed(0), &bodies.placed(1))[0];
            let row = Row {
                a: 0,
                b: 1,
                feature: 0,
                general: u32::MAX,
                point,
                closing_allowed,
                friction,
                normal_impulse: 0.0,
                friction_impulse: Vec3::ZERO,
            };
            let motions = [Motion::GROUND, Motion::of(&bodies, 0), Motion::of(&bodies, 1)];

            let mut by_lanes = motions;
            let entry = Entry { row: 0, bodies: (1, 2) };
            let mut lanes = Lanes::new(&[entry], &[row], &motions, |_| (r_a, r_b));
            let mut one_by_one = motions;
            let general = General::new(&bodies, 0, 1, &point, (0.0, 0.0));
            let mut single = Single::new(0, row, general, (1, 2));
            for _ in 0..4 {
                lanes.sweep(&mut by_lanes);
                single.sweep(&mut one_by_one);
            }
            for (lane, one) in by_lanes.iter().zip(&one_by_one) {
                prop_assert!(lane.velocity().abs_diff_eq(one.velocity(), 1e-4));
                prop_assert!(lane.angular_velocity().abs_diff_eq(one.angular_velocity(), 1e-3));
            }
            let (normal_impulse, friction_impulse) = lanes.impulses(0);
            prop_assert!((normal_impulse - single.row.normal_impulse).abs() < 1e-4);
            prop_assert!(friction_impulse.abs_diff_eq(single.row.friction_impulse, 1e-4));
            prop_assert!(friction_impulse.length() <= friction * normal_impulse + 1e-5);
        }
    }
}

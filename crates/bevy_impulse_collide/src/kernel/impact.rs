use glam::{Mat3, Vec3};

use super::{InverseInertia, clipped_friction, normal_impulse, tangential_velocity};

/// How a pair answers to an impulse at its contact point: Δv_rel = K·P, with
/// K = (1/m_a + 1/m_b)·1 − R_a·I_a⁻¹·R_a − R_b·I_b⁻¹·R_b and R the cross-product matrix of the lever arm.
#[derive(Clone, Copy, Debug)]
pub struct EffectiveMass {
    /// K in 1/kg.
    pub k: Mat3,
}

impl EffectiveMass {
    /// From each body's inverse mass, inverse inertia, axis, and arm from its centre to the contact point.
    pub fn new(
        (inverse_mass_a, inertia_a, axis_a, arm_a): (f32, InverseInertia, Vec3, Vec3),
        (inverse_mass_b, inertia_b, axis_b, arm_b): (f32, InverseInertia, Vec3, Vec3),
    ) -> Self {
        let column = |p: Vec3| {
            p * (inverse_mass_a + inverse_mass_b)
                + inertia_a.mul(axis_a, arm_a.cross(p)).cross(arm_a)
                + inertia_b.mul(axis_b, arm_b.cross(p)).cross(arm_b)
        };
        Self {
            k: Mat3::from_cols(column(Vec3::X), column(Vec3::Y), column(Vec3::Z)),
        }
    }

    /// ⟨u, K·u⟩: inverse of the mass that an impulse along the unit vector `u` feels, in 1/kg.
    pub fn inverse_along(&self, u: Vec3) -> f32 {
        u.dot(self.k * u)
    }
}

/// Impulse on `a`, in N·s, of an impact with Newton's law along the normal and Coulomb's along the tangent.
///
/// `velocity` is the relative velocity of the contact points, with ⟨n, v⟩ < 0. If sticking needs no more than friction can
/// give, the contact sticks: P = K⁻¹·(−(1+e)·v_n·n − v_t). Otherwise it slides: P = j·(n − μ·t) with j such that the normal
/// velocity comes out as −e·v_n. Where the contact normal goes through both centres, as for balls, K couples nothing and
/// this is the ICM's jolt with clipped friction.
///
/// With friction off-centre, Newton's law can create energy; the impulse is then the frictionless one, which cannot.
pub fn impact_impulse(
    mass: EffectiveMass,
    normal: Vec3,
    velocity: Vec3,
    restitution: f32,
    friction: f32,
) -> Vec3 {
    let v_n = normal.dot(velocity);
    let k_n = mass.inverse_along(normal);
    let frictionless = normal * normal_impulse(restitution, k_n.recip(), v_n);
    let v_t = tangential_velocity(velocity, normal);
    let speed = v_t.length();
    if friction == 0.0 || speed == 0.0 {
        return frictionless;
    }
    let t = v_t / speed;
    let coupled = mass.k * normal - normal * k_n;
    if coupled.length_squared() <= 1e-10 * k_n * k_n {
        let j = frictionless.dot(normal);
        let tangential_mass = mass.inverse_along(t).recip();
        return frictionless + clipped_friction(v_t, friction, j, tangential_mass);
    }
    let stick = mass.k.inverse() * (-(1.0 + restitution) * v_n * normal - v_t);
    let stick_n = stick.dot(normal);
    let stick_t = stick - normal * stick_n;
    let impulse = if stick_n > 0.0 && stick_t.length() <= friction * stick_n {
        stick
    } else {
        let direction = normal - t * friction;
        let along = normal.dot(mass.k * direction);
        if along <= 0.0 {
            return frictionless;
        }
        direction * (-(1.0 + restitution) * v_n / along)
    };
    // Work of the impulse: ⟨P, v⟩ + ⟨P, K·P⟩/2.
    let work = impulse.dot(velocity) + 0.5 * impulse.dot(mass.k * impulse);
    if work <= 0.0 { impulse } else { frictionless }
}

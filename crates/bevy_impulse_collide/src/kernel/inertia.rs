use std::f32::consts::PI;

use glam::Vec3;

/// Moment of inertia of a solid ball about its centre: 2/5·m·r², in kg·m².
pub fn sphere_inertia(mass: f32, radius: f32) -> f32 {
    0.4 * mass * radius * radius
}

/// Moments of inertia of a solid capsule about its centre, in kg·m²: first about its axis, then across it.
///
/// With the mass m_c of the cylinder and the mass m_s of both half-balls together, in proportion to their volumes:
/// axial = m_c·r²/2 + m_s·2/5·r², and
/// transverse = m_c·(r²/4 + L²/12) + m_s·(2/5·r² + L²/4 + 3/8·L·r).
/// The last bracket is the inertia of a half-ball, moved to the end of the cylinder (Huygens–Steiner).
pub fn capsule_inertia(mass: f32, radius: f32, length: f32) -> (f32, f32) {
    let cylinder = PI * radius * radius * length;
    let caps = 4.0 / 3.0 * PI * (radius * radius * radius);
    let m_c = mass * cylinder / (cylinder + caps);
    let m_s = mass - m_c;
    let r2 = radius * radius;
    let l2 = length * length;
    let axial = 0.5 * m_c * r2 + 0.4 * m_s * r2;
    let transverse =
        m_c * (0.25 * r2 + l2 / 12.0) + m_s * (0.4 * r2 + 0.25 * l2 + 0.375 * length * radius);
    (axial, transverse)
}

/// Inverse inertia tensor of a body with an axis of symmetry: I⁻¹ = 1/I_t + (1/I_a − 1/I_t)·â⊗â.
///
/// Two numbers and the axis are enough for balls and capsules. A matrix would have to turn in each step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InverseInertia {
    /// 1/I_a about the axis, in 1/(kg·m²). Zero: nothing can turn the body.
    pub axial: f32,
    /// 1/I_t across the axis, in 1/(kg·m²).
    pub transverse: f32,
}

impl InverseInertia {
    /// Nothing can turn the body.
    pub const ZERO: Self = Self {
        axial: 0.0,
        transverse: 0.0,
    };

    /// The same `inverse` about every axis, in 1/(kg·m²).
    pub const fn isotropic(inverse: f32) -> Self {
        Self {
            axial: inverse,
            transverse: inverse,
        }
    }

    /// The inverse inertia of a solid ball.
    pub fn sphere(mass: f32, radius: f32) -> Self {
        Self::isotropic(1.0 / sphere_inertia(mass, radius))
    }

    /// The inverse inertia of a solid capsule; `length` is the length of its cylinder.
    pub fn capsule(mass: f32, radius: f32, length: f32) -> Self {
        let (axial, transverse) = capsule_inertia(mass, radius, length);
        Self {
            axial: axial.recip(),
            transverse: transverse.recip(),
        }
    }

    /// The inverse inertia of a rod, a cylinder of `length` l: I = m/12·diag(6r², 3r² + l², 3r² + l²), with the axis first.
    pub fn rod(mass: f32, radius: f32, length: f32) -> Self {
        let r2 = radius * radius;
        Self {
            axial: 2.0 / (mass * r2),
            transverse: 12.0 / (mass * (3.0 * r2 + length * length)),
        }
    }

    /// I^(−1/2). Its square is I⁻¹.
    pub fn square_root(self) -> Self {
        Self {
            axial: self.axial.sqrt(),
            transverse: self.transverse.sqrt(),
        }
    }

    /// I⁻¹·`l`: the angular velocity of an angular momentum, for a body whose axis points along the unit vector `axis`.
    #[inline]
    pub fn mul(self, axis: Vec3, l: Vec3) -> Vec3 {
        self.transverse * l + axis * ((self.axial - self.transverse) * axis.dot(l))
    }

    /// I·`w`: the angular momentum of an angular velocity. Zero for a body that nothing can turn.
    pub fn inverse_mul(self, axis: Vec3, w: Vec3) -> Vec3 {
        if self.transverse == 0.0 {
            return Vec3::ZERO;
        }
        let transverse = self.transverse.recip();
        transverse * w + axis * ((self.axial.recip() - transverse) * axis.dot(w))
    }

    /// ⟨`t`, I⁻¹·`t`⟩: the inverse inertia along `t`.
    #[inline]
    pub fn quadratic(self, axis: Vec3, t: Vec3) -> f32 {
        let along = axis.dot(t);
        self.transverse * t.length_squared() + (self.axial - self.transverse) * along * along
    }
}

//! Moments of inertia, and the inverse inertia tensor.

use std::f32::consts::{FRAC_1_SQRT_2, PI};

use glam::{DMat3, DQuat, DVec3, Mat3, Quat, Vec3, Vec3Swizzles};

use super::quaternion::{compose, unit};

/// Inverse mass in 1/kg, and inverse inertia in 1/(kg·m²), of a kinematic body: it takes part in everything that moves, and no
/// impulse changes its velocity.
pub(crate) const IMMOVABLE: f32 = 1e-30;

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

/// Inverse inertia tensor of a body: 1/I about its three principal axes, and where these axes lie in it.
///
/// A body with an axis of symmetry has it as the second principal axis. A matrix would have to turn in each step; this does not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InverseInertia {
    /// 1/I about each principal axis, in 1/(kg·m²). Zero: nothing can turn the body.
    pub principal: Vec3,
    /// From the principal axes to the body's own axes.
    pub frame: Quat,
}

impl InverseInertia {
    /// Nothing can turn the body.
    pub const ZERO: Self = Self::isotropic(0.0);

    /// The same `inverse` about every axis, in 1/(kg·m²).
    pub const fn isotropic(inverse: f32) -> Self {
        Self::symmetric(inverse, inverse)
    }

    /// Of a body with Y as its axis of symmetry: about that axis and across it, in 1/(kg·m²).
    pub const fn symmetric(axial: f32, transverse: f32) -> Self {
        Self {
            principal: Vec3::new(transverse, axial, transverse),
            frame: Quat::IDENTITY,
        }
    }

    /// Of a body with these moments of inertia about its principal axes, in kg·m². If two of them are the same, the third one becomes
    /// the second.
    pub fn of_moments(moments: Vec3, frame: Quat) -> Self {
        let principal = moments.recip();
        let quarter_turn = |axis: Vec3| {
            let v = axis * FRAC_1_SQRT_2;
            Quat::from_xyzw(v.x, v.y, v.z, FRAC_1_SQRT_2)
        };
        let (principal, turned) = if principal.x == principal.y && principal.y != principal.z {
            // y' = z, z' = −y
            (principal.xzy(), quarter_turn(Vec3::X))
        } else if principal.y == principal.z && principal.x != principal.y {
            // x' = y, y' = −x
            (principal.yxz(), quarter_turn(Vec3::Z))
        } else {
            (principal, Quat::IDENTITY)
        };
        Self {
            principal,
            frame: compose(unit(frame), turned),
        }
    }

    /// The inverse inertia of a solid ball.
    pub fn sphere(mass: f32, radius: f32) -> Self {
        Self::isotropic(1.0 / sphere_inertia(mass, radius))
    }

    /// The inverse inertia of a solid capsule along Y; `length` is the length of its cylinder.
    pub fn capsule(mass: f32, radius: f32, length: f32) -> Self {
        let (axial, transverse) = capsule_inertia(mass, radius, length);
        Self::symmetric(axial.recip(), transverse.recip())
    }

    /// The inverse inertia of a rod along Y, a cylinder of `length` l: I = m/12·diag(3r² + l², 6r², 3r² + l²).
    pub fn rod(mass: f32, radius: f32, length: f32) -> Self {
        let r2 = radius * radius;
        Self::symmetric(
            2.0 / (mass * r2),
            12.0 / (mass * (3.0 * r2 + length * length)),
        )
    }

    /// In axes from which the body's own axes are turned by `rotation`.
    pub fn seen_from(self, rotation: Quat) -> Self {
        if self.is_isotropic() || rotation == Quat::IDENTITY {
            return self;
        }
        Self {
            frame: unit(compose(rotation, self.frame)),
            ..self
        }
    }

    /// Whether it is the same about every axis.
    #[inline]
    pub fn is_isotropic(&self) -> bool {
        self.principal.x == self.principal.y && self.principal.y == self.principal.z
    }

    /// Whether the body has an axis of symmetry: the second principal axis.
    #[inline]
    pub fn is_symmetric(&self) -> bool {
        self.principal.x == self.principal.z
    }

    /// Whether Y of the body is an axis of symmetry.
    #[inline]
    pub fn is_symmetric_about_y(&self) -> bool {
        self.is_isotropic() || (self.is_symmetric() && self.frame == Quat::IDENTITY)
    }

    /// The greatest 1/I, in 1/(kg·m²).
    #[inline]
    pub fn greatest(&self) -> f32 {
        self.principal.max_element()
    }

    /// 1/I across the axis of symmetry, in 1/(kg·m²); about every axis for a ball.
    #[inline]
    pub fn across(&self) -> f32 {
        self.principal.x
    }

    /// I^(−1/2). Its square is I⁻¹.
    pub fn square_root(self) -> Self {
        Self {
            principal: self.principal.map(f32::sqrt),
            ..self
        }
    }

    /// I⁻¹·`l`: the angular velocity of an angular momentum, for a body with this rotation.
    #[inline]
    pub fn mul(&self, rotation: Quat, l: Vec3) -> Vec3 {
        self.scale(self.principal, rotation, l)
    }

    /// I·`w`: the angular momentum of an angular velocity. Zero for a body that nothing can turn.
    pub fn inverse_mul(&self, rotation: Quat, w: Vec3) -> Vec3 {
        match self.principal == Vec3::ZERO {
            true => Vec3::ZERO,
            false => self.scale(self.principal.recip(), rotation, w),
        }
    }

    /// Scales the parts of `v` along the principal axes: I = t·1 + (a − t)·â⊗â for a body with an axis of symmetry.
    #[inline]
    fn scale(&self, principal: Vec3, rotation: Quat, v: Vec3) -> Vec3 {
        if self.is_isotropic() {
            return v * principal.x;
        }
        if self.is_symmetric() {
            let axis = rotation * (self.frame * Vec3::Y);
            return principal.x * v + axis * ((principal.y - principal.x) * axis.dot(v));
        }
        let frame = compose(rotation, self.frame);
        frame * (principal * (frame.inverse() * v))
    }

    /// I⁻¹ in world axes, for a body with this rotation.
    #[inline]
    pub fn matrix(&self, rotation: Quat) -> Mat3 {
        let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| self.mul(rotation, axis));
        Mat3::from_cols(x, y, z)
    }

    /// From the principal axes to world axes, for a body with this rotation.
    pub fn principal_axes(&self, rotation: Quat) -> DQuat {
        rotation.as_dquat().normalize() * self.frame.as_dquat().normalize()
    }

    /// I⁻¹ in world axes in f64, for a body with this rotation.
    pub fn precise_matrix(&self, rotation: Quat) -> DMat3 {
        let frame = DMat3::from_quat(self.principal_axes(rotation));
        frame * DMat3::from_diagonal(self.principal.as_dvec3()) * frame.transpose()
    }

    /// I⁻¹·`l` in f64.
    pub fn precise_mul(&self, rotation: Quat, l: DVec3) -> DVec3 {
        if self.is_isotropic() {
            return l * f64::from(self.principal.x);
        }
        let frame = self.principal_axes(rotation);
        frame * (self.principal.as_dvec3() * (frame.inverse() * l))
    }

    /// I·`w` in f64; zero for a body that nothing can turn.
    pub fn precise_momentum(&self, rotation: Quat, w: DVec3) -> DVec3 {
        if self.principal == Vec3::ZERO {
            return DVec3::ZERO;
        }
        let frame = self.principal_axes(rotation);
        frame * ((frame.inverse() * w) / self.principal.as_dvec3())
    }
}
/// Sweeps of Jacobi's method. Each squares the size of what is left; a few are enough for any tensor.
const SWEEPS: usize = 16;

/// The principal moments of a symmetric tensor, and the rotation from its principal axes: by Jacobi's method, which turns the tensor
/// in one plane after another until nothing is beside its diagonal (G. Golub, C. Van Loan, Matrix Computations, 8.5).
pub(crate) fn principal_moments(tensor: DMat3) -> (DVec3, DQuat) {
    let (mut a, mut axes) = (tensor.to_cols_array_2d(), DMat3::IDENTITY);
    let size = tensor.x_axis.length() + tensor.y_axis.length() + tensor.z_axis.length();
    for _ in 0..SWEEPS {
        let mut is_done = true;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q].abs() <= f64::EPSILON * size {
                continue;
            }
            is_done = false;
            // The smaller angle that takes a_pq away: t² + 2·θ·t − 1 = 0.
            let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let cos = (t * t + 1.0).sqrt().recip();
            let sin = t * cos;
            let mut turn = DMat3::IDENTITY.to_cols_array_2d();
            (turn[p][p], turn[q][q]) = (cos, cos);
            (turn[q][p], turn[p][q]) = (sin, -sin);
            let turn = DMat3::from_cols_array_2d(&turn);
            a = (turn.transpose() * DMat3::from_cols_array_2d(&a) * turn).to_cols_array_2d();
            axes *= turn;
        }
        if is_done {
            break;
        }
    }
    (
        DVec3::new(a[0][0], a[1][1], a[2][2]),
        DQuat::from_mat3(&axes).normalize(),
    )
}

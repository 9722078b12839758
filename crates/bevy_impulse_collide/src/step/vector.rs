//! Vectors of several contacts at once.

use bevy::prelude::*;
use wide::f32x4;

/// Contacts that are worked on at once.
pub(super) const LANES: usize = 4;

/// Several vectors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vector {
    pub x: f32x4,
    pub y: f32x4,
    pub z: f32x4,
}

impl Vector {
    pub const ZERO: Self = Self {
        x: f32x4::ZERO,
        y: f32x4::ZERO,
        z: f32x4::ZERO,
    };

    pub fn from_lanes(vectors: [Vec3; LANES]) -> Self {
        Self {
            x: f32x4::new(vectors.map(|v| v.x)),
            y: f32x4::new(vectors.map(|v| v.y)),
            z: f32x4::new(vectors.map(|v| v.z)),
        }
    }

    pub fn lane(&self, lane: usize) -> Vec3 {
        Vec3::new(
            self.x.as_array()[lane],
            self.y.as_array()[lane],
            self.z.as_array()[lane],
        )
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> f32x4 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub fn normalized_or_zero(self) -> Self {
        let length = self.dot(self).sqrt();
        self.scaled(length.simd_gt(f32x4::ZERO) & (f32x4::ONE / length))
    }

    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    /// self + other·factor
    #[inline(always)]
    pub fn plus(self, other: Self, factor: f32x4) -> Self {
        Self {
            x: self.x + other.x * factor,
            y: self.y + other.y * factor,
            z: self.z + other.z * factor,
        }
    }

    #[inline(always)]
    pub fn plus_all(self, other: Self) -> Self {
        Self {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }

    /// `self` in the lanes of the mask, `other` in the rest.
    #[inline(always)]
    pub fn where_or(self, mask: f32x4, other: Self) -> Self {
        Self {
            x: mask.select(self.x, other.x),
            y: mask.select(self.y, other.y),
            z: mask.select(self.z, other.z),
        }
    }

    #[inline(always)]
    pub fn minus(self, other: Self) -> Self {
        Self {
            x: self.x - other.x,
            y: self.y - other.y,
            z: self.z - other.z,
        }
    }

    #[inline(always)]
    pub fn scaled(self, factor: f32x4) -> Self {
        Self {
            x: self.x * factor,
            y: self.y * factor,
            z: self.z * factor,
        }
    }
}

/// A vector with a number beside it.
#[inline(always)]
pub(super) fn beside(v: Vec3, number: f32) -> f32x4 {
    f32x4::new([v.x, v.y, v.z, number])
}

/// The vector that has a number beside it.
#[inline(always)]
pub(super) fn vector_of(both: f32x4) -> Vec3 {
    Vec4::from_array(both.to_array()).truncate()
}

/// Several vectors, each with a number beside it.
#[inline(always)]
pub(super) fn load(all: impl Fn(usize) -> f32x4, of: &[u32; LANES]) -> (Vector, f32x4) {
    let [x, y, z, beside] = f32x4::transpose(of.map(|i| all(i as usize)));
    (Vector { x, y, z }, beside)
}

/// A vector turned by a small angle, to the second order: v + θ × v + θ × (θ × v)/2.
#[inline(always)]
pub(super) fn turn_slightly(v: Vector, angle: Vector) -> Vector {
    let once = angle.cross(v);
    let twice = angle.cross(once);
    Vector::plus(v, once, f32x4::ONE).plus(twice, f32x4::HALF)
}

/// Several symmetric matrices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symmetric {
    xx: f32x4,
    yy: f32x4,
    zz: f32x4,
    xy: f32x4,
    xz: f32x4,
    yz: f32x4,
}

impl Symmetric {
    pub const ZERO: Self = Self {
        xx: f32x4::ZERO,
        yy: f32x4::ZERO,
        zz: f32x4::ZERO,
        xy: f32x4::ZERO,
        xz: f32x4::ZERO,
        yz: f32x4::ZERO,
    };

    /// The unit matrix times a number.
    #[inline(always)]
    pub fn diagonal(number: f32x4) -> Self {
        Self {
            xx: number,
            yy: number,
            zz: number,
            ..Self::ZERO
        }
    }

    #[inline(always)]
    pub fn mul(&self, v: Vector) -> Vector {
        Vector {
            x: self.xx * v.x + self.xy * v.y + self.xz * v.z,
            y: self.xy * v.x + self.yy * v.y + self.yz * v.z,
            z: self.xz * v.x + self.yz * v.y + self.zz * v.z,
        }
    }

    /// self + v⊗v·factor
    #[inline(always)]
    fn add_square(&mut self, v: Vector, factor: f32x4) {
        let scaled = v.scaled(factor);
        self.xx += v.x * scaled.x;
        self.yy += v.y * scaled.y;
        self.zz += v.z * scaled.z;
        self.xy += v.x * scaled.y;
        self.xz += v.x * scaled.z;
        self.yz += v.y * scaled.z;
    }

    /// Adds \[r\]ᵀ·I⁻¹·\[r\] for the arm r and I⁻¹ = t + e·â⊗â: t·(r² − r⊗r) + e·(â × r)⊗(â × r).
    #[inline(always)]
    pub fn add_lever(&mut self, arm: Vector, axis: Vector, transverse: f32x4, extra: f32x4) {
        let square = transverse * arm.dot(arm);
        self.xx += square;
        self.yy += square;
        self.zz += square;
        self.add_square(arm, -transverse);
        self.add_square(axis.cross(arm), extra);
    }

    /// The inverse of the part of the matrix across the unit vector `n`, with nothing along `n`; zero where not `some`.
    #[inline(always)]
    pub fn inverse_across(&self, n: Vector, some: f32x4) -> Self {
        // In a flat scene one of the tangents is along z, exactly, so that it stays flat.
        let is_level = n.z.abs().simd_lt(f32x4::splat(0.7));
        let helper = Vector {
            x: is_level.select(f32x4::ZERO, f32x4::ONE),
            y: f32x4::ZERO,
            z: is_level.select(f32x4::ONE, f32x4::ZERO),
        };
        let s = helper.plus(n, -n.dot(helper)).normalized_or_zero();
        let t = s.cross(n);
        let (k_t, k_s) = (self.mul(t), self.mul(s));
        let (tt, ts, ss) = (k_t.dot(t), k_t.dot(s), k_s.dot(s));
        let determinant = tt * ss - ts * ts;
        let inverse = some & (f32x4::ONE / determinant);
        let (tt, ts, ss) = (ss * inverse, -ts * inverse, tt * inverse);
        // tt·t⊗t + ts·(t⊗s + s⊗t) + ss·s⊗s = t⊗u + s⊗w with u = tt·t + ts·s and w = ts·t + ss·s.
        let u = t.scaled(tt).plus(s, ts);
        let w = t.scaled(ts).plus(s, ss);
        Self {
            xx: t.x * u.x + s.x * w.x,
            yy: t.y * u.y + s.y * w.y,
            zz: t.z * u.z + s.z * w.z,
            xy: t.x * u.y + s.x * w.y,
            xz: t.x * u.z + s.x * w.z,
            yz: t.y * u.z + s.y * w.z,
        }
    }
}

//! Vectors of several contacts at once: in memory, and in registers, with the vector instructions that the processor has. On x86-64
//! the results are the same bits with all of them.

use std::ops::{Add, Sub};

use bevy::prelude::*;
use fearless_simd::{f32x4, f32x8, mask32x8, prelude::*};
use glam::Vec4;

/// Number of contacts that are worked on at once.
pub(super) const LANES: usize = 8;

/// A number of each lane, in memory.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Numbers(pub [f32; LANES]);

impl Numbers {
    pub const ZERO: Self = Self([0.0; LANES]);

    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S) -> f32x8<S> {
        f32x8::simd_from(simd, self.0)
    }

    pub fn lane(&self, lane: usize) -> f32 {
        self.0[lane]
    }
}

impl<S: Simd> From<f32x8<S>> for Numbers {
    #[inline(always)]
    fn from(numbers: f32x8<S>) -> Self {
        Self(numbers.into())
    }
}

/// Some of the lanes, in memory.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LaneMask(u8);

impl LaneMask {
    pub const NONE: Self = Self(0);

    /// The lanes with true.
    pub fn of(lanes: [bool; LANES]) -> Self {
        Self((0..LANES).fold(0, |marks, lane| marks | u8::from(lanes[lane]) << lane))
    }

    #[inline(always)]
    pub fn load<S: Simd>(self, simd: S) -> mask32x8<S> {
        mask32x8::from_bitmask(simd, self.0.into())
    }

    pub fn has(self, lane: usize) -> bool {
        self.0 & (1 << lane) != 0
    }

    pub fn any(self) -> bool {
        self.0 != 0
    }

    /// Takes a lane out.
    pub fn remove(&mut self, lane: usize) {
        self.0 &= !(1 << lane);
    }

    /// The lanes, in order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..LANES).filter(move |&lane| self.has(lane))
    }
}

impl<S: Simd> From<mask32x8<S>> for LaneMask {
    #[inline(always)]
    fn from(mask: mask32x8<S>) -> Self {
        Self(mask.to_bitmask() as u8)
    }
}

/// The numbers in the lanes of the mask, zero in the other lanes.
#[inline(always)]
pub(super) fn only<S: Simd>(mask: mask32x8<S>, numbers: f32x8<S>) -> f32x8<S> {
    mask.select(numbers, f32x8::splat(numbers.simd, 0.0))
}

/// A vector of each lane, in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vectors {
    x: Numbers,
    y: Numbers,
    z: Numbers,
}

impl Vectors {
    pub const ZERO: Self = Self {
        x: Numbers::ZERO,
        y: Numbers::ZERO,
        z: Numbers::ZERO,
    };

    pub fn from_lanes(vectors: [Vec3; LANES]) -> Self {
        Self {
            x: Numbers(vectors.map(|v| v.x)),
            y: Numbers(vectors.map(|v| v.y)),
            z: Numbers(vectors.map(|v| v.z)),
        }
    }

    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S) -> Vector<S> {
        Vector {
            x: self.x.load(simd),
            y: self.y.load(simd),
            z: self.z.load(simd),
        }
    }

    pub fn lane(&self, lane: usize) -> Vec3 {
        Vec3::new(self.x.lane(lane), self.y.lane(lane), self.z.lane(lane))
    }

    pub fn set_lane(&mut self, lane: usize, v: Vec3) {
        self.x.0[lane] = v.x;
        self.y.0[lane] = v.y;
        self.z.0[lane] = v.z;
    }
}

impl<S: Simd> From<Vector<S>> for Vectors {
    #[inline(always)]
    fn from(v: Vector<S>) -> Self {
        Self {
            x: v.x.into(),
            y: v.y.into(),
            z: v.z.into(),
        }
    }
}

/// Several vectors, to work on.
#[derive(Clone, Copy)]
pub(super) struct Vector<S: Simd> {
    pub x: f32x8<S>,
    pub y: f32x8<S>,
    pub z: f32x8<S>,
}

impl<S: Simd> Vector<S> {
    #[inline(always)]
    pub fn zero(simd: S) -> Self {
        let zero = f32x8::splat(simd, 0.0);
        Self {
            x: zero,
            y: zero,
            z: zero,
        }
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> f32x8<S> {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub fn normalized_or_zero(self) -> Self {
        let length = self.dot(self).sqrt();
        self.scaled(only(length.simd_gt(0.0), 1.0 / length))
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
    pub fn add_scaled(self, other: Self, factor: f32x8<S>) -> Self {
        Self {
            x: self.x + other.x * factor,
            y: self.y + other.y * factor,
            z: self.z + other.z * factor,
        }
    }

    /// `self` in the lanes of the mask, `other` in the other lanes.
    #[inline(always)]
    pub fn where_or(self, mask: mask32x8<S>, other: Self) -> Self {
        Self {
            x: mask.select(self.x, other.x),
            y: mask.select(self.y, other.y),
            z: mask.select(self.z, other.z),
        }
    }

    #[inline(always)]
    pub fn scaled(self, factor: f32x8<S>) -> Self {
        Self {
            x: self.x * factor,
            y: self.y * factor,
            z: self.z * factor,
        }
    }
}

impl<S: Simd> Add for Vector<S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }
}

impl<S: Simd> Sub for Vector<S> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self {
            x: self.x - other.x,
            y: self.y - other.y,
            z: self.z - other.z,
        }
    }
}

/// Several vectors, each with a number beside it.
#[inline(always)]
pub(super) fn load<S: Simd>(
    simd: S,
    all: impl Fn(usize) -> Vec4,
    of: &[u32; LANES],
) -> (Vector<S>, f32x8<S>) {
    let at = of.map(|i| all(i as usize));
    let [x, y, z, beside] = transpose_blocks([
        side_by_side(simd, at[0], at[4]),
        side_by_side(simd, at[1], at[5]),
        side_by_side(simd, at[2], at[6]),
        side_by_side(simd, at[3], at[7]),
    ]);
    (Vector { x, y, z }, beside)
}

#[inline(always)]
fn side_by_side<S: Simd>(simd: S, one: Vec4, other: Vec4) -> f32x8<S> {
    let (one, other) = (one.to_array(), other.to_array());
    f32x4::simd_from(simd, one).combine(f32x4::simd_from(simd, other))
}

/// Inverse of [`load`]: each lane's vector with its number.
#[inline(always)]
pub(super) fn unload<S: Simd>(v: Vector<S>, beside: f32x8<S>) -> [Vec4; LANES] {
    let [a, b, c, d] = transpose_blocks([v.x, v.y, v.z, beside]);
    let ((a, e), (b, f), (c, g), (d, h)) = (a.split(), b.split(), c.split(), d.split());
    [a, b, c, d, e, f, g, h].map(|four| Vec4::from_array(four.into()))
}

/// The rows of two 4×4 matrices, side by side, become their columns.
#[inline(always)]
fn transpose_blocks<S: Simd>([a, b, c, d]: [f32x8<S>; 4]) -> [f32x8<S>; 4] {
    let ([ac_low, ac_high], [bd_low, bd_high]) = (zip_blocks(a, c), zip_blocks(b, d));
    let ([x, y], [z, w]) = (zip_blocks(ac_low, bd_low), zip_blocks(ac_high, bd_high));
    [x, y, z, w]
}

/// In each half: the first two numbers of `a` and `b` in turn, and the last two.
#[inline(always)]
fn zip_blocks<S: Simd>(a: f32x8<S>, b: f32x8<S>) -> [f32x8<S>; 2] {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = a.simd.level().as_avx2() {
        let simd = a.simd;
        // Each is one instruction, for which the library has no function.
        let (a, b): ([f32; LANES], [f32; LANES]) = (a.into(), b.into());
        let (a, b) = (a.simd_into(avx2), b.simd_into(avx2));
        let (low, high): ([f32; LANES], [f32; LANES]) = (
            zip_low_avx2(avx2, a, b).into(),
            zip_high_avx2(avx2, a, b).into(),
        );
        return [low.simd_into(simd), high.simd_into(simd)];
    }
    let ((a, e), (b, f)) = (a.split(), b.split());
    [
        a.zip_low(b).combine(e.zip_low(f)),
        a.zip_high(b).combine(e.zip_high(f)),
    ]
}

#[cfg(target_arch = "x86_64")]
use fearless_simd::x86::Avx2;

#[cfg(target_arch = "x86_64")]
fearless_simd::kernel!(
    #[inline(always)]
    fn zip_low_avx2(avx2: Avx2, a: f32x8<Avx2>, b: f32x8<Avx2>) -> f32x8<Avx2> {
        std::arch::x86_64::_mm256_unpacklo_ps(a.into(), b.into()).simd_into(avx2)
    }
);

#[cfg(target_arch = "x86_64")]
fearless_simd::kernel!(
    #[inline(always)]
    fn zip_high_avx2(avx2: Avx2, a: f32x8<Avx2>, b: f32x8<Avx2>) -> f32x8<Avx2> {
        std::arch::x86_64::_mm256_unpackhi_ps(a.into(), b.into()).simd_into(avx2)
    }
);

/// A vector turned by a small angle, to the second order: v + θ × v + θ × (θ × v)/2.
#[inline(always)]
pub(super) fn turn_slightly<S: Simd>(v: Vector<S>, angle: Vector<S>) -> Vector<S> {
    let once = angle.cross(v);
    let twice = angle.cross(once);
    let half = f32x8::splat(v.x.simd, 0.5);
    (v + once).add_scaled(twice, half)
}

/// Several symmetric matrices, in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symmetrics([Numbers; 6]);

impl Symmetrics {
    pub const ZERO: Self = Self([Numbers::ZERO; 6]);

    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S) -> Symmetric<S> {
        let [xx, yy, zz, xy, xz, yz] = &self.0;
        Symmetric {
            xx: xx.load(simd),
            yy: yy.load(simd),
            zz: zz.load(simd),
            xy: xy.load(simd),
            xz: xz.load(simd),
            yz: yz.load(simd),
        }
    }
}

impl<S: Simd> From<Symmetric<S>> for Symmetrics {
    #[inline(always)]
    fn from(m: Symmetric<S>) -> Self {
        Self([
            m.xx.into(),
            m.yy.into(),
            m.zz.into(),
            m.xy.into(),
            m.xz.into(),
            m.yz.into(),
        ])
    }
}

/// Several symmetric matrices, to work on.
#[derive(Clone, Copy)]
pub(super) struct Symmetric<S: Simd> {
    pub xx: f32x8<S>,
    pub yy: f32x8<S>,
    pub zz: f32x8<S>,
    pub xy: f32x8<S>,
    pub xz: f32x8<S>,
    pub yz: f32x8<S>,
}

impl<S: Simd> Add for Symmetric<S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self {
            xx: self.xx + other.xx,
            yy: self.yy + other.yy,
            zz: self.zz + other.zz,
            xy: self.xy + other.xy,
            xz: self.xz + other.xz,
            yz: self.yz + other.yz,
        }
    }
}

impl<S: Simd> Symmetric<S> {
    /// The unit matrix times a number.
    #[inline(always)]
    pub fn diagonal(number: f32x8<S>) -> Self {
        let zero = f32x8::splat(number.simd, 0.0);
        Self {
            xx: number,
            yy: number,
            zz: number,
            xy: zero,
            xz: zero,
            yz: zero,
        }
    }

    #[inline(always)]
    pub fn mul(&self, v: Vector<S>) -> Vector<S> {
        Vector {
            x: self.xx * v.x + self.xy * v.y + self.xz * v.z,
            y: self.xy * v.x + self.yy * v.y + self.yz * v.z,
            z: self.xz * v.x + self.yz * v.y + self.zz * v.z,
        }
    }

    /// self + v⊗v·factor
    #[inline(always)]
    pub fn add_square(&mut self, v: Vector<S>, factor: f32x8<S>) {
        let scaled = v.scaled(factor);
        self.xx += v.x * scaled.x;
        self.yy += v.y * scaled.y;
        self.zz += v.z * scaled.z;
        self.xy += v.x * scaled.y;
        self.xz += v.x * scaled.z;
        self.yz += v.y * scaled.z;
    }

    /// \[r\]ᵀ·I⁻¹·\[r\], where this is I⁻¹, for the arm r: its entries are (r × eᵢ)·I⁻¹·(r × eⱼ).
    #[inline(always)]
    pub fn at_arm(&self, r: Vector<S>) -> Self {
        // I⁻¹·(r × e) for the three unit vectors e.
        let of_x = Vector {
            x: self.xy * r.z - self.xz * r.y,
            y: self.yy * r.z - self.yz * r.y,
            z: self.yz * r.z - self.zz * r.y,
        };
        let of_y = Vector {
            x: self.xz * r.x - self.xx * r.z,
            y: self.yz * r.x - self.xy * r.z,
            z: self.zz * r.x - self.xz * r.z,
        };
        let of_z = Vector {
            x: self.xx * r.y - self.xy * r.x,
            y: self.xy * r.y - self.yy * r.x,
            z: self.xz * r.y - self.yz * r.x,
        };
        Self {
            xx: r.z * of_x.y - r.y * of_x.z,
            yy: r.x * of_y.z - r.z * of_y.x,
            zz: r.y * of_z.x - r.x * of_z.y,
            xy: r.z * of_y.y - r.y * of_y.z,
            xz: r.z * of_z.y - r.y * of_z.z,
            yz: r.x * of_z.z - r.z * of_z.x,
        }
    }

    /// The inverse of the part of the matrix across the unit vector `n`, with nothing along `n`; zero in lanes without `some`.
    #[inline(always)]
    pub fn inverse_across(&self, n: Vector<S>, some: mask32x8<S>) -> Self {
        // In a flat scene one of the tangents is exactly along z, so that the scene stays flat.
        let (zero, one) = (f32x8::splat(n.x.simd, 0.0), f32x8::splat(n.x.simd, 1.0));
        let is_level = n.z.abs().simd_lt(0.7);
        let reference = Vector {
            x: is_level.select(zero, one),
            y: zero,
            z: is_level.select(one, zero),
        };
        let s = reference
            .add_scaled(n, -n.dot(reference))
            .normalized_or_zero();
        let t = s.cross(n);
        let (k_t, k_s) = (self.mul(t), self.mul(s));
        let (tt, ts, ss) = (k_t.dot(t), k_t.dot(s), k_s.dot(s));
        let determinant = tt * ss - ts * ts;
        let inverse = only(some, 1.0 / determinant);
        let (tt, ts, ss) = (ss * inverse, -ts * inverse, tt * inverse);
        // tt·t⊗t + ts·(t⊗s + s⊗t) + ss·s⊗s = t⊗u + s⊗w with u = tt·t + ts·s and w = ts·t + ss·s.
        let u = t.scaled(tt).add_scaled(s, ts);
        let w = t.scaled(ts).add_scaled(s, ss);
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

#[cfg(test)]
mod tests {
    use fearless_simd::{Level, dispatch};
    use proptest::prelude::*;

    use super::*;

    fn four() -> impl Strategy<Value = Vec4> {
        let axis = || -1e3..1e3f32;
        (axis(), axis(), axis(), axis()).prop_map(Vec4::from)
    }

    proptest! {
        /// Vectors are loaded by component, and stored unchanged, with any instructions.
        #[test]
        fn bodies_are_loaded_by_component(
            all in prop::collection::vec(four(), 12),
            of in prop::array::uniform8(0..12u32),
        ) {
            for level in [Level::baseline(), Level::new()] {
                let (x, z, number, back) = dispatch!(level, simd => {
                    let (v, number) = load(simd, |i| all[i], &of);
                    (Numbers::from(v.x), Numbers::from(v.z), Numbers::from(number), unload(v, number))
                });
                for (lane, i) in of.into_iter().enumerate() {
                    let one = all[i as usize];
                    prop_assert_eq!(back[lane], one);
                    prop_assert_eq!(Vec3::new(x.lane(lane), z.lane(lane), number.lane(lane)), one.xzw());
                }
            }
        }

        /// The plainest and the best instructions give the same bits.
        #[test]
        fn instructions_do_not_matter(
            all in prop::collection::vec(four(), 8),
            arms in prop::collection::vec(four(), 8),
        ) {
            let of = std::array::from_fn(|lane| lane as u32);
            let [plain, best] = [Level::baseline(), Level::new()].map(|level| {
                dispatch!(level, simd => {
                    let (n, number) = load(simd, |i| all[i], &of);
                    let (arm, extra) = load(simd, |i| arms[i], &of);
                    let n = n.normalized_or_zero();
                    let mut inertia = Symmetric::diagonal(number.abs());
                    inertia.add_square(n, extra.abs());
                    let k = Symmetric::diagonal(number.abs() + 1.0);
                    let k = k + inertia.at_arm(arm);
                    let some = extra.simd_gt(0.0);
                    let k = k.inverse_across(n, some);
                    let turned = turn_slightly(k.mul(arm), arm.scaled(only(some, 1.0 / number)));
                    (Vectors::from(turned), LaneMask::from(some))
                })
            });
            for lane in 0..LANES {
                let bits = [plain, best].map(|(v, _)| v.lane(lane).to_array().map(f32::to_bits));
                prop_assert_eq!(bits[0], bits[1]);
                prop_assert_eq!(plain.1.has(lane), best.1.has(lane));
            }
        }
    }
}

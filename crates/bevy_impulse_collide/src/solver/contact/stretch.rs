//! Optional term of a contact: capsules that grow. The length is a degree of freedom with a speed and an inertia of its own.

use fearless_simd::{f32x8, prelude::*};

use super::pose::BodyExtras;
use crate::solver::simd::{LANES, Numbers, Symmetric, Vector, Vectors, only};

/// How growth moves the contact points of up to [`LANES`] pairs.
///
/// A point at s along the axis of a capsule of length L moves with â·(s/L)·L̇, s held within ±L/2. So an impulse P there changes
/// L̇ by ⟨â·s/L, P⟩/G.
#[derive(Clone, Copy, Debug)]
pub(super) struct StretchTerms {
    /// Velocity of the point for a unit of growth speed.
    of_a: Vectors,
    of_b: Vectors,
    /// 1/G in 1/kg.
    inverse_a: Numbers,
    inverse_b: Numbers,
}

/// [`StretchTerms`] in registers.
#[derive(Clone, Copy)]
pub(super) struct Stretch<S: Simd> {
    pub of_a: Vector<S>,
    pub of_b: Vector<S>,
    pub inverse_a: f32x8<S>,
    pub inverse_b: f32x8<S>,
}

/// Growth speeds of the bodies of several pairs, in m/s.
#[derive(Clone, Copy)]
pub(super) struct GrowthSpeeds<S: Simd> {
    pub a: f32x8<S>,
    pub b: f32x8<S>,
}

impl StretchTerms {
    pub const NONE: Self = Self {
        of_a: Vectors::ZERO,
        of_b: Vectors::ZERO,
        inverse_a: Numbers::ZERO,
        inverse_b: Numbers::ZERO,
    };

    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S) -> Stretch<S> {
        Stretch {
            of_a: self.of_a.load(simd),
            of_b: self.of_b.load(simd),
            inverse_a: self.inverse_a.load(simd),
            inverse_b: self.inverse_b.load(simd),
        }
    }
}

impl<S: Simd> From<Stretch<S>> for StretchTerms {
    #[inline(always)]
    fn from(stretch: Stretch<S>) -> Self {
        Self {
            of_a: stretch.of_a.into(),
            of_b: stretch.of_b.into(),
            inverse_a: stretch.inverse_a.into(),
            inverse_b: stretch.inverse_b.into(),
        }
    }
}

impl<S: Simd> Stretch<S> {
    /// The terms of points at `arms` from the centres of bodies with the half axes `halves`.
    #[inline(always)]
    pub fn new(
        arms: (Vector<S>, Vector<S>),
        halves: (Vector<S>, Vector<S>),
        extras: &[BodyExtras],
        (a, b): (&[u32; LANES], &[u32; LANES]),
    ) -> Self {
        let simd = arms.0.x.simd;
        let inverse = |bodies: &[u32; LANES]| {
            let inverse = bodies.map(|i| extras[i as usize].inverse_growth_inertia());
            f32x8::simd_from(simd, inverse)
        };
        Self {
            of_a: along(arms.0, halves.0),
            of_b: along(arms.1, halves.1),
            inverse_a: inverse(a),
            inverse_b: inverse(b),
        }
    }

    /// Relative velocity of the points by growth.
    #[inline(always)]
    pub fn velocity(&self, speeds: &GrowthSpeeds<S>) -> Vector<S> {
        self.of_a.scaled(speeds.a).add_scaled(self.of_b, -speeds.b)
    }

    /// Adds the growth's part to the inverse effective mass matrix.
    #[inline(always)]
    pub fn add_to(&self, k: &mut Symmetric<S>) {
        k.add_square(self.of_a, self.inverse_a);
        k.add_square(self.of_b, self.inverse_b);
    }

    /// Change of the velocity along `m` at the `other` points of the same pairs by a unit impulse along `n` here.
    #[inline(always)]
    pub fn mutual(&self, n: Vector<S>, other: &Self, m: Vector<S>) -> f32x8<S> {
        self.inverse_a * self.of_a.dot(n) * other.of_a.dot(m)
            + self.inverse_b * self.of_b.dot(n) * other.of_b.dot(m)
    }

    /// Changes the growth speeds by an impulse on a and its opposite on b.
    #[inline(always)]
    pub fn push(&self, speeds: &mut GrowthSpeeds<S>, impulse: Vector<S>) {
        speeds.a += self.inverse_a * self.of_a.dot(impulse);
        speeds.b -= self.inverse_b * self.of_b.dot(impulse);
    }
}

impl<S: Simd> GrowthSpeeds<S> {
    #[inline(always)]
    pub fn load(simd: S, speeds: &[f32], a: &[u32; LANES], b: &[u32; LANES]) -> Self {
        let load = |slots: &[u32; LANES]| f32x8::simd_from(simd, slots.map(|i| speeds[i as usize]));
        Self {
            a: load(a),
            b: load(b),
        }
    }

    #[inline(always)]
    pub fn store(self, speeds: &mut [f32], a: &[u32; LANES], b: &[u32; LANES]) {
        for (new, slots) in [(self.a, a), (self.b, b)] {
            let new: [f32; LANES] = new.into();
            for (slot, new) in slots.iter().zip(new) {
                speeds[*slot as usize] = new;
            }
        }
    }
}

/// â·s/L for s = ⟨arm, â⟩ held within ±L/2 and the half axis â·L/2; zero for a ball.
#[inline(always)]
fn along<S: Simd>(arm: Vector<S>, half: Vector<S>) -> Vector<S> {
    let square = half.dot(half);
    let has_length = square.simd_gt(0.0);
    // ⟨arm, half⟩/|half|² is s/(L/2).
    let part = (arm.dot(half) / square).max(-1.0).min(1.0) * 0.5;
    half.normalized_or_zero().scaled(only(has_length, part))
}

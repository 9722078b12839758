//! The data of the general kernel.

use super::class::PairClass;
use crate::solver::simd::{LANES, LaneMask, Numbers, Symmetrics, Vectors};

/// The data of each lane that a sweep does not read.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointPairs {
    /// Index of the pair; `u32::MAX` for none.
    pub pair: [u32; LANES],
    /// Indices of the bodies. `b` is the plane, if there is one.
    pub a: [u32; LANES],
    pub b: [u32; LANES],
    pub class: PairClass,
    pub is_used: LaneMask,
    /// The lanes in which one body is the ground.
    pub on_ground: LaneMask,
    /// The pairs that had two points in the last substep.
    pub was_double: LaneMask,
    /// For each of the two points: the lanes whose surfaces touch there, or will in this substep.
    pub is_active: [LaneMask; 2],
    pub depth: [Numbers; 2],
    /// Indices of the group's optional terms.
    pub couples: Option<u32>,
    pub stretch: Option<u32>,
    pub surface: Option<u32>,
    pub slide: Option<u32>,
}

/// A contact point of each lane.
///
/// An impulse P on a changes v by P/m and ω by I⁻¹·(r × P). It changes the relative velocity u of the contact points by K·P, with
/// K = Σ 1/m + [r]ᵀ·I⁻¹·[r] plus the growth's part. Friction cancels the tangential part of u with the inverse of K's tangential
/// part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Points {
    /// Indices of the bodies among the cell's solver bodies.
    pub a: [u32; LANES],
    pub b: [u32; LANES],
    pub normal: Vectors,
    pub arm_a: Vectors,
    pub arm_b: Vectors,
    /// I⁻¹ of the bodies, in world axes.
    pub inverse_inertia_a: Symmetrics,
    pub inverse_inertia_b: Symmetrics,
    pub closing_allowed: Numbers,
    pub is_active: LaneMask,
    /// ⟨n, K·n⟩, and its inverse.
    pub inverse_normal_mass: Numbers,
    pub normal_mass: Numbers,
    /// Of a second point: change of the normal velocity at one of the pair's points by a unit normal impulse at the other point.
    pub mutual_inverse_mass: Numbers,
    /// Inverse of K's tangential part; zero along the normal.
    pub tangent_mass: Symmetrics,
    /// Tangential part of K·n: change of the normal velocity by friction.
    pub coupling: Vectors,
    pub friction: Numbers,
    pub normal_impulse: Numbers,
    pub friction_impulse: Vectors,
}

impl Points {
    pub const NONE: Self = Self {
        a: [0; LANES],
        b: [0; LANES],
        normal: Vectors::ZERO,
        arm_a: Vectors::ZERO,
        arm_b: Vectors::ZERO,
        inverse_inertia_a: Symmetrics::ZERO,
        inverse_inertia_b: Symmetrics::ZERO,
        closing_allowed: Numbers::ZERO,
        is_active: LaneMask::NONE,
        inverse_normal_mass: Numbers::ZERO,
        normal_mass: Numbers::ZERO,
        mutual_inverse_mass: Numbers::ZERO,
        tangent_mass: Symmetrics::ZERO,
        coupling: Vectors::ZERO,
        friction: Numbers::ZERO,
        normal_impulse: Numbers::ZERO,
        friction_impulse: Vectors::ZERO,
    };
}

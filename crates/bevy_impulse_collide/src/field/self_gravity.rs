use bevy::prelude::*;
use glam::DVec3;

/// Gravity of the bodies themselves, summed over all pairs. Insert this resource to switch it on, remove it to switch it off.
///
/// Two bodies attract with G·m_a·m_b/s² along the line between their centres, s² = d² + ε². Nearer than the sum of their
/// radii the force falls linearly to zero, as inside a homogeneous ball, so no close encounter throws a body out: see
/// [`clamp_at_contact`](Self::clamp_at_contact). The forces of a step add up to no net force and no net torque to the last
/// digits of f64, whatever the [`method`](Self::method): linear and angular momentum hold.
///
/// Planes have no mass and no part in this. Static and kinematic bodies attract, and are not moved.
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Resource, Debug, PartialEq, Clone, Default)]
pub struct SelfGravity {
    /// G in m³/(kg·s²). Default 1; nature's is 6.674e-11.
    pub constant: f32,
    /// Softening ε in metres, 0 or more. Default 0.
    pub softening: f32,
    /// Whether d in s² = d² + ε² is never taken for less than the sum of the radii. Default: true. Without it, and without
    /// softening, the force on bodies that overlap deeply has no bound.
    pub clamp_at_contact: bool,
    /// How the sum is taken. Default: a tree.
    pub method: GravityMethod,
}

/// How the pulls of all bodies are summed.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone, Default)]
pub enum GravityMethod {
    /// Pair by pair, exact to about 1e-6 of each force. Takes time with the square of the number of bodies.
    Direct,
    /// Distant groups of bodies pull each other as wholes, by multipole expansions of order 4. Takes time with the number of
    /// bodies. In small scenes nearly all is near, and this is as quick as the direct sum.
    Tree {
        /// Opening angle θ, 0 to 0.9, a pure number. Default: 0.5. Two groups pull each other as wholes where the sum of
        /// their radii, each about its centre of mass, is less than θ times the distance of these centres.
        ///
        /// Within that limit |x − y| ≤ θ·D for what is at x in the one and at y in the other, and 1/|D + x − y| is a series
        /// of solid harmonics of degree n in |x − y|/D, whose gradient is at most n·(|x − y|/D)ⁿ⁻¹/D². Cut off after the
        /// fourth, the pull of a group with mass M is off by at most
        ///
        /// |δa| ≤ G·M/D²·Σₙ₌₅ n·θⁿ⁻¹ = G·M/D²·θ⁴·(5 − 4θ)/(1 − θ)²
        ///
        /// (see W. Dehnen, J. Comput. Phys. 179 (2002) 27, and J. K. Salmon and M. S. Warren, J. Comput. Phys. 111 (1994)
        /// 136). That bound is for the worst place of everything; the sum over many groups is off by far less:
        /// [`Measure::force_error`](crate::diagnostics::Measure::force_error) measures it.
        opening_angle: f32,
    },
}

impl Default for GravityMethod {
    fn default() -> Self {
        Self::Tree { opening_angle: 0.5 }
    }
}

impl Default for SelfGravity {
    fn default() -> Self {
        Self {
            constant: 1.0,
            softening: 0.0,
            clamp_at_contact: true,
            method: GravityMethod::default(),
        }
    }
}

impl SelfGravity {
    /// Potential energy of a pair in joules, at `x_ab` from each other, with radii that add up to `reach`: −G·m_a·m_b/s
    /// outside; inside, the parabola of the linear force, joined smoothly.
    #[inline]
    pub fn pair_energy(&self, mass_a: f64, mass_b: f64, x_ab: DVec3, reach: f64) -> f64 {
        let softening_squared = f64::from(self.softening).powi(2);
        let reach = if self.clamp_at_contact { reach } else { 0.0 };
        let s_squared = x_ab.length_squared() + softening_squared;
        let edge_squared = s_squared.max(reach * reach + softening_squared);
        // Both in one: outside, s is the edge.
        let share = 1.5 - 0.5 * s_squared / edge_squared;
        -f64::from(self.constant) * mass_a * mass_b * share / edge_squared.sqrt()
    }
}

//! Gravity of the bodies themselves: the resource.

use bevy::prelude::*;
use glam::DVec3;

/// Gravity of the bodies themselves, summed over all pairs. Insert this resource to switch it on, remove it to switch it off.
///
/// Two bodies attract each other with the force G·m_a·m_b/s² along the line between their centres, with s² = d² + ε². At
/// distances below the sum of the radii the force falls linearly to zero, as inside a homogeneous ball. So no close encounter
/// throws a body out: see [`clamp_at_contact`](Self::clamp_at_contact).
///
/// With every [`method`](Self::method), the forces of a step add up to zero net force and zero net torque, to the last digits
/// of f64. So momentum and angular momentum stay.
///
/// Planes have no mass and take no part. Static bodies attract others, and stay where they are.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// # let mut app = App::new();
/// app.insert_resource(Gravity::ZERO).insert_resource(SelfGravity {
///     constant: 500.0,
///     method: GravityMethod::Tree { opening_angle: 0.7 },
///     ..default()
/// });
/// ```
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Resource, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct SelfGravity {
    /// G in m³/(kg·s²). Default 1; in nature 6.674e-11.
    pub constant: f32,
    /// Softening ε in metres, 0 or more. Default 0.
    pub softening: f32,
    /// Whether the force falls linearly to zero inside the sum of the radii. Default: true. If it is false and the softening is
    /// zero, the force on bodies with a deep overlap has no bound.
    pub clamp_at_contact: bool,
    /// The method of the sum. Default: a tree.
    pub method: GravityMethod,
}

/// The method that sums the attraction of all bodies.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub enum GravityMethod {
    /// Pair by pair, exact to about 1e-6 of each force. The time is quadratic in the number of bodies.
    Direct,
    /// Distant groups of bodies attract each other by multipole expansions of order 4. The time is proportional to the number
    /// of bodies. In small scenes nearly all bodies are near each other, and the tree is as fast as the direct sum.
    Tree {
        /// Opening angle θ, 0 to 0.9, a pure number. Default: 0.5. Two groups attract each other by expansions if the sum of
        /// their radii is less than θ times the distance D of their centres. The centres are centres of mass, and the radii are
        /// about them.
        ///
        /// Then |x − y| ≤ θ·D for a body at x in one group and a body at y in the other group. 1/|D + x − y| is a series of
        /// solid harmonics of degree n in |x − y|/D, and the gradient of each is at most n·(|x − y|/D)ⁿ⁻¹/D². The series ends
        /// with the fourth one. So the error of the attraction by a group of mass M is at most
        ///
        /// |δa| ≤ G·M/D²·Σₙ₌₅ n·θⁿ⁻¹ = G·M/D²·θ⁴·(5 − 4θ)/(1 − θ)²
        ///
        /// (see W. Dehnen, J. Comput. Phys. 179 (2002) 27, and J. K. Salmon and M. S. Warren, J. Comput. Phys. 111 (1994)
        /// 136). This bound is for the worst positions. The error of the sum over many groups is far smaller:
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
    /// Potential energy of a pair in J. The centres are `x_ab` apart, and `reach` is the sum of the radii. It is −G·m_a·m_b/s
    /// outside, and the parabola of the linear force inside; both join smoothly.
    #[inline]
    pub fn pair_energy(&self, mass_a: f64, mass_b: f64, x_ab: DVec3, reach: f64) -> f64 {
        let softening = f64::from(self.softening);
        let softening_squared = softening * softening;
        let reach = if self.clamp_at_contact { reach } else { 0.0 };
        let s_squared = x_ab.length_squared() + softening_squared;
        let edge_squared = s_squared.max(reach * reach + softening_squared);
        // One formula for both: outside, s is the edge.
        let share = 1.5 - 0.5 * s_squared / edge_squared;
        -f64::from(self.constant) * mass_a * mass_b * share / edge_squared.sqrt()
    }
}

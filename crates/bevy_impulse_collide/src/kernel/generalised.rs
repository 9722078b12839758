use glam::Vec3;

use super::{InverseInertia, stretch};

/// How readily the seven degrees of freedom of a body are moved: the diagonal of W = diag(1/m, I⁻¹, 1/G), by which generalised
/// momenta (p, L, g) become the velocities (v, ω, L̇). All zero for what nothing moves.
#[derive(Clone, Copy, Debug)]
pub struct Mobility {
    /// 1/m in 1/kg.
    pub inverse_mass: f32,
    /// I⁻¹.
    pub inverse_inertia: InverseInertia,
    /// 1/G in 1/kg; zero for what does not grow.
    pub inverse_growth_inertia: f32,
    /// Unit vector along the body.
    pub axis: Vec3,
    /// From the centre to the centre of either half-ball, in m.
    pub half_length: f32,
}

impl Mobility {
    /// The row nᵀ·J·W^(1/2) of a contact at `arm` from the centre, with J = (1, −[r]×, â·s/L): its product with the
    /// mass-weighted momenta W^(1/2)·(p, L, g) is the velocity of the point along `n`, and its transpose takes an impulse along
    /// `n` to the change of these. The eighth number is zero.
    ///
    /// With M = J·W, the matrix of the least-squares form MᵀM·Δp = MᵀV, this is M·W^(-1/2). An impulse λ changes the
    /// momenta by Δp = Jᵀ·λ, not by Mᵀ·λ: in the mass-weighted momenta one matrix serves for both, and momentum is kept whatever
    /// the masses.
    pub fn row(&self, n: Vec3, arm: Vec3) -> [f32; 8] {
        let linear = n * self.inverse_mass.sqrt();
        let angular = self
            .inverse_inertia
            .square_root()
            .mul(self.axis, arm.cross(n));
        let growth = if self.inverse_growth_inertia > 0.0 {
            stretch(self.axis, self.half_length, arm).dot(n) * self.inverse_growth_inertia.sqrt()
        } else {
            0.0
        };
        let [x, y, z] = linear.to_array();
        let [u, v, w] = angular.to_array();
        [x, y, z, u, v, w, growth, 0.0]
    }
}

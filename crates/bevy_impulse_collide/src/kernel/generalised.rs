use glam::Vec3;

use super::{growth::stretch, inertia::InverseInertia};

/// How readily the seven degrees of freedom of a body are moved: the diagonal of W = diag(1/m, I⁻¹, 1/G), by which generalised
/// momenta (p, L, g) become the velocities (v, ω, L̇). All zero for what nothing moves.
///
/// The point at `r` from the centre of a capsule along â moves with v + ω × r + â·(s/L)·L̇, s = ⟨â, r⟩ held within ±L/2, so it has
/// J = (1, −\[r\]×, â·s/L). In momenta that is the matrix M = J·W = (1/m, −\[r\]×·I⁻¹, â·s/(L·G)), and all contacts at once ask for
/// MᵀM·Δp = MᵀV, with a 7×7 block for each pair of bodies. Written out, for contacts of the normal n,
///
/// | block of nᵀM_r and nᵀM_s | p | L | g |
/// | --- | --- | --- | --- |
/// | p | n⊗n/(m₁·m₂) | n⊗I₂⁻¹(s×n)/m₁ | n·γ_s/m₁ |
/// | L | I₁⁻¹(r×n)⊗n/m₂ | I₁⁻¹(r×n)⊗I₂⁻¹(s×n) | I₁⁻¹(r×n)·γ_s |
/// | g | γ_r·n/m₂ | γ_r·I₂⁻¹(s×n) | γ_r·γ_s |
///
/// with γ_r = ⟨â₁, n⟩·s₁/(L₁·G₁). Such blocks are found in print with other entries: with I⁻¹ for one number, though it is three for
/// a rod; with +\[r\]× for −\[r\]×; with ½·⟨â, r⟩/l for s/L, which is right for l = L/2 and wrong beyond the cylinder's ends; with the
/// growth's velocity along r instead of â; with the entries between p and L lacking 1/m; and without n, as if contacts
/// stuck. What is worse, their least squares give a contact's impulse to its bodies as Mᵀ·λ, in proportion to 1/m, so bodies of
/// unlike masses do not act on each other alike. An impulse is Jᵀ·λ. Mass-weighted momenta W^(1/2)·(p, L, g) mend that: there both
/// are one matrix, M·W^(−1/2) = J·W^(1/2).
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
    /// The row nᵀ·J·W^(1/2) of a contact at `arm` from the centre, with J = (1, −\[r\]×, â·s/L): its product with the
    /// mass-weighted momenta W^(1/2)·(p, L, g) is the velocity of the point along `n`, and its transpose takes an impulse along
    /// `n` to the change of these. The eighth number is zero.
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

//! The seven degrees of freedom of a capsule that grows, for the global solver.

use glam::{Quat, Vec3};

use super::{growth::stretch, inertia::InverseInertia};

/// The mobility of the seven degrees of freedom of a body: W = diag(1/m, I⁻¹, 1/G). It turns the generalised momenta (p, L, g)
/// into the velocities (v, ω, L̇). It is zero for a body that nothing moves.
///
/// The point at `r` from the centre of a capsule along â moves with v + ω × r + â·(s/L)·L̇, where s = ⟨â, r⟩ is clamped to
/// ±L/2. So it has J = (1, −\[r\]×, â·s/L). In momenta this is the matrix M = J·W = (1/m, −\[r\]×·I⁻¹, â·s/(L·G)). All contacts
/// together give the system MᵀM·Δp = MᵀV, with a 7×7 block for each pair of bodies. For contacts with the normal n, the block
/// is
///
/// | block of nᵀM_r and nᵀM_s | p | L | g |
/// | --- | --- | --- | --- |
/// | p | n⊗n/(m₁·m₂) | n⊗I₂⁻¹(s×n)/m₁ | n·γ_s/m₁ |
/// | L | I₁⁻¹(r×n)⊗n/m₂ | I₁⁻¹(r×n)⊗I₂⁻¹(s×n) | I₁⁻¹(r×n)·γ_s |
/// | g | γ_r·n/m₂ | γ_r·I₂⁻¹(s×n) | γ_r·γ_s |
///
/// with γ_r = ⟨â₁, n⟩·s₁/(L₁·G₁). The literature has such blocks with other entries:
///
/// - I⁻¹ as one number, although a rod has three
/// - +\[r\]× instead of −\[r\]×
/// - ½·⟨â, r⟩/l instead of s/L; it is right for l = L/2, and wrong beyond the ends of the cylinder
/// - the growth's velocity along r instead of â
/// - no factor 1/m in the entries between p and L
/// - no n, as if contacts stuck
///
/// There is also an error in principle. The least squares give the impulse of a contact to its bodies as Mᵀ·λ, in proportion to
/// 1/m. So bodies with different masses get different impulses. The right impulse is Jᵀ·λ. Mass-weighted momenta W^(1/2)·(p, L,
/// g) correct this: with them both matrices are the same, M·W^(−1/2) = J·W^(1/2).
#[derive(Clone, Copy, Debug)]
pub struct Mobility {
    /// 1/m in 1/kg.
    pub inverse_mass: f32,
    /// I⁻¹.
    pub inverse_inertia: InverseInertia,
    /// 1/G in 1/kg; zero for a body that does not grow.
    pub inverse_growth_inertia: f32,
    /// Rotation of the body.
    pub rotation: Quat,
    /// Unit vector along the body.
    pub axis: Vec3,
    /// From the centre to the centre of either half-ball, in m.
    pub half_length: f32,
}

impl Mobility {
    /// The row nᵀ·J·W^(1/2) of a contact at `arm` from the centre, with J = (1, −\[r\]×, â·s/L). Its product with the
    /// mass-weighted momenta W^(1/2)·(p, L, g) is the velocity of the point along `n`. Its transpose turns an impulse along `n`
    /// into the change of these momenta. The eighth number is zero.
    pub fn row(&self, n: Vec3, arm: Vec3) -> [f32; 8] {
        let linear = n * self.inverse_mass.sqrt();
        let angular = self
            .inverse_inertia
            .square_root()
            .mul(self.rotation, arm.cross(n));
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

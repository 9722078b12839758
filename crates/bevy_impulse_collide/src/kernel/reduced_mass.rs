//! Reduced masses of pairs, and their shares.

/// Reduced mass of a pair from the inverse masses: m_ab = 1/(1/m_a + 1/m_b), in kg (ICM B.6). It is zero if both bodies are
/// immovable.
pub fn reduced_mass(inverse_mass_a: f32, inverse_mass_b: f32) -> f32 {
    let sum = inverse_mass_a + inverse_mass_b;
    if sum > 0.0 { 1.0 / sum } else { 0.0 }
}

/// Reduced mass over the mass of `a`: m_ab/m_a = m_b/(m_a + m_b) (ICM c.1). It is one if `b` is immovable, and zero if `a` is
/// immovable.
pub fn reduced_mass_ratio(inverse_mass_a: f32, inverse_mass_b: f32) -> f32 {
    inverse_mass_a * reduced_mass(inverse_mass_a, inverse_mass_b)
}

/// The part of an angular momentum that goes to `a` of a pair, in proportion to its moment of inertia, so that both angular velocities
/// change equally: I_a/(I_a + I_b), from the inverse moments. Where nothing can turn either body, it is a half.
pub fn inertia_share(inverse_inertia_a: f32, inverse_inertia_b: f32) -> f32 {
    match inverse_inertia_a + inverse_inertia_b {
        0.0 => 0.5,
        sum => inverse_inertia_b / sum,
    }
}

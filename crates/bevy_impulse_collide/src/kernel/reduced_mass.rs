//! Reduced masses of pairs.

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

//! The push that takes an overlap out, and what it does to angular momentum.

use glam::Vec3;

/// Projection factor of a spring: k_p = k_s·h²/m_ab, with k_s in N/m, the sum of the inverse masses 1/m_ab in 1/kg and the
/// step h in s (ICM B.22). Under 0.5 the spring is stable for equal masses.
pub fn projection_factor(stiffness: f32, inverse_mass: f32, h: f32) -> f32 {
    stiffness * inverse_mass * h * h
}

/// Shift of `a` along the normal, in m: k_p·(m_ab/m_a)·Δx (ICM B.18).
///
/// It is the share of `a` in a push that removes the part `k_p` of an `overlap`. `b` moves by its own share against the normal.
pub fn projection_shift(k_p: f32, reduced_mass_ratio: f32, overlap: f32) -> f32 {
    k_p * reduced_mass_ratio * overlap
}

/// The change of the relative velocity v_ab that keeps the angular momentum of a pair in a projection.
///
/// The projection pushes the pair apart by `push` = Δ·n, in m. `x_ab` is x_a − x_b before the push.
///
/// A push changes the pair's angular momentum by m_ab·Δ·n × v_ab. For balls, x_ab is along n. A factor d/(d + Δ) on the
/// tangential relative velocity keeps d·v_t, as in a free flight over this distance. In general the change δu solves (x_ab +
/// Δ·n) × δu = −Δ·n × v_ab. It can solve the part across x_ab + Δ·n only. The part along x_ab + Δ·n must go to the spins. If
/// the centres nearly coincide, all of it must go to the spins, and δu is zero.
pub fn projection_velocity_change(x_ab: Vec3, v_ab: Vec3, push: Vec3) -> Vec3 {
    let x = x_ab + push;
    let xx = x.length_squared();
    if xx <= 16.0 * push.length_squared() {
        return Vec3::ZERO;
    }
    // For any vector l, x × (l × x) is |x|²·l without its part along x.
    (-push.cross(v_ab)).cross(x) / xx
}

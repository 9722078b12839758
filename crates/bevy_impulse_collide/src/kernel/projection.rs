use glam::Vec3;

/// Projection factor of a spring: k_p = k_s·h²/m_ab, with k_s in N/m, the sum of the inverse masses 1/m_ab in 1/kg and the
/// step h in s (ICM B.22). Under 0.5 the spring is stable for equal masses.
pub fn projection_factor(stiffness: f32, inverse_mass: f32, h: f32) -> f32 {
    stiffness * inverse_mass * h * h
}

/// Shift of `a` along the normal that takes the part `k_p` of an `overlap` away, its share of it: k_p·(m_ab/m_a)·Δx, in m
/// (ICM B.18). `b` moves by its own share against the normal.
pub fn projection_shift(k_p: f32, reduced_mass_ratio: f32, overlap: f32) -> f32 {
    k_p * reduced_mass_ratio * overlap
}

/// The change of the relative velocity v_ab that keeps the angular momentum of a pair which a projection pushes apart by
/// `push` = Δ·n, in m; `x_ab` is x_a − x_b before.
///
/// A push changes the pair's angular momentum by m_ab·Δ·n × v_ab. For balls, where x_ab is along n, the cure is to scale
/// the tangential relative velocity by d/(d + Δ), so that d·v_t stays: what free flight over that distance would have
/// done. In general the change δu solves (x_ab + Δ·n) × δu = −Δ·n × v_ab, as far as that is across x_ab + Δ·n. What is
/// along it no velocity can give: it is left for the spins. So is all of it where the centres nearly coincide.
pub fn projection_velocity_change(x_ab: Vec3, v_ab: Vec3, push: Vec3) -> Vec3 {
    let x = x_ab + push;
    let xx = x.length_squared();
    if xx <= 16.0 * push.length_squared() {
        return Vec3::ZERO;
    }
    // For any vector l, x × (l × x) is |x|²·l less its part along x.
    (-push.cross(v_ab)).cross(x) / xx
}

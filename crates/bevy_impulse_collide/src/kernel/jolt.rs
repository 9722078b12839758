//! The normal impulse of an impact.

/// Change of the velocity of `a` along the normal: −(1 + e)·(m_ab/m_a)·v_n, in m/s (ICM c.2).
///
/// In an impact `v_n` is below zero. So the jolt points along the normal, away from `b`.
pub fn normal_jolt(restitution: f32, reduced_mass_ratio: f32, v_n: f32) -> f32 {
    -(1.0 + restitution) * reduced_mass_ratio * v_n
}

/// Normal impulse of an impact without friction: j = −(1 + e)·m_ab·v_n, in N·s (ICM 5.16). It acts on `a` along the normal.
pub fn normal_impulse(restitution: f32, reduced_mass: f32, v_n: f32) -> f32 {
    -(1.0 + restitution) * reduced_mass * v_n
}

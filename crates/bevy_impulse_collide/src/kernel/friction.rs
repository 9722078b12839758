use glam::Vec3;

/// Tangential part of a relative velocity: v_t = v − n⟨n, v⟩ (ICM B.13).
pub fn tangential_velocity(velocity: Vec3, normal: Vec3) -> Vec3 {
    velocity - normal * normal.dot(velocity)
}

/// Coulomb's friction impulse on `a`, in N·s, against the sliding velocity `v_t` of the contact point (ICM c.4).
///
/// Its magnitude is μ·j, or `tangential_mass`·|v_t| if this is smaller. The second impulse just stops the sliding, so friction
/// never reverses it. `tangential_mass` is the effective mass of the pair along the tangent, in kg.
pub fn clipped_friction(
    v_t: Vec3,
    friction: f32,
    normal_impulse: f32,
    tangential_mass: f32,
) -> Vec3 {
    let speed = v_t.length();
    if speed == 0.0 {
        return Vec3::ZERO;
    }
    let limit = friction * normal_impulse;
    -v_t * (limit / speed).min(tangential_mass)
}

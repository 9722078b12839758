//! Coulomb's friction at an impact.

use glam::Vec3;

/// Tangential part of a relative velocity: v_t = v − n⟨n, v⟩ (ICM B.13).
pub fn tangential_velocity(velocity: Vec3, normal: Vec3) -> Vec3 {
    velocity - normal * normal.dot(velocity)
}

/// The relative velocity that stands for `velocity` in an impact of tangential restitution β: v + β·v_t.
///
/// Surfaces that give way along themselves push back, as those of a superball. Friction that would stop a sliding of (1 + β)·v_t
/// turns the sliding v_t round, to −β·v_t, unless it reaches Coulomb's limit (O. R. Walton and R. L. Braun, Viscosity, granular
/// temperature, and stress calculations for shearing assemblies of inelastic, frictional disks, J. Rheol. 30 (1986) 949).
pub fn with_tangential_restitution(velocity: Vec3, normal: Vec3, restitution: f32) -> Vec3 {
    velocity + restitution * tangential_velocity(velocity, normal)
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

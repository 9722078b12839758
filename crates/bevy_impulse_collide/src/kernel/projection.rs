use glam::Vec3;

use super::{InverseInertia, reduced_mass, reduced_mass_ratio};

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

/// A pair of free bodies that is about to be pushed apart, as [`conserve_angular_momentum`] needs it.
#[derive(Clone, Copy, Debug)]
pub struct PairProjection {
    /// x_a − x_b before the push, in m.
    pub x_ab: Vec3,
    /// v_a − v_b of the centres, in m/s.
    pub v_ab: Vec3,
    /// Δ·n: how far the push takes the centres apart, in m.
    pub push: Vec3,
    /// 1/m_a and 1/m_b, in 1/kg, both above zero.
    pub inverse_mass: (f32, f32),
    /// Inverse inertia and axis of `a` and of `b`.
    pub inertia: ((InverseInertia, Vec3), (InverseInertia, Vec3)),
}

/// The velocity changes that keep the angular momentum of a pair which a projection pushes apart: of the velocities of `a`
/// and `b`, then of their angular velocities.
///
/// A push Δ·n changes the pair's angular momentum by m_ab·Δ·n × v_ab. For balls, where x_ab is along n, the cure is to
/// scale the tangential relative velocity by d/(d + Δ), so that d·v_t stays: what free flight over that distance would
/// have done. In general the velocity change δu, shared so that momentum stays, solves
/// (x_ab + Δ·n) × δu = −Δ·n × v_ab as far as that is across x_ab + Δ·n; the rest goes into the spins.
pub fn conserve_angular_momentum(pair: PairProjection) -> (Vec3, Vec3, Vec3, Vec3) {
    let (w_a, w_b) = pair.inverse_mass;
    let m_ab = reduced_mass(w_a, w_b);
    let lack = -pair.push.cross(pair.v_ab);
    let x = pair.x_ab + pair.push;
    let xx = x.length_squared();
    // Centres that all but coincide have no arm for a velocity to act on: all of it is spin then.
    let across = if xx > 16.0 * pair.push.length_squared() {
        lack - x * (x.dot(lack) / xx)
    } else {
        Vec3::ZERO
    };
    let du = if xx > 0.0 { across.cross(x) / xx } else { Vec3::ZERO };
    let rest = (lack - across) * m_ab;
    let ((inertia_a, axis_a), (inertia_b, axis_b)) = pair.inertia;
    let (ease_a, ease_b) = (inertia_a.transverse, inertia_b.transverse);
    // The body that is harder to turn takes more of the angular momentum, so both change their spin alike.
    let share_a = ease_b / (ease_a + ease_b);
    (
        du * reduced_mass_ratio(w_a, w_b),
        -du * reduced_mass_ratio(w_b, w_a),
        inertia_a.mul(axis_a, rest * share_a),
        inertia_b.mul(axis_b, rest * (1.0 - share_a)),
    )
}

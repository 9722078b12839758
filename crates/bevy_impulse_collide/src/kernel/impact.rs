//! The impulse of one impact with friction, by the laws of Newton, Poisson and Stronge.

use bevy::prelude::{Reflect, ReflectDefault};
#[cfg(feature = "serde")]
use bevy::prelude::{ReflectDeserialize, ReflectSerialize};
use glam::{Mat3, Quat, Vec3};

use super::{
    friction::{clipped_friction, tangential_velocity},
    inertia::InverseInertia,
    jolt::normal_impulse,
};

/// The inverse effective mass of a pair at its contact point. An impulse P there changes the relative velocity by Δv_rel = K·P,
/// with K = (1/m_a + 1/m_b)·1 − R_a·I_a⁻¹·R_a − R_b·I_b⁻¹·R_b and R the cross-product matrix of the lever arm.
#[derive(Clone, Copy, Debug)]
pub struct EffectiveMass {
    /// K in 1/kg.
    pub k: Mat3,
}

impl EffectiveMass {
    /// From each body's inverse mass, inverse inertia, rotation, and arm from its centre to the contact point.
    pub fn new(
        (inverse_mass_a, inertia_a, rotation_a, arm_a): (f32, InverseInertia, Quat, Vec3),
        (inverse_mass_b, inertia_b, rotation_b, arm_b): (f32, InverseInertia, Quat, Vec3),
    ) -> Self {
        let column = |p: Vec3| {
            p * (inverse_mass_a + inverse_mass_b)
                + inertia_a.mul(rotation_a, arm_a.cross(p)).cross(arm_a)
                + inertia_b.mul(rotation_b, arm_b.cross(p)).cross(arm_b)
        };
        Self {
            k: Mat3::from_cols(column(Vec3::X), column(Vec3::Y), column(Vec3::Z)),
        }
    }

    /// ⟨u, K·u⟩: the inverse effective mass along the unit vector `u`, in 1/kg.
    pub fn inverse_along(&self, u: Vec3) -> f32 {
        u.dot(self.k * u)
    }
}

/// The law of restitution: the two quantities that the coefficient of restitution e relates.
///
/// An impact has a phase of compression, until the normal velocity is zero, and then a phase of restitution. Without friction,
/// all three laws give the same impulse. For balls they do so with friction, too.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// # let mut config = CollisionConfig::default();
/// config.impact_law = ImpactLaw::Newton;
/// ```
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub enum ImpactLaw {
    /// Velocities: the normal velocity changes from v_n to −e·v_n. With friction off-centre this can create energy.
    Newton,
    /// Impulses: restitution gives e times the normal impulse of compression. With friction off-centre, the normal force can
    /// return more work than it took. Friction takes more work at the same time.
    Poisson,
    /// Work: restitution returns e² times the work that the normal impulse took in compression. So it never creates energy
    /// (W. J. Stronge, Rigid body collisions with friction, 1990).
    #[default]
    Stronge,
}

/// Impulse on `a`, in N·s, of an impact at one point with Coulomb's friction and the restitution of `law`.
///
/// `velocity` is the relative velocity of the contact points, with ⟨n, v⟩ < 0. If the line along the normal goes through both
/// centres, as for balls, K has no coupling between normal and tangent. Then the impulse is the ICM's jolt with clipped
/// friction.
pub fn impact_impulse(
    law: ImpactLaw,
    mass: EffectiveMass,
    normal: Vec3,
    velocity: Vec3,
    restitution: f32,
    friction: f32,
) -> Vec3 {
    let v_n = normal.dot(velocity);
    let k_n = mass.inverse_along(normal);
    let frictionless = normal * normal_impulse(restitution, k_n.recip(), v_n);
    let v_t = tangential_velocity(velocity, normal);
    let coupled = mass.k * normal - normal * k_n;
    let is_coupled = coupled.length_squared() > 1e-10 * k_n * k_n;
    if friction == 0.0 || (v_t == Vec3::ZERO && !is_coupled) {
        return frictionless;
    }
    if is_coupled {
        return follow_impact(law, mass, normal, velocity, restitution, friction).impulse;
    }
    let tangential_mass = mass.inverse_along(v_t.normalize()).recip();
    let j = frictionless.dot(normal);
    frictionless + clipped_friction(v_t, friction, j, tangential_mass)
}

/// Number of steps of [`follow_impact`] for an impulse that stops an approach at the full relative speed.
const STEPS: f32 = 128.0;

/// The result of an impact that was followed from the first touch until the bodies part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FollowedImpact {
    /// Impulse on `a`, in N·s.
    pub impulse: Vec3,
    /// Work of the normal impulse in compression, in J: zero or less.
    pub compression_work: f32,
    /// Work of the normal impulse in restitution, in J: zero or more.
    pub restitution_work: f32,
}

/// Follows an impact in which friction and the normal impulse act on each other (B. Mirtich, Impulse-based Dynamic Simulation,
/// 1996, chapter 3).
///
/// The normal impulse p grows in small steps dp. In each step, friction stops the sliding, or gives Coulomb's limit μ·dp
/// against it. So the sliding can change its direction, stop and stick during the impact. Inside a step all is linear, so the
/// ends of compression and restitution are found exactly there.
pub fn follow_impact(
    law: ImpactLaw,
    mass: EffectiveMass,
    n: Vec3,
    velocity: Vec3,
    restitution: f32,
    friction: f32,
) -> FollowedImpact {
    let dp = impulse_step(mass, n, velocity);
    let (mut impulse, mut v) = (Vec3::ZERO, velocity);
    let mut phases = Phases::new(law, restitution, n.dot(velocity));
    while !phases.is_over {
        let step = n * dp + friction_step(mass, n, v, friction * dp, dp);
        let part = phases.advance(dp, n.dot(v), n.dot(mass.k * step));
        impulse += step * part;
        v += mass.k * step * part;
    }
    FollowedImpact {
        impulse,
        compression_work: phases.compression.map_or(phases.work, |(_, work)| work),
        restitution_work: phases.compression.map_or(0.0, |_| phases.work),
    }
}

/// Step of the normal impulse in N·s, for an impact that is followed.
pub(super) fn impulse_step(mass: EffectiveMass, n: Vec3, velocity: Vec3) -> f32 {
    velocity.length() / mass.inverse_along(n) / STEPS
}

/// The progress of an impact that is followed.
pub(super) struct Phases {
    law: ImpactLaw,
    restitution: f32,
    v_n_before: f32,
    steps: f32,
    /// Normal impulse in N·s, and its work in the present phase in J.
    p: f32,
    work: f32,
    /// Both at the end of compression, once it is over.
    compression: Option<(f32, f32)>,
    /// Whether the bodies part.
    pub is_over: bool,
}

impl Phases {
    /// The beginning of an impact with the normal velocity `v_n_before`.
    pub fn new(law: ImpactLaw, restitution: f32, v_n_before: f32) -> Self {
        Self {
            law,
            restitution,
            v_n_before,
            steps: 0.0,
            p: 0.0,
            work: 0.0,
            compression: None,
            // Of so slow an approach, rounding would leave nothing to follow.
            is_over: v_n_before > -1e-30,
        }
    }

    /// Advances by the impulse `dp`, which changes the normal velocity from `v_n` to `v_n + dv_n`. Returns the part of it until
    /// the present phase ends, or 1 if it does not end.
    pub fn advance(&mut self, dp: f32, v_n: f32, dv_n: f32) -> f32 {
        // The work of a part s is (v_n + s·dv_n/2)·s·dp.
        let end = match self.compression {
            None if v_n + dv_n >= 0.0 => Some(-v_n / dv_n),
            None => None,
            Some((p_c, work_c)) => match self.law {
                ImpactLaw::Newton => {
                    (dv_n > 0.0).then(|| (-self.restitution * self.v_n_before - v_n) / dv_n)
                }
                ImpactLaw::Poisson => Some(((1.0 + self.restitution) * p_c - self.p) / dp),
                ImpactLaw::Stronge => {
                    let lack = (-(self.restitution * self.restitution) * work_c - self.work) / dp;
                    Some(part_for_work(v_n, dv_n, lack))
                }
            },
        };
        let part = end.map_or(1.0, |s| s.clamp(0.0, 1.0));
        self.work += (v_n + 0.5 * part * dv_n) * part * dp;
        self.p += part * dp;
        self.steps += 1.0;
        if end.is_some_and(|s| s <= 1.0) {
            self.is_over = self.compression.is_some() || self.restitution == 0.0;
            if self.compression.is_none() {
                self.compression = Some((self.p, self.work));
                self.work = 0.0;
            }
        }
        // A jammed contact needs more impulse than a free one. This is the limit.
        self.is_over |= self.steps >= 64.0 * STEPS;
        part
    }
}

/// Smallest s ≥ 0 with v·s + dv·s²/2 = `work`, for v, dv ≥ 0. It is above 1 if the work needs more than this step.
fn part_for_work(v: f32, dv: f32, work: f32) -> f32 {
    let v = v.max(0.0);
    let root = (v * v + 2.0 * dv.max(0.0) * work.max(0.0)).sqrt();
    if v + root > 0.0 {
        2.0 * work.max(0.0) / (v + root)
    } else {
        f32::INFINITY
    }
}

/// The tangential impulse that leaves no sliding after a normal impulse `dp`. If it is above `limit`: the impulse `limit`
/// against the sliding.
pub(super) fn friction_step(mass: EffectiveMass, n: Vec3, v: Vec3, limit: f32, dp: f32) -> Vec3 {
    let (t, s) = n.any_orthonormal_pair();
    let sliding = v + mass.k * n * dp;
    let (k_t, k_s) = (mass.k * t, mass.k * s);
    let (tt, ts, ss) = (t.dot(k_t), t.dot(k_s), s.dot(k_s));
    let determinant = tt * ss - ts * ts;
    let (v_t, v_s) = (sliding.dot(t), sliding.dot(s));
    let stop =
        t * ((ts * v_s - ss * v_t) / determinant) + s * ((ts * v_t - tt * v_s) / determinant);
    if stop.length_squared() <= limit * limit {
        return stop;
    }
    // It is more than friction can give.
    -tangential_velocity(sliding, n).normalize_or_zero() * limit
}

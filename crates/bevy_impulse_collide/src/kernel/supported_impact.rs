use glam::{Mat3, Vec3};

use super::{
    impact::{EffectiveMass, ImpactLaw},
    impact::{Phases, friction_step, impulse_step},
};

/// A contact at which an impact presses a body on what it lies on.
#[derive(Clone, Copy, Debug)]
pub struct Support {
    /// What the body's impulse at this contact does here.
    pub mass: EffectiveMass,
    /// What an impulse here does at the contact of the impact: Δv = `coupling`·P. Its transpose is the way back.
    pub coupling: Mat3,
    /// Unit vector from what supports to the body.
    pub normal: Vec3,
    /// Velocity of the body's point of contact.
    pub velocity: Vec3,
    /// Coefficient of sliding friction.
    pub friction: f32,
}

/// Δv at the end of `arm` on an impulse P at the end of `other_arm`, of one body: 1/m·1 − R·I⁻¹·R' with the cross-product
/// matrices of both arms. Of a ball, whose inverse inertia is one number.
pub fn coupling(inverse_mass: f32, inverse_inertia: f32, arm: Vec3, other_arm: Vec3) -> Mat3 {
    let column = |p: Vec3| p * inverse_mass + (other_arm.cross(p) * inverse_inertia).cross(arm);
    Mat3::from_cols(column(Vec3::X), column(Vec3::Y), column(Vec3::Z))
}

/// Impulses of an impact with something immovable, of a body that lies on something immovable and is pressed on it: at the
/// contact of the impact, and at the support, both on the body, in N·s.
///
/// A billiards cushion hits a ball above its centre, and the slate pushes back all the while. The impact is followed as in
/// [`follow_impact`](super::follow_impact); in each step the support gives the impulse that keeps the body from moving
/// into it, and Coulomb's friction for that (S. Mathavan, M. R. Jackson, R. M. Parkin: A theoretical analysis of billiard
/// ball dynamics under cushion impacts, 2010).
pub fn supported_impact_impulses(
    law: ImpactLaw,
    mass: EffectiveMass,
    n: Vec3,
    velocity: Vec3,
    (restitution, friction): (f32, f32),
    support: &Support,
) -> (Vec3, Vec3) {
    let dp = impulse_step(mass, n, velocity);
    let support_inverse_mass = support.mass.inverse_along(support.normal);
    let (mut v, mut v_support) = (velocity, support.velocity);
    let (mut impulse, mut support_impulse) = (Vec3::ZERO, Vec3::ZERO);
    let mut phases = Phases::new(law, restitution, n.dot(velocity));
    while !phases.is_over {
        let step = n * dp + friction_step(mass, n, v, friction * dp, dp);
        let pressed = v_support + support.coupling.transpose() * step;
        let push = (-support.normal.dot(pressed) / support_inverse_mass).max(0.0);
        let support_step = support.normal * push
            + friction_step(
                support.mass,
                support.normal,
                pressed,
                support.friction * push,
                push,
            );
        let dv = mass.k * step + support.coupling * support_step;
        let part = phases.advance(dp, n.dot(v), n.dot(dv));
        impulse += step * part;
        support_impulse += support_step * part;
        v += dv * part;
        v_support += (pressed - v_support + support.mass.k * support_step) * part;
    }
    (impulse, support_impulse)
}

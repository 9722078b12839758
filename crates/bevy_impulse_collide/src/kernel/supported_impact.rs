//! An impact that presses a body on its support.

use glam::{Mat3, Vec3};

use super::{
    impact::{EffectiveMass, ImpactLaw},
    impact::{Phases, friction_step, impulse_step},
};

/// A contact between a body and its support. An impact presses the body on the support.
#[derive(Clone, Copy, Debug)]
pub struct Support {
    /// The effective mass of the body at this contact.
    pub mass: EffectiveMass,
    /// An impulse P here changes the velocity at the contact of the impact by Δv = `coupling`·P. The transpose holds for the
    /// other direction.
    pub coupling: Mat3,
    /// Unit vector from the support to the body.
    pub normal: Vec3,
    /// Velocity of the body at its contact point.
    pub velocity: Vec3,
    /// Coefficient of sliding friction.
    pub friction: f32,
}

/// The matrix C = 1/m·1 − R·I⁻¹·R', with the cross-product matrices R of `arm` and R' of `other_arm`. An impulse P on a body at
/// the end of `other_arm` changes its velocity at the end of `arm` by C·P. The body is a ball: its inverse inertia is one
/// number.
pub fn coupling(inverse_mass: f32, inverse_inertia: f32, arm: Vec3, other_arm: Vec3) -> Mat3 {
    let column = |p: Vec3| p * inverse_mass + (other_arm.cross(p) * inverse_inertia).cross(arm);
    Mat3::from_cols(column(Vec3::X), column(Vec3::Y), column(Vec3::Z))
}

/// Impulses of an impact that presses a body on its support. Both the other body of the impact and the support are immovable.
///
/// Returns the impulse at the contact of the impact and the impulse at the support, both on the body, in N·s.
///
/// An example is a billiards cushion. It hits a ball above its centre, and the slate pushes back during the whole impact. The
/// impact is followed as in [`follow_impact`](super::follow_impact). In each step, the support gives the impulse that stops the
/// body from moving into it, and the Coulomb friction that belongs to this impulse (S. Mathavan, M. R. Jackson, R. M. Parkin: A
/// theoretical analysis of billiard ball dynamics under cushion impacts, 2010).
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

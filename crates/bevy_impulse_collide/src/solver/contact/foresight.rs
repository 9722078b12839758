//! What a contact that slides will give in the next substep.

use super::{contact_rate, row::Rows};
use crate::body::Bodies;

/// Mends the contact accelerations, with which the next substep's flights start, of bodies that slide on the ground, or on
/// what else nothing moves, and will soon have ceased to.
///
/// A contact that rests or rolls gives in the next substep what it gave in this one; so does one that slides on. But one that
/// ceases to slide does not: what it will give is what stops the sliding, at most Coulomb's μ·N. A ball that is hit just
/// then would else be hit with the speed that friction no longer takes from it.
pub(super) fn foresee(bodies: &mut Bodies, rows: &Rows) {
    for (row, general) in rows.rows.iter().zip(&rows.general) {
        let Some((body, sign)) = bodies.free_on_held(row.a as usize, row.b as usize) else {
            continue;
        };
        let limit = row.friction * row.normal_impulse;
        if general.slid() <= 1e-3 * limit {
            continue;
        }
        let arm = row.point.point - bodies.position[body];
        let velocity = sign * bodies.point_velocity(body, arm);
        let next = general.stop(velocity).clamp_length_max(limit);
        let change = sign * (next - row.friction_impulse);
        let rate = contact_rate(bodies.steps[body], bodies.h);
        let turn = bodies.inverse_inertia[body].mul(bodies.axis[body], arm.cross(change));
        bodies.contact_acceleration[body] += change * (bodies.inverse_mass[body] * rate);
        bodies.contact_angular_acceleration[body] += turn * rate;
    }
}

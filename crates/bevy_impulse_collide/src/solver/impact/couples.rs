//! The couples that conserve the angular momentum of bodies with different accelerations.

use bevy::prelude::*;
use smallvec::SmallVec;

use super::impact_set::{ImpactBody, ImpactSet};
use crate::body::Bodies;

/// Energy that the conserving couples may create, as a fraction of the energy of the impacts.
const COUPLE_ENERGY: f32 = 1e-3;

impl ImpactSet {
    /// Energy in J that the couples may give to the spins: that which the impulses have taken, and a little of the energy of the
    /// impacts.
    fn energy_for_couples(&self) -> f32 {
        let (mut power, mut change) = (0.0, 0.0);
        for impact in &self.points {
            power += impact.impulse.dot(impact.velocity).abs();
            let mean_velocity = impact.velocity + 0.5 * self.velocity_change(impact);
            change += impact.impulse.dot(mean_velocity);
        }
        (-change).max(0.0) + COUPLE_ENERGY * power
    }

    /// Gives the couples that conserve the angular momentum: the part f of them with the energy f·b + f²·c. If a body's path in a
    /// substep is much longer than its radius, all of them could give more energy than the impacts have.
    pub(super) fn give_couples(&mut self, bodies: &Bodies) {
        let energy = self.energy_for_couples();
        let couples: SmallVec<[(usize, Vec3); 8]> = self
            .points
            .iter()
            .filter_map(|impact| Some((impact.a?, impact.b?, impact.impulse)))
            .flat_map(|(a, b, impulse)| {
                let (of_a, of_b) = self.conserving_couples(bodies, a, b, impulse);
                [(a, of_a), (b, of_b)]
            })
            .collect();
        let turn = |body: &ImpactBody, local: usize, couple: Vec3| {
            bodies.inverse_inertia[self.bodies[local] as usize].mul(body.at.axis, couple)
        };
        let (mut linear, mut quadratic) = (0.0, 0.0);
        for &(local, couple) in &couples {
            let body = &self.impact_bodies[local];
            linear += couple.dot(body.at.w + body.dw);
            quadratic += 0.5 * couple.dot(turn(body, local, couple));
        }
        let part = if linear + quadratic <= energy {
            1.0
        } else {
            // The greater root of f·b + f²·c = energy.
            let root = (linear * linear + 4.0 * quadratic * energy).sqrt();
            2.0 * energy / (linear + root)
        };
        let part = if part.is_finite() {
            part.clamp(0.0, 1.0)
        } else {
            0.0
        };
        for (local, couple) in couples {
            let change = part * turn(&self.impact_bodies[local], local, couple);
            self.impact_bodies[local].dw += change;
        }
    }

    /// The couples that conserve the angular momentum of a dynamic pair to round-off if its bodies have different accelerations.
    ///
    /// The integration moves a body in a straight line, y(s) = x + v(t+h/2)·s, but the impact is on the parabola beside this line.
    /// For the balance of angular momentum the arm of the impulse pair is y_a − y_b; in truth it is x_a − x_b. The small
    /// difference, (y_a − y_b − x_a + x_b) × P, is taken back from the spins. It is zero in a uniform field.
    fn conserving_couples(
        &self,
        bodies: &Bodies,
        local_a: usize,
        local_b: usize,
        impulse: Vec3,
    ) -> (Vec3, Vec3) {
        let beside = |local: usize| {
            let (i, at) = (self.bodies[local] as usize, &self.impact_bodies[local].at);
            let half_kick = (bodies.acceleration[i].as_vec3() - bodies.contact_acceleration[i])
                * (0.5 * bodies.h);
            bodies.launch_position[i] + (bodies.velocity[i] + half_kick) * self.time - at.x
        };
        let excess = (beside(local_a) - beside(local_b)).cross(impulse);
        let (inverse_inertia_a, inverse_inertia_b) = (
            bodies.inverse_inertia[self.bodies[local_a] as usize].transverse,
            bodies.inverse_inertia[self.bodies[local_b] as usize].transverse,
        );
        let share_a = inverse_inertia_b / (inverse_inertia_a + inverse_inertia_b);
        (-excess * share_a, -excess * (1.0 - share_a))
    }
}

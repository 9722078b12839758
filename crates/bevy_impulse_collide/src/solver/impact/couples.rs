//! The couples that conserve the angular momentum of bodies with different accelerations.

use bevy::prelude::*;
use smallvec::SmallVec;

use super::{impact_point::ImpactBody, impact_set::ImpactSet};
use crate::{body::Bodies, kernel::inertia_share, shape::smaller_radius};

/// Energy that the conserving couples may create, as a fraction of the energy of the impacts.
const COUPLE_ENERGY: f32 = 1e-3;

/// Distance of a parabola beside the straight line, in radii, above which the energy of the couples is limited.
const FAR: f32 = 0.1;

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

    /// Gives the couples that conserve the angular momentum. If a body's parabola leads far beside the straight line, by more than a
    /// part of its radius, they could give more energy than the impacts have. Then it gives the part f of them with the energy
    /// f·b + f²·c that the impacts can spare.
    pub(super) fn give_couples(&mut self, bodies: &Bodies) {
        let energy = self.energy_for_couples();
        let mut couples = SmallVec::<[(usize, Vec3); 8]>::new();
        let mut is_far = false;
        for impact in &self.points {
            let (Some(a), Some(b), None) = (impact.a, impact.b, impact.changes) else {
                continue;
            };
            let beside = self.beside(bodies, a) - self.beside(bodies, b);
            let shape = |local: usize| &bodies.shape[self.bodies[local] as usize];
            is_far |= beside.length() > FAR * smaller_radius(shape(a), shape(b));
            let (of_a, of_b) = self.conserving_couples(bodies, [a, b], beside, impact.impulse);
            couples.extend([(a, of_a), (b, of_b)]);
        }
        let turn = |body: &ImpactBody, local: usize, couple: Vec3| {
            bodies.inverse_inertia[self.bodies[local] as usize].mul(body.at.rotation, couple)
        };
        let (mut linear, mut quadratic) = (0.0, 0.0);
        for &(local, couple) in &couples {
            let body = &self.impact_bodies[local];
            linear += couple.dot(body.at.w + body.dw);
            quadratic += 0.5 * couple.dot(turn(body, local, couple));
        }
        let part = if !is_far || linear + quadratic <= energy {
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
        locals: [usize; 2],
        beside: Vec3,
        impulse: Vec3,
    ) -> (Vec3, Vec3) {
        let excess = beside.cross(impulse);
        let [of_a, of_b] = locals.map(|local| {
            let i = self.bodies[local] as usize;
            bodies.inverse_inertia[i].across()
        });
        let share_a = inertia_share(of_a, of_b);
        (-excess * share_a, -excess * (1.0 - share_a))
    }

    /// y − x: the point of the straight line, from the place of the body at the time of the set.
    fn beside(&self, bodies: &Bodies, local: usize) -> Vec3 {
        let (i, at) = (self.bodies[local] as usize, &self.impact_bodies[local].at);
        let half_kick =
            (bodies.acceleration[i].as_vec3() - bodies.contact_acceleration[i]) * (0.5 * bodies.h);
        bodies.flight_origin(i) + (bodies.velocity[i].as_vec3() + half_kick) * self.time - at.x
    }
}

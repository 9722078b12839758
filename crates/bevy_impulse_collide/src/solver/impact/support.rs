//! An impact that presses a ball on the plane that it lies on.

use super::{impact_point::ImpactPoint, impact_set::ImpactSet};
use crate::{
    body::Bodies,
    collision::contact_points,
    config::CollisionConfig,
    kernel::{Support, coupling, supported_impact_impulses},
    shape::Shape,
};

impl ImpactSet {
    /// The contact of a ball with a plane, if the set's only impact, of this ball with an immovable body, presses the ball on the
    /// plane. The contact joins the set.
    pub(super) fn support(
        &mut self,
        bodies: &Bodies,
        config: &CollisionConfig,
        impact: &ImpactPoint,
    ) -> Option<ImpactPoint> {
        let (local, n) = match (impact.a, impact.b) {
            (Some(a), None) => (a, impact.point.normal),
            (None, Some(b)) => (b, -impact.point.normal),
            _ => return None,
        };
        let (a, b) = self.pairs[impact.pair];
        let ball = if impact.a.is_some() { a } else { b };
        let Shape::Particle { radius } = bodies.shape[ball as usize] else {
            return None;
        };
        if !bodies.is_plain_ball(ball as usize) || impact.changes.is_some() {
            return None;
        }
        let at = self.impact_bodies[local].at;
        let is_support = |&&plane: &&u32| {
            if !bodies.may_collide(ball as usize, plane as usize) {
                return false;
            }
            let plane = bodies.fly(plane as usize, self.time);
            let (up, apart) = (plane.axis, at.x - plane.x);
            let gap = up.dot(apart) - radius;
            let velocity = at.v - plane.v - plane.w.cross(apart - up * radius);
            // A faster approach is a separate impact.
            let resting = config.resting_speed
                + bodies.h * bodies.acceleration[ball as usize].length() as f32;
            up.dot(n) < 0.0
                && gap <= config.contact_margin * radius
                && up.dot(velocity).abs() <= resting
        };
        let plane = *bodies.planes.iter().find(is_support)?;
        let (a, b) = (ball.min(plane), ball.max(plane));
        let points = contact_points(bodies, a as usize, b as usize, self.time);
        let point = *points.first()?;
        self.pairs.push((a, b));
        let locals = [a, b].map(|i| (i == ball).then_some(local));
        let [at_a, at_b] = [a, b].map(|i| bodies.fly(i as usize, self.time));
        let pair = self.pairs.len() - 1;
        Some(self.impact_point(bodies, config, pair, locals, [&at_a, &at_b], point))
    }

    /// Finds the impulses of an impact that presses a ball on its support.
    pub(super) fn press(
        &mut self,
        bodies: &Bodies,
        config: &CollisionConfig,
        impact: ImpactPoint,
        support: ImpactPoint,
    ) {
        // All signs are for the ball.
        let of_ball = |impact: &ImpactPoint| match impact.a {
            Some(_) => (1.0, impact.arm_a),
            None => (-1.0, impact.arm_b),
        };
        let ((sign, arm), (support_sign, support_arm)) = (of_ball(&impact), of_ball(&support));
        let ball = self.bodies[impact.a.or(impact.b).unwrap_or_default()] as usize;
        let (impulse, support_impulse) = supported_impact_impulses(
            config.impact_law,
            impact.mass,
            impact.point.normal * sign,
            impact.velocity * sign,
            (impact.restitution, impact.friction),
            &Support {
                mass: support.mass,
                coupling: coupling(
                    bodies.inverse_mass[ball],
                    bodies.inverse_inertia[ball].across(),
                    arm,
                    support_arm,
                ),
                normal: support.point.normal * support_sign,
                velocity: support.velocity * support_sign,
                friction: support.friction,
            },
        );
        self.points[0].impulse = impulse * sign;
        self.points.push(ImpactPoint {
            impulse: support_impulse * support_sign,
            ..support
        });
    }
}

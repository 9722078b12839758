//! Impacts on colliders that lie flush: they are one surface, and give one impulse.

use bevy::math::Vec3;

use super::{impact_point::ImpactPoint, impact_set::ImpactSet};
use crate::{body::Bodies, shape::geometry::is_same_normal};

/// Distance of two points, over the radius, up to which they are one.
const SAME_PLACE: f32 = 1e-2;

impl ImpactSet {
    /// Removes points at which a body hits a second collider at the place where it hits a first one, or between two such places.
    pub(super) fn join_flush(&mut self, bodies: &Bodies) {
        if bodies.seams.is_empty() || self.points.len() < 2 {
            return;
        }
        let mut k = 0;
        while k < self.points.len() {
            if self.is_joined(bodies, k) {
                let point = self.points.remove(k);
                for local in [point.a, point.b].into_iter().flatten() {
                    self.impact_bodies[local].contacts -= 1;
                }
            } else {
                k += 1;
            }
        }
    }

    /// Whether point `k` is one with an earlier one, or lies between two others.
    fn is_joined(&self, bodies: &Bodies, k: usize) -> bool {
        let Some((body, collider)) = self.on_collider(bodies, &self.points[k]) else {
            return false;
        };
        let point = &self.points[k].point;
        let is_on_same_face = |other: &ImpactPoint| {
            self.on_collider(bodies, other)
                .is_some_and(|(other, _)| other == body)
                && is_same_normal(other.point.normal, point.normal)
        };
        let is_other =
            |other: &ImpactPoint| self.on_collider(bodies, other) != Some((body, collider));
        let near = SAME_PLACE * bodies.shape[body].radius();
        let apart = |other: &ImpactPoint| other.point.point - point.point;
        let mut earlier = self.points[..k].iter().filter(|it| is_on_same_face(it));
        if earlier.any(|it| is_other(it) && apart(it).length() <= near) {
            return true;
        }
        let axis = bodies.shape[body].core_half(self.axis_of(bodies, body));
        let Some(axis) = axis.try_normalize() else {
            return false;
        };
        let others = self.points.iter().filter(|it| is_on_same_face(it));
        let mut is_beyond = [false; 2];
        let mut is_of_other = false;
        for other in others {
            let along = axis.dot(apart(other));
            is_beyond[0] |= along < -near;
            is_beyond[1] |= along > near;
            is_of_other |= is_other(other);
        }
        is_of_other && is_beyond == [true; 2]
    }

    /// The round body and the collider of a point.
    fn on_collider(&self, bodies: &Bodies, point: &ImpactPoint) -> Option<(usize, usize)> {
        let (a, b) = self.pairs[point.pair];
        let (a, b) = (a as usize, b as usize);
        match (bodies.shape[a].is_collider(), bodies.shape[b].is_collider()) {
            (false, true) => Some((a, b)),
            (true, false) => Some((b, a)),
            _ => None,
        }
    }

    fn axis_of(&self, bodies: &Bodies, body: usize) -> Vec3 {
        let local = self.index_of(body as u32).filter(|_| !bodies.is_part(body));
        local.map_or_else(
            || bodies.fly(body, self.time).axis,
            |local| self.impact_bodies[local].at.axis,
        )
    }
}

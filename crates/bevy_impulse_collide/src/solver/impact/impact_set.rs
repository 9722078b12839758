//! Impacts that happen at the same moment, resolved together.

use bevy::prelude::*;
use smallvec::SmallVec;

use super::{
    impact_point::{ImpactBody, ImpactPoint, JoinedChange},
    normal_impulses::NormalImpulses,
};
use crate::{
    body::{Bodies, Flight},
    collision::{Manifold, ManifoldPoint, SlowApproach, approach, contact_points},
    config::CollisionConfig,
    kernel::{
        EffectiveMass, clipped_friction, impact_impulse, tangential_velocity,
        with_tangential_restitution,
    },
    messages::Impact,
    shape::{Shape, smaller_radius},
    solver::joint::Joints,
};

/// Gap, as a fraction of the smaller radius, within which impacts count as simultaneous. It is a few times the gap that rounding
/// puts between impacts that are simultaneous by symmetry.
const SIMULTANEOUS_GAP: f32 = 1e-4;

/// The impacts of one moment.
///
/// Impacts resolved one after another would break the symmetry of a rack; all contacts as one system would break Newton's cradle.
/// Generalised reflections keep both (Smith, Kaufman, Vouga, Tamstorf, Grinspun: Reflections on Simultaneous Impact, 2012). Only
/// the touching contacts that approach take part. The velocities are projected on the nearest velocities, by kinetic energy, at
/// which none of these contacts approaches. Then they are reflected: v' = v + (1 + e)·(v_projected − v). The contacts that approach
/// after that make the next set, at the same moment. With e = 1 a reflection keeps the energy. Every sum of contact impulses keeps
/// the momenta.
#[derive(Debug, Default)]
pub(super) struct ImpactSet {
    pub(super) time: f32,
    pub(super) pairs: Vec<(u32, u32)>,
    pub(super) bodies: Vec<u32>,
    /// Index in the set, plus one, of each body of the world; zero for a body outside.
    pub(super) index: Vec<u32>,
    pub(super) impact_bodies: Vec<ImpactBody>,
    pub(super) points: Vec<ImpactPoint>,
    /// How impulses at points on joined bodies change all bodies that are joined to them.
    pub(super) joined: Vec<JoinedChange>,
    normal_impulses: NormalImpulses,
}

impl ImpactSet {
    /// Starts a set of impacts at `time` seconds into the substep.
    pub fn begin(&mut self, time: f32) {
        self.time = time;
        for &i in &self.bodies {
            self.index[i as usize] = 0;
        }
        self.pairs.clear();
        self.bodies.clear();
        self.impact_bodies.clear();
        self.points.clear();
        self.joined.clear();
    }

    /// Whether the impact of `a` and `b`, predicted for `time`, counts as an impact of this moment.
    pub fn is_simultaneous(
        &self,
        bodies: &Bodies,
        config: &CollisionConfig,
        (a, b): (u32, u32),
        time: f32,
    ) -> bool {
        if time == self.time {
            return true;
        }
        let (a, b) = (a as usize, b as usize);
        let radius = smaller_radius(&bodies.shape[a], &bodies.shape[b]);
        let points = contact_points(bodies, a, b, self.time);
        if bodies.has_collider(a, b) {
            // A body may rest on one part of a collider while it flies towards another.
            let (at_a, at_b) = (bodies.fly(a, self.time), bodies.fly(b, self.time));
            let slow = SlowApproach::of(bodies, config, a, b);
            return points.iter().any(|p| {
                let resting = slow.along(p.normal);
                p.depth >= -SIMULTANEOUS_GAP * radius && approach(&at_a, &at_b, p) < -resting
            });
        }
        points
            .first()
            .is_some_and(|p| p.depth >= -SIMULTANEOUS_GAP * radius)
    }

    /// Adds the impact of `a` and `b`.
    pub fn add(&mut self, a: u32, b: u32) {
        self.pairs.push((a, b));
    }

    /// The number of pairs that meet.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// The dynamic bodies whose flight the set has changed.
    pub fn bodies(&self) -> &[u32] {
        &self.bodies
    }

    /// Index of a body in [`bodies`](Self::bodies).
    pub fn index_of(&self, i: u32) -> Option<usize> {
        let index = self.index.get(i as usize).copied().unwrap_or(0) as usize;
        index.checked_sub(1)
    }

    /// Finds the impulses, gives them to the bodies, and records the impacts.
    pub fn resolve(
        &mut self,
        bodies: &mut Bodies,
        config: &CollisionConfig,
        joints: Option<&mut Joints>,
        resolved: &mut Vec<Impact>,
    ) {
        for pair in 0..self.pairs.len() {
            self.add_points(bodies, config, pair);
        }
        self.join_flush(bodies);
        if let Some(joints) = joints {
            self.find_joined(bodies, joints);
        }
        if let [impact] = self.points[..] {
            let is_joined = impact.changes.is_some();
            if is_joined && impact.velocity.dot(impact.point.normal) >= 0.0 {
                // Its joints keep it from closing.
            } else if let Some(support) = self.support(bodies, config, &impact) {
                self.press(bodies, config, impact, support);
            } else {
                self.points[0].impulse = impact_impulse(
                    config.impact_law,
                    impact.mass,
                    impact.point.normal,
                    impact.velocity,
                    impact.restitution,
                    impact.friction,
                );
            }
        } else {
            self.reflect(bodies);
            self.find_friction(bodies);
        }
        self.apply(bodies);
        self.note(bodies, resolved);
    }

    fn add_points(&mut self, bodies: &Bodies, config: &CollisionConfig, pair: usize) {
        let (a, b) = self.pairs[pair];
        let locals = [self.local(bodies, a), self.local(bodies, b)];
        let (a, b) = (a as usize, b as usize);
        let (at_a, at_b) = (bodies.fly(a, self.time), bodies.fly(b, self.time));
        let mut points: Manifold = contact_points(bodies, a, b, self.time);
        points.retain(|p| approach(&at_a, &at_b, p) < 0.0);
        if bodies.has_collider(a, b) && points.len() > 1 {
            let slow = SlowApproach::of(bodies, config, a, b);
            let is_impact = |p: &ManifoldPoint| {
                let resting = slow.along(p.normal);
                approach(&at_a, &at_b, p) < -resting
            };
            if points.iter().any(is_impact) {
                points.retain(|p| is_impact(p));
            }
        }
        for point in points {
            for local in locals.into_iter().flatten() {
                self.impact_bodies[local].contacts += 1;
            }
            let impact = self.impact_point(bodies, config, pair, locals, [&at_a, &at_b], point);
            self.points.push(impact);
        }
    }

    /// A contact point of a pair of the set, with its bodies' indices in the set and their flights.
    pub(super) fn impact_point(
        &self,
        bodies: &Bodies,
        config: &CollisionConfig,
        pair: usize,
        [local_a, local_b]: [Option<usize>; 2],
        [at_a, at_b]: [&Flight; 2],
        point: ManifoldPoint,
    ) -> ImpactPoint {
        let (a, b) = self.pairs[pair];
        let (a, b) = (a as usize, b as usize);
        // A ball's arm lies exactly along the normal. A rounding error across the normal would couple the impact's normal and
        // tangential parts, and throw a flat scene out of its plane.
        let arm = |i: usize, at: &Flight, along: f32| match bodies.shape[i] {
            Shape::Particle { .. } => point.normal * (along * (point.point - at.x).length()),
            Shape::Capsule { .. } | Shape::Plane | Shape::Collider | Shape::Compound { .. } => {
                point.point - at.x
            }
        };
        let (arm_a, arm_b) = (arm(a, at_a, -1.0), arm(b, at_b, 1.0));
        let velocity = at_a.v + at_a.w.cross(arm_a) - at_b.v - at_b.w.cross(arm_b);
        // From the centre of mass of a part's compound.
        let from_centre_of_mass = |i: usize, at: &Flight, local: Option<usize>, arm: Vec3| {
            let whole = local.filter(|_| bodies.is_aside(i));
            whole.map_or(arm, |local| arm + (at.x - self.impact_bodies[local].at.x))
        };
        let arm_a = from_centre_of_mass(a, at_a, local_a, arm_a);
        let arm_b = from_centre_of_mass(b, at_b, local_b, arm_b);
        let sliding = bodies.sliding_of_surfaces((a, b), point.normal, velocity);
        let velocity = match bodies.tangential_restitution_of(a, b) {
            0.0 => sliding,
            rebound => with_tangential_restitution(sliding, point.normal, rebound),
        };
        ImpactPoint {
            pair,
            a: local_a,
            b: local_b,
            point,
            arm_a,
            arm_b,
            mass: EffectiveMass::new(
                (
                    bodies.inverse_mass[a],
                    bodies.inverse_inertia[a],
                    at_a.rotation,
                    arm_a,
                ),
                (
                    bodies.inverse_mass[b],
                    bodies.inverse_inertia[b],
                    at_b.rotation,
                    arm_b,
                ),
            ),
            velocity,
            restitution: bodies.restitution_of(config.restitution, a, b),
            friction: bodies.friction_of(config.friction, a, b),
            normal_impulse: 0.0,
            impulse: Vec3::ZERO,
            changes: None,
        }
    }

    /// Index of a dynamic body in the set, which it joins if it is new. No impact changes the flight of any other body.
    pub(super) fn local(&mut self, bodies: &Bodies, i: u32) -> Option<usize> {
        if !bodies.is_dynamic(i as usize) {
            return None;
        }
        let i = bodies.whole_of(i as usize) as u32;
        if self.index.len() < bodies.len() {
            self.index.resize(bodies.len(), 0);
        }
        let index = &mut self.index[i as usize];
        if *index == 0 {
            self.bodies.push(i);
            self.impact_bodies.push(ImpactBody {
                at: bodies.fly(i as usize, self.time),
                dv: Vec3::ZERO,
                dw: Vec3::ZERO,
                calmed: [Vec3::ZERO; 2],
                contacts: 0,
            });
            *index = self.bodies.len() as u32;
        }
        Some(*index as usize - 1)
    }

    /// Normal impulses: projects the velocities, then adds the restitution.
    fn reflect(&mut self, bodies: &Bodies) {
        let in_set = (&self.bodies[..], &self.impact_bodies[..]);
        let has_settled = self
            .normal_impulses
            .find(&self.points, &self.joined, in_set, bodies);
        let impulses = self.normal_impulses.impulses();
        for (impact, impulse) in self.points.iter_mut().zip(impulses) {
            impact.normal_impulse = impulse;
        }
        let is_moving = |i: u32| !bodies.is_dynamic(i as usize) && !bodies.is_steady(i as usize);
        let is_driven = |&(a, b): &(u32, u32)| is_moving(a) || is_moving(b);
        if !has_settled && self.pairs.iter().any(is_driven) {
            // Walls that close leave no velocity that closes on none of them, and the impulses grow without end. Their sums are
            // velocities of bodies between the walls; their sums with different factors are not.
            for impact in &mut self.points {
                impact.restitution = 0.0;
            }
        }
        // Contacts of different restitution can together add energy; a single restitution cannot.
        if self.give_back(bodies, |impact| impact.restitution) > 0.0 {
            let least = self
                .points
                .iter()
                .map(|impact| impact.restitution)
                .fold(1.0, f32::min);
            self.give_back(bodies, |_| least);
        }
        for impact in &mut self.points {
            impact.normal_impulse = impact.impulse.dot(impact.point.normal);
        }
    }

    /// Gives every contact (1 + e) times its projecting impulse, with e from `restitution`. Returns the work in J.
    fn give_back(&mut self, bodies: &Bodies, restitution: impl Fn(&ImpactPoint) -> f32) -> f32 {
        for body in &mut self.impact_bodies {
            (body.dv, body.dw) = (Vec3::ZERO, Vec3::ZERO);
        }
        for k in 0..self.points.len() {
            let impact = self.points[k];
            let impulse =
                impact.point.normal * (impact.normal_impulse * (1.0 + restitution(&impact)));
            self.push(bodies, &impact, impulse);
            self.points[k].impulse = impulse;
        }
        let mean_velocity =
            |impact: &ImpactPoint| impact.velocity + 0.5 * self.velocity_change(impact);
        self.points
            .iter()
            .map(|impact| impact.impulse.dot(mean_velocity(impact)))
            .sum()
    }

    /// Friction against the sliding that the normal impulses leave, for all contacts at once so that symmetry holds. If a body has
    /// several contacts, each uses only its share of the tangential mass, so that together they do not reverse the sliding.
    fn find_friction(&mut self, bodies: &Bodies) {
        let frictions: SmallVec<[Vec3; 8]> = self
            .points
            .iter()
            .map(|impact| {
                let n = impact.point.normal;
                let v_t = tangential_velocity(impact.velocity + self.velocity_change(impact), n);
                let Some(t) = v_t.try_normalize() else {
                    return Vec3::ZERO;
                };
                let shares = [impact.a, impact.b]
                    .into_iter()
                    .flatten()
                    .map(|local| self.impact_bodies[local].contacts)
                    .max()
                    .unwrap_or(1);
                let mass = 1.0 / (impact.mass.inverse_along(t) * shares as f32);
                clipped_friction(v_t, impact.friction, impact.normal_impulse, mass)
            })
            .collect();
        for (k, friction) in frictions.into_iter().enumerate() {
            let impact = self.points[k];
            self.push(bodies, &impact, friction);
            self.points[k].impulse += friction;
        }
    }

    /// Change of the relative velocity at a contact by the impulses found so far.
    pub(super) fn velocity_change(&self, impact: &ImpactPoint) -> Vec3 {
        let at = |local: Option<usize>, arm: Vec3| {
            local.map_or(Vec3::ZERO, |local| {
                self.impact_bodies[local].dv + self.impact_bodies[local].dw.cross(arm)
            })
        };
        at(impact.a, impact.arm_a) - at(impact.b, impact.arm_b)
    }

    fn push(&mut self, bodies: &Bodies, impact: &ImpactPoint, impulse: Vec3) {
        if let Some((first, count)) = impact.changes {
            for change in &self.joined[first as usize..][..count as usize] {
                let body = &mut self.impact_bodies[change.local];
                body.dv += change.v * impulse;
                body.dw += change.w * impulse;
            }
            return;
        }
        for (local, arm, impulse) in [
            (impact.a, impact.arm_a, impulse),
            (impact.b, impact.arm_b, -impulse),
        ] {
            if let Some(local) = local {
                let i = self.bodies[local] as usize;
                let body = &mut self.impact_bodies[local];
                body.dv += impulse * bodies.inverse_mass[i];
                body.dw += bodies.inverse_inertia[i].mul(body.at.rotation, arm.cross(impulse));
            }
        }
    }

    /// Gives the impulses, and the couples that conserve the angular momentum, to the bodies.
    fn apply(&mut self, bodies: &mut Bodies) {
        for body in &mut self.impact_bodies {
            [body.dv, body.dw] = body.calmed;
        }
        for k in 0..self.points.len() {
            let impact = self.points[k];
            self.push(bodies, &impact, impact.impulse);
        }
        self.give_couples(bodies);
        for (&i, body) in self.bodies.iter().zip(&self.impact_bodies) {
            bodies.jolt(i as usize, &body.at, self.time, body.dv, body.dw);
            bodies.place_parts_of(i as usize);
        }
    }

    /// One message per pair, for one contact point or two.
    fn note(&self, bodies: &Bodies, resolved: &mut Vec<Impact>) {
        for points in self.points.chunk_by(|one, other| one.pair == other.pair) {
            let (a, b) = self.pairs[points[0].pair];
            let (a, b) = (bodies.entity[a as usize], bodies.entity[b as usize]);
            // In the message, `a` is the body whose entity sorts first.
            let sign = if a < b { 1.0 } else { -1.0 };
            let share = 1.0 / points.len() as f32;
            let normal: Vec3 = points.iter().map(|impact| impact.point.normal).sum();
            resolved.push(Impact {
                a: a.min(b),
                b: a.max(b),
                impulse: sign * points.iter().map(|impact| impact.impulse).sum::<Vec3>(),
                point: points.iter().map(|impact| impact.point.point * share).sum(),
                normal: sign * normal.normalize_or(points[0].point.normal),
                approach_speed: points
                    .iter()
                    .map(|impact| -impact.point.normal.dot(impact.velocity))
                    .fold(0.0, f32::max),
                time: bodies.time + self.time,
            });
        }
    }
}

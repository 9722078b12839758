//! The rows of the contacts of a substep.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use crate::contact::ContactPoint;

/// Overlap, as a fraction of the smaller radius, that stays. Without it a contact at rest opens and closes in turn.
const SLOP: f32 = 1e-3;

/// A contact with its wanted speed and its impulses so far.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The contact.
    pub point: ContactPoint,
    /// Wanted normal speed in m/s: −e·v of an impact, or β/h times the overlap.
    pub target: f32,
    /// Mass along the normal, in kg.
    pub normal_mass: f32,
    /// The smaller one of the masses along two tangents, in kg.
    pub tangent_mass: f32,
    /// P in N·s.
    pub normal_impulse: f32,
    /// F in N·s.
    pub friction_impulse: Vec3,
}

/// The rows of these contacts, for the velocities before gravity. Of an overlap, the fraction `bias` is to vanish in a substep.
pub fn rows(
    bodies: &Bodies,
    points: &[ContactPoint],
    config: &CollisionConfig,
    bias: f32,
) -> Vec<Row> {
    points
        .iter()
        .map(|point| {
            let speed = point.velocity(bodies).dot(point.normal);
            let bounce = if speed < -config.resting_speed {
                -point.restitution * speed
            } else {
                0.0
            };
            let radius = [point.a, point.b]
                .map(|i| bodies.get(i).shape().radius())
                .into_iter()
                .filter(|&radius| radius > 0.0)
                .fold(f32::MAX, f32::min);
            let overlap = (point.depth - SLOP * radius).max(0.0);
            Row::new(
                bodies,
                *point,
                bounce.max(bias / bodies.substep() * overlap),
            )
        })
        .collect()
}

impl Row {
    /// A row without impulses.
    pub fn new(bodies: &Bodies, point: ContactPoint, target: f32) -> Self {
        let (one, other) = point.normal.any_orthonormal_pair();
        let mass = |along| point.effective_mass(bodies, along);
        Self {
            target,
            normal_mass: mass(point.normal),
            tangent_mass: mass(one).min(mass(other)),
            normal_impulse: 0.0,
            friction_impulse: Vec3::ZERO,
            point,
        }
    }

    /// The whole impulse, normal and tangential, in N·s.
    pub fn impulse(&self) -> Vec3 {
        self.normal_impulse * self.point.normal + self.friction_impulse
    }

    /// The impulses that fulfil this row alone, with the velocities as they are now: `relaxation` times the change from the impulses
    /// so far, projected on P ≥ 0 and |F| ≤ μ·P.
    pub fn wanted(&self, bodies: &Bodies, relaxation: f32) -> (f32, Vec3) {
        let n = self.point.normal;
        let v = self.point.velocity(bodies);
        let change = relaxation * (self.target - v.dot(n)) * self.normal_mass;
        let normal = (self.normal_impulse + change).max(0.0);
        let sliding = v.reject_from_normalized(n);
        let friction = self.friction_impulse - relaxation * self.tangent_mass * sliding;
        let limit = self.point.friction * normal;
        (normal, friction.clamp_length_max(limit))
    }

    /// Changes the impulses to these ones.
    pub fn set(&mut self, bodies: &mut Bodies, (normal, friction): (f32, Vec3)) {
        let change =
            (normal - self.normal_impulse) * self.point.normal + friction - self.friction_impulse;
        self.point.push(bodies, change);
        (self.normal_impulse, self.friction_impulse) = (normal, friction);
    }

    /// Fulfils this row.
    pub fn solve(&mut self, bodies: &mut Bodies, relaxation: f32) {
        let wanted = self.wanted(bodies, relaxation);
        self.set(bodies, wanted);
    }
}

/// The impulses of the substep before, by pair and by the number of the point in its pair.
#[derive(Default, Debug)]
pub struct Memory(HashMap<(Entity, Entity, usize), (f32, Vec3)>);

impl Memory {
    /// Starts the rows with this fraction of the impulses that they had in the substep before, which is a good guess.
    pub fn warm_start(&self, bodies: &mut Bodies, rows: &mut [Row], fraction: f32) {
        for (key, row) in keys(bodies, rows).into_iter().zip(rows) {
            if let Some(&(normal, friction)) = self.0.get(&key) {
                let friction = friction.reject_from_normalized(row.point.normal);
                row.set(bodies, (fraction * normal, fraction * friction));
            }
        }
    }

    /// Keeps the impulses of these rows.
    pub fn keep(&mut self, bodies: &Bodies, rows: &[Row]) {
        self.0.clear();
        let impulses = rows
            .iter()
            .map(|row| (row.normal_impulse, row.friction_impulse));
        self.0.extend(keys(bodies, rows).into_iter().zip(impulses));
    }
}

/// A name of each row that it keeps from step to step: its bodies, and the number of the point in its pair.
pub(super) fn keys(bodies: &Bodies, rows: &[Row]) -> Vec<(Entity, Entity, usize)> {
    let mut last = (usize::MAX, usize::MAX);
    let mut number = 0;
    let mut key = |row: &Row| {
        let pair = (row.point.a, row.point.b);
        number = if pair == last { number + 1 } else { 0 };
        last = pair;
        (
            bodies.get(pair.0).entity(),
            bodies.get(pair.1).entity(),
            number,
        )
    };
    rows.iter().map(&mut key).collect()
}

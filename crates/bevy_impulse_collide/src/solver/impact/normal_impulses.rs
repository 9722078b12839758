//! The normal impulses of a set of impacts: the nearest velocities at which none of its contacts approaches.

use glam::DVec3;

use super::impact_point::{ImpactBody, ImpactPoint, JoinedChange};
use crate::body::Bodies;

/// Largest number of sweeps. A set that still changes then is taken as it is.
const MAX_SWEEPS: u32 = 500;

/// Change of an impulse, as a fraction of the largest one, that is none.
const SETTLED: f64 = 1e-10;

/// One contact, in f64: in `f32`, two ends of a capsule that hit at once would get impulses that differ by rounding, and it would
/// begin to rock.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// The two bodies in the set, and the sign of the impulse on each.
    bodies: [(Option<usize>, f64); 2],
    normal: DVec3,
    /// Approach speed in m/s before the impacts; negative.
    speed: f64,
    /// r × n of each body, and the change of its spin by a unit impulse, I⁻¹·(r × n).
    levers: [DVec3; 2],
    turns: [DVec3; 2],
    inverse_masses: [f64; 2],
    /// ⟨n, K·n⟩ in 1/kg.
    inverse_mass: f64,
    impulse: f64,
    /// The changes by its impulse, if its bodies are joined to others.
    joined: Option<(u32, u32)>,
}

/// The change of a body's motion by the impulses so far.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    v: DVec3,
    w: DVec3,
    /// The last sweep that changed it.
    changed_in: u32,
}

/// The linear complementarity problem of a set: impulses only push, and where one does, the contact no longer approaches.
#[derive(Debug, Default)]
pub(super) struct NormalImpulses {
    rows: Vec<Row>,
    changes: Vec<Change>,
}

impl NormalImpulses {
    /// Finds the impulses at the points of a set, contact after contact, until nothing changes (Gauss–Seidel). Whether it has come to
    /// that.
    pub fn find(
        &mut self,
        points: &[ImpactPoint],
        joined: &[JoinedChange],
        in_set: (&[u32], &[ImpactBody]),
        bodies: &Bodies,
    ) -> bool {
        self.changes.clear();
        self.changes.resize(in_set.0.len(), Change::default());
        self.rows.clear();
        self.rows
            .extend(points.iter().map(|impact| Row::new(impact, in_set, bodies)));
        for sweep in 1..=MAX_SWEEPS {
            let (mut change, mut largest) = (0f64, 0f64);
            for row in &mut self.rows {
                largest = largest.max(row.impulse);
                let mut of = row.bodies.iter().filter_map(|&(local, _)| local);
                if sweep > 1 && of.all(|i| self.changes[i].changed_in + 1 < sweep) {
                    // It would find the same impulse again.
                    continue;
                }
                let speed = row.speed_with(&self.changes);
                let impulse = (row.impulse - speed / row.inverse_mass).max(0.0);
                let added = impulse - row.impulse;
                if added == 0.0 {
                    continue;
                }
                row.push(&mut self.changes, joined, added, sweep);
                change = change.max(added.abs());
                largest = largest.max(impulse);
                row.impulse = impulse;
            }
            if change <= SETTLED * largest {
                return true;
            }
        }
        false
    }

    /// The impulse in N·s of each contact.
    pub fn impulses(&self) -> impl Iterator<Item = f32> {
        self.rows.iter().map(|row| row.impulse as f32)
    }
}

impl Row {
    fn new(impact: &ImpactPoint, in_set: (&[u32], &[ImpactBody]), bodies: &Bodies) -> Self {
        let normal = impact.point.normal.as_dvec3();
        let sides = [(impact.a, impact.arm_a), (impact.b, impact.arm_b)];
        let levers = sides.map(|(_, arm)| arm.as_dvec3().cross(normal));
        let of = |side: usize| {
            let Some(local) = sides[side].0 else {
                return (0.0, DVec3::ZERO);
            };
            let (i, at) = (in_set.0[local] as usize, &in_set.1[local].at);
            let turn = bodies.inverse_inertia[i].precise_mul(at.rotation, levers[side]);
            (f64::from(bodies.inverse_mass[i]), turn)
        };
        let ((mass_a, turn_a), (mass_b, turn_b)) = (of(0), of(1));
        Self {
            bodies: [(impact.a, 1.0), (impact.b, -1.0)],
            normal,
            speed: normal.dot(impact.velocity.as_dvec3()),
            levers,
            turns: [turn_a, turn_b],
            inverse_masses: [mass_a, mass_b],
            inverse_mass: match impact.changes {
                None => mass_a + mass_b + levers[0].dot(turn_a) + levers[1].dot(turn_b),
                Some(_) => normal.dot(impact.mass.k.as_dmat3() * normal),
            },
            impulse: 0.0,
            joined: impact.changes,
        }
    }

    /// The approach speed with the changes so far.
    fn speed_with(&self, changes: &[Change]) -> f64 {
        let mut speed = self.speed;
        for (side, &(local, sign)) in self.bodies.iter().enumerate() {
            if let Some(local) = local {
                let Change { v, w, .. } = changes[local];
                speed += sign * (self.normal.dot(v) + self.levers[side].dot(w));
            }
        }
        speed
    }

    /// Gives the bodies an impulse along the normal.
    fn push(&self, changes: &mut [Change], joined: &[JoinedChange], impulse: f64, sweep: u32) {
        if let Some((first, count)) = self.joined {
            for by in &joined[first as usize..][..count as usize] {
                let change = &mut changes[by.local];
                change.v += by.v.as_dmat3() * self.normal * impulse;
                change.w += by.w.as_dmat3() * self.normal * impulse;
                change.changed_in = sweep;
            }
            return;
        }
        for (side, &(local, sign)) in self.bodies.iter().enumerate() {
            if let Some(local) = local {
                let change = &mut changes[local];
                change.v += self.normal * (sign * impulse * self.inverse_masses[side]);
                change.w += self.turns[side] * (sign * impulse);
                change.changed_in = sweep;
            }
        }
    }
}

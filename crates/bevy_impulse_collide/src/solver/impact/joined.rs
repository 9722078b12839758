//! Impacts on joined bodies: the impulse passes through the joints at once.

use bevy::prelude::*;
use glam::DVec3;
use smallvec::SmallVec;

use super::{
    impact_point::{ImpactPoint, JoinedChange},
    impact_set::ImpactSet,
};
use crate::{
    body::{Accelerations, Bodies},
    kernel::EffectiveMass,
    solver::joint::{Joints, StruckFlight},
};

/// Least part of what a point of its bodies alone would give way to an impulse along the normal. With less, joints hold the point where it
/// is: no impulse changes its velocity.
const LEAST_MOBILITY: f32 = 1e-6;

impl ImpactSet {
    /// Finds how impulses at points on joined bodies change the velocities of all bodies that are joined to them, and the effective
    /// masses there. These bodies join the set. Points that joints do not let move at all leave it.
    pub(super) fn find_joined(&mut self, bodies: &Bodies, joints: &mut Joints) {
        let mut struck = SmallVec::<[usize; 8]>::new();
        let mut held = SmallVec::<[usize; 8]>::new();
        for k in 0..self.points.len() {
            let impact = self.points[k];
            let of = [impact.a, impact.b].map(|local| {
                let i = self.bodies[local?] as usize;
                joints.articulation_of(i)
            });
            if of == [None; 2] {
                continue;
            }
            for articulation in of.into_iter().flatten() {
                if !struck.contains(&articulation) {
                    struck.push(articulation);
                    let since = joints.strike(bodies, articulation, self.time);
                    let members: SmallVec<[usize; 16]> = joints.bodies_of(articulation).collect();
                    for i in members {
                        self.local(bodies, i as u32);
                    }
                    self.calm(bodies, joints, articulation, since);
                }
            }
            self.add_changes(bodies, joints, k, &impact, of);
            let along = |mass: &EffectiveMass| mass.inverse_along(impact.point.normal);
            let alone = along(&impact.mass);
            let moves = along(&self.points[k].mass) > LEAST_MOBILITY * alone;
            if !moves {
                held.push(k);
            }
        }
        for k in held.into_iter().rev() {
            self.points.remove(k);
        }
        for impact in &mut self.points {
            let change = |local: Option<usize>, arm: Vec3| {
                let calmed =
                    local.map_or([Vec3::ZERO; 2], |local| self.impact_bodies[local].calmed);
                calmed[0] + calmed[1].cross(arm)
            };
            impact.velocity += change(impact.a, impact.arm_a) - change(impact.b, impact.arm_b);
        }
    }

    /// The bodies have flown freely up to the impact. What the joints do not allow of that must not add to its work.
    fn calm(&mut self, bodies: &Bodies, joints: &mut Joints, articulation: usize, since: f32) {
        let Self {
            index,
            impact_bodies,
            time,
            ..
        } = self;
        let local = |i: usize| (index[i] as usize).checked_sub(1);
        let mut changes = SmallVec::<[(usize, [Vec3; 2]); 16]>::new();
        let flight_of = |i: usize| {
            let at = bodies.fly(i, *time);
            let whole = match bodies.is_dynamic(i) {
                true => since,
                false => 0.0,
            };
            let of = |a: Vec3| (a * whole).as_dvec3();
            let by_joints = [
                of(bodies.joint_acceleration[i]),
                of(bodies.joint_angular_acceleration[i]),
            ];
            let all = Accelerations::of(bodies, i);
            let all = [of(all.linear), of(all.angular)];
            // Only a ball's flight turns by accelerations.
            let missing = match bodies.is_plain_ball(i) {
                true => DVec3::ZERO,
                false => all[1],
            };
            StruckFlight {
                now: [at.v.as_dvec3(), at.w.as_dvec3() + missing],
                by_joints,
                by_others: [all[0] - by_joints[0], all[1] - by_joints[1]],
            }
        };
        joints.calm(articulation, flight_of, |i, dv, dw| {
            if let Some(local) = local(i) {
                changes.push((local, [dv.as_vec3(), dw.as_vec3()]));
            }
        });
        for (local, change) in changes {
            impact_bodies[local].calmed = change;
        }
    }

    fn add_changes(
        &mut self,
        bodies: &Bodies,
        joints: &mut Joints,
        k: usize,
        impact: &ImpactPoint,
        of: [Option<usize>; 2],
    ) {
        let first = self.joined.len();
        let sides = [
            (impact.a, impact.arm_a, 1.0),
            (impact.b, impact.arm_b, -1.0),
        ];
        let add = |list: &mut Vec<JoinedChange>, local: usize, axis: usize, v: DVec3, w: DVec3| {
            let known = list[first..]
                .iter()
                .position(|change| change.local == local);
            let at = known.map_or_else(
                || {
                    list.push(JoinedChange {
                        local,
                        v: Mat3::ZERO,
                        w: Mat3::ZERO,
                    });
                    list.len() - 1
                },
                |known| first + known,
            );
            *list[at].v.col_mut(axis) += v.as_vec3();
            *list[at].w.col_mut(axis) += w.as_vec3();
        };
        for (axis, unit) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
            for (side, &(local, arm, sign)) in sides.iter().enumerate() {
                let Some(local) = local else {
                    continue;
                };
                let i = self.bodies[local] as usize;
                let push = |sign: f64, arm: Vec3| {
                    let p = sign * unit;
                    (p, arm.as_dvec3().cross(p))
                };
                let (p, l) = push(sign, arm);
                match of[side] {
                    Some(_) if side == 1 && of[0] == of[1] => {}
                    Some(articulation) => {
                        let mut pushes = SmallVec::<[(usize, DVec3, DVec3); 2]>::new();
                        pushes.push((i, p, l));
                        if let (0, Some(b), true) = (side, impact.b, of[0] == of[1]) {
                            let (p, l) = push(-1.0, impact.arm_b);
                            pushes.push((self.bodies[b] as usize, p, l));
                        }
                        let (index, joined) = (&self.index, &mut self.joined);
                        joints.respond(articulation, &pushes, |i, dv, dw| {
                            if let Some(local) = (index[i] as usize).checked_sub(1) {
                                add(joined, local, axis, dv, dw);
                            }
                        });
                    }
                    None => {
                        let at = self.impact_bodies[local].at.rotation;
                        let dv = p * f64::from(bodies.inverse_mass[i]);
                        let dw = bodies.inverse_inertia[i].precise_mul(at, l);
                        add(&mut self.joined, local, axis, dv, dw);
                    }
                }
            }
        }
        let at = |local: Option<usize>, arm: Vec3, axis: usize| {
            let of_local = |change: &&JoinedChange| Some(change.local) == local;
            let change = self.joined[first..].iter().find(of_local);
            change.map_or(Vec3::ZERO, |change| {
                change.v.col(axis) + change.w.col(axis).cross(arm)
            })
        };
        let column =
            |axis: usize| at(impact.a, impact.arm_a, axis) - at(impact.b, impact.arm_b, axis);
        let mass = EffectiveMass {
            k: Mat3::from_cols(column(0), column(1), column(2)),
        };
        let count = self.joined.len() - first;
        let point = &mut self.points[k];
        (point.mass, point.changes) = (mass, Some((first as u32, count as u32)));
    }
}

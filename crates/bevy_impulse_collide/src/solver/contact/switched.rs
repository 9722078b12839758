//! Contacts that a user has ended or changed since the last substep.
//!
//! The contacts of a substep give their half kick from t−h/2 to t at its end, so that v(t) is right. The next substep takes that half
//! kick back, and gives the impulse of the time from t−h/2 to t+h/2 in full: that lets each contact find its law anew, and no error
//! of the half kick stays. But a contact that a user ends at t, or whose law he changes, has given until t what it gave. Its half
//! kick stays in v(t), and what it gives from t on is that of a new contact: the impulse of half a substep.

use bevy::prelude::*;

use super::{
    cell::ContactCell, entry::StoredImpulse, graph::ContactGraph, report::Contact,
    view::ContactPoint,
};
use crate::body::Bodies;

/// The switched contacts of this substep, and memory kept between calls.
#[derive(Debug, Default)]
pub(super) struct SwitchedContacts {
    /// Those of awake bodies, each with its cell: the graph has them as the last substep left them.
    points: Vec<(usize, ContactPoint)>,
    /// The pairs that are still there, the lower index first; sorted.
    pairs: Vec<(u32, u32)>,
    /// What all contacts of the last substep gave to dynamic bodies.
    pushes: Vec<Push>,
    /// Sums of it for each body that has a switched contact.
    sums: Vec<Option<Sums>>,
    /// The revision of the bodies at the last call.
    revision: u64,
    /// Of each body, whether its contacts may be switched; and whether it touches such a body, or is one.
    marks: Vec<bool>,
    are_all_marked: bool,
    affected: Vec<bool>,
}

/// What a contact gave to one of its bodies.
#[derive(Clone, Copy, Debug)]
struct Push {
    body: u32,
    is_switched: bool,
    /// In N·s.
    impulse: Vec3,
    /// About the body's centre, in N·m·s.
    angular: Vec3,
}

/// What contacts gave to a body: accelerations in m/s² and rad/s².
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    all: (Vec3, Vec3),
    switched: (Vec3, Vec3),
    has_others: bool,
}

impl SwitchedContacts {
    /// Whether a contact of these two bodies, the lower index first, has been switched.
    fn is_switched(bodies: &Bodies, (a, b): (usize, usize)) -> bool {
        let is_ruled = || {
            let pair = (bodies.entity[a], bodies.entity[b]);
            let pair = (pair.0.min(pair.1), pair.0.max(pair.1));
            bodies.switched_pairs.binary_search(&pair).is_ok()
        };
        bodies.is_switched(a)
            || bodies.is_switched(b)
            || !bodies.may_collide(a, b)
            || (!bodies.switched_pairs.is_empty() && is_ruled())
    }

    /// Takes what switched contacts gave off the contact accelerations. `h` is the time in s for which the `graph` has impulses.
    /// `ended` are the links of other constraints that are no more, sorted.
    pub fn find(
        &mut self,
        bodies: &mut Bodies,
        graph: &ContactGraph,
        ended: &[(Entity, Entity)],
        h: f32,
    ) {
        self.points.clear();
        self.pairs.clear();
        let may_be_any = self.mark(bodies, ended, graph.entities.len());
        self.revision = bodies.renewal.revision();
        if !may_be_any || h == 0.0 {
            return;
        }
        self.pushes.clear();
        let carried = graph.list_carried();
        if carried.is_none() {
            let (marks, mut affected) = (&self.marks, std::mem::take(&mut self.affected));
            affected.clone_from(marks);
            let mut affect = |i: usize| {
                // What others give to the ground that such a body lies on does not matter.
                let is_dynamic = || {
                    let present = bodies.index_of(graph.entities[i]);
                    present.is_some_and(|i| bodies.is_dynamic(i))
                };
                affected[i] = affected[i] || is_dynamic();
            };
            graph.touching_bodies().for_each(|(a, b)| {
                let (a, b) = (a as usize, b as usize);
                if marks[a] || marks[b] {
                    affect(a);
                    affect(b);
                }
            });
            let is_affected = |a: u32, b: u32| affected[a as usize] || affected[b as usize];
            graph.points_between(is_affected).for_each(|(cell, point)| {
                let of = [point.a, point.b].map(|i| graph.entities[i as usize]);
                let centres = [point.a, point.b].map(|i| graph.poses[i as usize].position());
                let place = point.point(&graph.poses).point.as_dvec3();
                let arms = centres.map(|x| (place - x).as_vec3());
                let push = (point.impulse(), point.couple);
                if self.look_at(bodies, of, arms, push) {
                    self.points.push((cell, point));
                }
            });
            self.affected = affected;
        }
        for given in &graph.given {
            let [a, b] = given.bodies;
            let has_ended = ended.binary_search(&(a.min(b), a.max(b))).is_ok();
            let present = given.bodies.map(|entity| bodies.index_of(entity));
            let push = (given.impulse, given.couple);
            self.note_pushes(bodies, present, given.arms, push, has_ended);
        }
        let sleeping = carried
            .is_none()
            .then(|| self.affected_sleepers(bodies, graph));
        for contact in carried.iter().chain(&sleeping).flatten() {
            let of = [contact.a, contact.b];
            let arms = of.map(|entity| {
                let i = bodies.index_of(entity);
                i.map_or(Vec3::ZERO, |i| {
                    contact.point - bodies.centre_of_mass(i).as_vec3()
                })
            });
            self.look_at(bodies, of, arms, (contact.impulse, Vec3::ZERO));
        }
        self.pairs.sort_unstable();
        self.pairs.dedup();
        self.take_off(bodies, h);
    }

    /// The sleeping contacts of bodies whose contacts may be switched, and of dynamic bodies that touch such a body.
    fn affected_sleepers(&self, bodies: &Bodies, graph: &ContactGraph) -> Vec<Contact> {
        let sleeping = &graph.sleeping;
        if sleeping.is_empty() {
            return Vec::new();
        }
        if self.are_all_marked {
            return sleeping.contacts().copied().collect();
        }
        let marked = (0u32..).zip(&self.marks).filter(|(_, mark)| **mark);
        let mut affected: Vec<u32> = marked.map(|(i, _)| i).collect();
        for k in 0..affected.len() {
            let of = sleeping.contacts_of_body(affected[k]);
            let partners = of.flat_map(|((a, b), _)| [a, b]);
            let is_dynamic = |i: &u32| {
                let found = bodies.index_of(graph.entities[*i as usize]);
                found.is_some_and(|i| bodies.is_dynamic(i))
            };
            let partners: Vec<u32> = partners.filter(is_dynamic).collect();
            affected.extend(partners);
        }
        affected.sort_unstable();
        affected.dedup();
        let is_affected = |i: u32| affected.binary_search(&i).is_ok();
        let contacts = affected.iter().flat_map(|&i| {
            let of = sleeping.contacts_of_body(i);
            // Of two affected bodies, the lower one has the contact.
            of.filter(|&((a, _), _)| i == a || !is_affected(a))
                .collect::<Vec<_>>()
        });
        contacts
            .flat_map(|(_, contacts)| contacts)
            .copied()
            .collect()
    }

    /// Marks the bodies whose contacts may be switched, of `known` bodies that the last substep had. Returns whether there are any.
    fn mark(&mut self, bodies: &Bodies, ended: &[(Entity, Entity)], known: usize) -> bool {
        let Self {
            marks, revision, ..
        } = self;
        marks.clear();
        let changed = bodies.renewal.since(*revision);
        self.are_all_marked = changed.is_none();
        let Some(changed) = changed else {
            marks.resize(known, true);
            return true;
        };
        marks.resize(known, false);
        let ruled = bodies.switched_pairs.iter().chain(ended);
        let ruled = ruled.flat_map(|&(a, b)| [a, b].map(|entity| bodies.index_of(entity)));
        // What a ball gave that has merged, its survivor has taken over.
        let survivors = bodies.last_step.absorbed.iter();
        let survivors = survivors.filter_map(|&(_, survivor)| bodies.index_of(survivor));
        let all = (changed.iter().map(|&i| i as usize))
            .chain(bodies.active().filter(|&i| bodies.is_switched(i)))
            .chain(ruled.flatten())
            .chain(survivors)
            .chain(bodies.len()..known);
        let mut may_be_any = false;
        for i in all {
            may_be_any = true;
            if let Some(mark) = marks.get_mut(i) {
                *mark = true;
            }
        }
        may_be_any
    }

    /// Looks at a contact of the last substep between two bodies, with its impulse and couple. Returns whether it is switched.
    fn look_at(
        &mut self,
        bodies: &Bodies,
        of: [Entity; 2],
        arms: [Vec3; 2],
        push: (Vec3, Vec3),
    ) -> bool {
        // What a ball gave that has merged, its survivor has taken over.
        let of = of.map(|entity| bodies.last_step.survivor_of(entity));
        if of[0] == of[1] {
            return false;
        }
        let present = of.map(|entity| bodies.index_of(entity));
        let is_switched = match present {
            [Some(a), Some(b)] => Self::is_switched(bodies, (a.min(b), a.max(b))),
            _ => true,
        };
        if let ([Some(a), Some(b)], true) = (present, is_switched) {
            self.pairs.push((a.min(b) as u32, a.max(b) as u32));
        }
        self.note_pushes(bodies, present, arms, push, is_switched);
        is_switched
    }

    /// Notes what two bodies were given at their `arms`; a body that has gone has no index.
    fn note_pushes(
        &mut self,
        bodies: &Bodies,
        present: [Option<usize>; 2],
        arms: [Vec3; 2],
        (impulse, couple): (Vec3, Vec3),
        is_switched: bool,
    ) {
        for ((i, arm), sign) in present.into_iter().zip(arms).zip([1.0, -1.0]) {
            if let Some(i) = i.filter(|&i| bodies.is_dynamic(i)) {
                self.pushes.push(Push {
                    body: bodies.whole_of(i) as u32,
                    is_switched,
                    impulse: sign * impulse,
                    angular: arm.cross(sign * impulse) + sign * couple,
                });
            }
        }
    }

    fn take_off(&mut self, bodies: &mut Bodies, h: f32) {
        self.sums.clear();
        self.sums.resize(bodies.len(), None);
        for push in self.pushes.iter().filter(|push| push.is_switched) {
            self.sums[push.body as usize] = Some(Sums::default());
        }
        for push in &self.pushes {
            let i = push.body as usize;
            let Some(sums) = &mut self.sums[i] else {
                continue;
            };
            let (linear, angular) = accelerations(bodies, push, h);
            sums.all.0 += linear;
            sums.all.1 += angular;
            if push.is_switched {
                sums.switched.0 += linear;
                sums.switched.1 += angular;
            } else {
                sums.has_others |= push.impulse != Vec3::ZERO;
            }
        }
        for i in 0..bodies.len() {
            let Some(sums) = self.sums[i] else {
                continue;
            };
            bodies.activate(i);
            if !sums.has_others {
                // Nothing is left of what contacts gave.
                bodies.columns().start_anew(i);
                continue;
            }
            let linear = &mut bodies.contact_acceleration[i];
            *linear -= sums.switched.0 * share(*linear, sums.all.0);
            let angular = &mut bodies.contact_angular_acceleration[i];
            *angular -= sums.switched.1 * share(*angular, sums.all.1);
        }
    }

    /// Lets the solver start with half of the impulses of the switched contacts: they give for half as long.
    pub fn halve(&self, graph: &mut ContactGraph) {
        for (cell, point) in &self.points {
            graph.set_impulse(*cell, point, &scaled(point, 0.5));
        }
    }

    /// Adds what the solver has found for the switched contacts to the contact accelerations a second time: it is the impulse of
    /// half a substep. A body that starts anew has it already.
    pub fn add(&self, bodies: &mut Bodies, graph: &mut ContactGraph) {
        if self.pairs.is_empty() {
            return;
        }
        let h = bodies.h;
        let has_switched = |i: u32| self.sums[bodies.whole_of(i as usize)].is_some();
        let is_switched = |a: u32, b: u32| {
            (has_switched(a) || has_switched(b))
                && self.pairs.binary_search(&(a.min(b), a.max(b))).is_ok()
        };
        let points: Vec<(usize, ContactPoint)> = graph.points_between(is_switched).collect();
        for (cell, point) in &points {
            let place = point.point(&graph.poses).point;
            for (i, sign) in [(point.a, 1.0), (point.b, -1.0)] {
                let i = bodies.whole_of(i as usize);
                if bodies.is_dynamic(i) && !bodies.is_fresh(i) {
                    let impulse = sign * point.impulse();
                    let push = Push {
                        body: i as u32,
                        is_switched: true,
                        impulse,
                        angular: (place - bodies.position[i].as_vec3()).cross(impulse)
                            + sign * point.couple,
                    };
                    let (linear, angular) = accelerations(bodies, &push, h);
                    bodies.contact_acceleration[i] += linear;
                    bodies.contact_angular_acceleration[i] += angular;
                }
            }
            graph.set_impulse(*cell, point, &scaled(point, 2.0));
        }
    }
}

impl ContactGraph {
    /// The active contact points of the pairs of bodies that are `wanted`, each with the number of its cell.
    fn points_between(
        &self,
        wanted: impl Fn(u32, u32) -> bool + Copy,
    ) -> impl Iterator<Item = (usize, ContactPoint)> {
        let cells = self.cells.iter().enumerate();
        cells.flat_map(move |(number, cell)| {
            let points = cell.points_between(wanted);
            points.map(move |point| (number, point))
        })
    }

    /// The bodies of each active pair.
    fn touching_bodies(&self) -> impl Iterator<Item = (u32, u32)> {
        self.cells.iter().flat_map(ContactCell::touching_bodies)
    }
}

fn scaled(point: &ContactPoint, factor: f32) -> StoredImpulse {
    StoredImpulse {
        normal: point.normal_impulse * factor,
        friction: point.friction_impulse * factor,
        couple: point.couple * factor,
        ..StoredImpulse::default()
    }
}

fn accelerations(bodies: &Bodies, push: &Push, h: f32) -> (Vec3, Vec3) {
    let i = push.body as usize;
    let linear = push.impulse * (bodies.inverse_mass[i] / h);
    let angular = bodies.inverse_inertia[i].mul(bodies.rotation[i], push.angular) / h;
    (linear, angular)
}

/// The share of what contacts gave that counts as their acceleration `kept`: that is limited. Below rounding it is all.
fn share(kept: Vec3, given: Vec3) -> f32 {
    let (kept, given) = (kept.length(), given.length());
    if given > 1.01 * kept && given > 0.0 && kept > 0.0 {
        kept / given
    } else {
        1.0
    }
}

//! A direct solve for groups of bodies in which a heavy body presses on a light one.
//!
//! A sweep changes the velocity of a heavy body by a share that is about the ratio of the masses. So sweeps carry the load of a
//! heavy body too slowly: it sinks into a light one. For a small group, the normal impulses are found at once instead, and the
//! sweeps start with them.
//!
//! A group grows from a heavy body on a light one over the contacts. If it ends before it has more than [`MAX_POINTS`] contacts, it is an
//! island of its own, and the solution is exact. Otherwise the group is the neighbourhood of the heavy body, and what lies outside
//! is a floor for it: see [`Rim`].
//!
//! What is solved depends on the place alone, never on what is far away. So does the time that a place takes.

mod complementarity;
mod group;
mod row;

use self::{
    complementarity::Complementarity,
    group::{Contacts, Group},
    row::{Rim, Row},
};
use super::{entry::StoredImpulse, graph::ContactGraph, method::ContactProblem};
use crate::body::Bodies;

/// Most contact points of a group that is an island of its own.
const MAX_POINTS: usize = 256;

/// Most contact points of a group that is the neighbourhood of a heavy body.
const MAX_NEAR: usize = 96;

/// Most heavy bodies of one place around which the neighbourhood is solved if their island is no small group. A heap of balls of
/// all sizes has many more.
const MAX_HEAVY: usize = 4;

/// Groups with a heavy body, and memory kept between calls.
#[derive(Debug, Default)]
pub(super) struct HeavyGroups {
    contacts: Contacts,
    group: Group,
    /// The heavy bodies whose islands are no small groups, of one place.
    outgrown: Vec<u32>,
    rim: Vec<Rim>,
    rows: Vec<Row>,
    problem: Complementarity,
}

impl HeavyGroups {
    /// Sets the normal impulses of the groups in which a heavy body touches a light one.
    pub fn solve(&mut self, problem: &mut ContactProblem) {
        let (graph, bodies) = (&mut *problem.graph, problem.bodies);
        if graph.places.heavy().is_empty() {
            return;
        }
        self.contacts.update(graph, bodies);
        let first = self.group.begin(bodies.len(), graph.pairs.len());
        for k in 0..self.contacts.places.len() {
            let place = self.contacts.places[k].clone();
            self.outgrown.clear();
            for at in place.seeds {
                let (heavy, light, pair) = self.contacts.seeds[at];
                let is_idle = bodies.is_asleep(heavy as usize) || bodies.is_asleep(light as usize);
                if is_idle || self.contacts.count(graph, pair) == 0 {
                    continue;
                }
                match self.group.seen_in(heavy) {
                    // An island that has been looked at.
                    Some(seen) if seen >= first => {
                        if self.group.has_outgrown(seen) && !self.outgrown.contains(&heavy) {
                            self.outgrown.push(heavy);
                        }
                        continue;
                    }
                    _ if self.outgrown.len() >= MAX_HEAVY => break,
                    _ => {}
                }
                if self.group.grow(&[heavy], &self.contacts, graph, bodies) {
                    self.solve_group(graph, bodies);
                } else {
                    self.outgrown.push(heavy);
                }
            }
            if !self.outgrown.is_empty() && place.heavy <= MAX_HEAVY {
                (self.group).grow_near(&self.outgrown, &self.contacts, graph, bodies);
                self.solve_group(graph, bodies);
            }
        }
    }

    /// Sets the normal impulses of the group's points, if there is a solution.
    fn solve_group(&mut self, graph: &mut ContactGraph, bodies: &Bodies) {
        let points = self.group.sorted_points(&self.contacts, graph);
        // Impacts that are left unresolved are no load.
        let is_unresolved = |i: u32| graph.poses[i as usize].is_unresolved();
        if (points.iter()).any(|(_, point)| is_unresolved(point.a) || is_unresolved(point.b)) {
            return;
        }
        self.rim.clear();
        for body in self.group.rim() {
            let mut rim = Rim::new(bodies, body);
            for (_, point) in self.contacts.of_body(graph, body) {
                rim.press(bodies, &point);
            }
            self.rim.push(rim);
        }
        self.rim.sort_unstable_by_key(|rim| rim.body);
        let points = self.group.points();
        self.rows.clear();
        let rows = points
            .iter()
            .map(|(_, point)| Row::new(bodies, point, &self.rim));
        self.rows.extend(rows);
        let Some(impulses) = self.problem.solve(&self.rows) else {
            return;
        };
        for ((cell, point), impulse) in points.iter().zip(impulses) {
            let new = StoredImpulse {
                normal: *impulse as f32,
                friction: point.friction_impulse,
                couple: point.couple,
                ..StoredImpulse::default()
            };
            graph.set_impulse(*cell, point, &new);
        }
    }
}

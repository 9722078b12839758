//! Islands: bodies that press on each other, directly or through other bodies.

use bevy::prelude::*;

use super::drift::Drift;
use crate::{
    body::Bodies,
    config::CollisionConfig,
    solver::{
        contact::{Constraints, Contact, Contacts},
        disjoint_sets::DisjointSets,
    },
};

/// The bodies that press on each other, and memory kept between calls.
#[derive(Resource, Debug, Default)]
pub(crate) struct Islands {
    /// Pairs that press on each other, or that another constraint links.
    pub(super) links: Vec<(u32, u32)>,
    /// Those that another constraint links.
    pub(super) constrained: Vec<(u32, u32)>,
    /// The bodies that each body has a link with, from one body's end to the next one's.
    ends: Vec<u32>,
    neighbours: Vec<u32>,
    /// The islands.
    pub(super) sets: DisjointSets,
    /// Bodies whose islands wake.
    pub(super) seeds: Vec<u32>,
    /// Bodies that leant on a body that has gone, in a world that goes on from a snapshot.
    pub(crate) orphans: Vec<Entity>,
    /// For each root, whether its island wakes or falls asleep.
    pub(super) marks: Vec<bool>,
    /// For each body, whether it presses on another one that may move.
    pub(super) leans: Vec<bool>,
    /// For each root of several bodies that may fall asleep, how they move together.
    pub(super) drifts: Vec<Drift>,
    /// For each body, whether a heavy or a kinematic body may squeeze a body of its island, sleeping ones included.
    pub(super) squeezed: Vec<bool>,
    /// Fixed steps so far.
    pub(crate) steps: u32,
    /// The revision of the bodies at the last call.
    pub(super) revision: u64,
    /// The configuration with which the sleepers lie still; none before the first step.
    pub(crate) config: Option<CollisionConfig>,
    /// Whether a body has appeared in this substep.
    pub(super) has_appeared: bool,
}

impl Islands {
    /// Wakes the islands of all seeds. A seed that stands still wakes the islands that lean on it.
    pub(super) fn wake(&mut self, bodies: &mut Bodies, contacts: &Contacts) {
        if self.seeds.is_empty() {
            return;
        }
        for seed in &mut self.seeds {
            *seed = bodies.whole_of(*seed as usize) as u32;
        }
        let Some(graph) = contacts.graph_of(bodies) else {
            return self.wake_by_contacts(bodies, contacts.iter());
        };
        // Of the sleepers, only those that wake are visited.
        self.join(bodies, contacts.awake());
        let Self {
            links,
            seeds,
            marks,
            ends,
            neighbours,
            ..
        } = self;
        list_neighbours(bodies.len(), links, ends, neighbours);
        marks.clear();
        marks.resize(bodies.len(), false);
        for &seed in seeds.iter() {
            marks[seed as usize] = true;
        }
        let mut next = 0;
        while let Some(&body) = seeds.get(next) {
            next += 1;
            let i = body as usize;
            let sleeping = bodies
                .with_parts(i)
                .flat_map(|i| graph.sleeping().pressed_by(i as u32));
            let asleep = sleeping
                .map(|i| bodies.whole_of(i as usize) as u32)
                .filter(|_| !bodies.responds(i));
            let awake = neighbours[ends[i] as usize..ends[i + 1] as usize]
                .iter()
                .copied();
            for j in awake.chain(asleep) {
                let other = j as usize;
                if !marks[other] && !bodies.is_steady(other) {
                    marks[other] = true;
                    seeds.push(j);
                }
            }
        }
        for i in seeds.iter().map(|&i| i as usize) {
            if bodies.is_asleep(i) {
                bodies.wake(i);
            }
        }
    }

    /// Does the same from a list of all contacts.
    fn wake_by_contacts<'a>(
        &mut self,
        bodies: &mut Bodies,
        contacts: impl Iterator<Item = &'a Contact>,
    ) {
        self.join(bodies, contacts);
        let Self {
            links,
            sets,
            seeds,
            marks,
            ..
        } = self;
        marks.clear();
        marks.resize(bodies.len(), false);
        for &seed in seeds.iter() {
            marks[sets.root(seed as usize)] = true;
        }
        for &(a, b) in links.iter() {
            let (a, b) = (a as usize, b as usize);
            for (support, other) in [(a, b), (b, a)] {
                if bodies.is_steady(support) && marks[support] && !bodies.is_steady(other) {
                    marks[sets.root(other)] = true;
                }
            }
        }
        for i in 0..bodies.len() {
            if bodies.is_asleep(i) && marks[sets.root(i)] {
                bodies.wake(i);
            }
        }
    }

    /// Lists the bodies that constraints other than contacts link.
    pub(super) fn list_constrained(&mut self, bodies: &Bodies, constraints: &Constraints) {
        self.constrained.clear();
        constraints.for_each_link(bodies, |a, b| self.constrained.push((a as u32, b as u32)));
    }

    /// Calls `visit` with the two bodies of each link of an island, and with the body that stands for the island.
    #[cfg(feature = "gizmos")]
    pub(crate) fn for_each_link(
        &mut self,
        bodies: &Bodies,
        contacts: &Contacts,
        mut visit: impl FnMut([usize; 2], usize),
    ) {
        self.join(bodies, contacts.iter());
        for &(a, b) in &self.links {
            let (a, b) = (a as usize, b as usize);
            if !bodies.is_steady(a) && !bodies.is_steady(b) {
                visit([a, b], self.sets.root(a));
            }
        }
    }

    /// Finds the bodies in whose islands a heavy or a kinematic body may squeeze another one.
    pub(super) fn find_squeezed(&mut self, bodies: &Bodies, contacts: &Contacts) {
        // What is squeezed may overlap without an impulse: the projection holds it.
        let touches = |contact: &Contact| contact.impulse != Vec3::ZERO || contact.depth > 0.0;
        self.join_if(bodies, contacts.iter(), touches);
        let Self {
            links,
            sets,
            marks,
            squeezed,
            ..
        } = self;
        marks.clear();
        marks.resize(bodies.len(), false);
        for &(a, b) in links.iter() {
            let (a, b) = (a as usize, b as usize);
            if bodies.may_squeeze(a, b) {
                for i in [a, b] {
                    marks[sets.root(i)] = true;
                }
            }
        }
        squeezed.clear();
        squeezed.extend((0..bodies.len()).map(|i| marks[sets.root(i)]));
    }

    /// Joins bodies that press on each other: the bodies of one island have one root. A body that stands still joins no island.
    pub(super) fn join<'a>(
        &mut self,
        bodies: &Bodies,
        contacts: impl Iterator<Item = &'a Contact>,
    ) {
        self.join_if(bodies, contacts, |contact| contact.impulse != Vec3::ZERO);
    }

    /// Joins the bodies of the contacts for which `presses` holds.
    fn join_if<'a>(
        &mut self,
        bodies: &Bodies,
        contacts: impl Iterator<Item = &'a Contact>,
        presses: impl Fn(&Contact) -> bool,
    ) {
        let Self {
            links,
            sets,
            constrained,
            ..
        } = self;
        let index_of = |entity: Entity| {
            let i = bodies.index_of(entity)?;
            Some(bodies.whole_of(i) as u32)
        };
        links.clear();
        links.extend(
            contacts
                .filter(|contact| presses(contact))
                .filter_map(|contact| Some((index_of(contact.a)?, index_of(contact.b)?))),
        );
        links.extend_from_slice(constrained);
        sets.reset(bodies.len());
        for &(a, b) in links.iter() {
            let (a, b) = (a as usize, b as usize);
            if !bodies.is_steady(a) && !bodies.is_steady(b) {
                sets.join(a, b);
            }
        }
    }
}

/// Sorts both ends of each link by body, by counting.
fn list_neighbours(
    bodies: usize,
    links: &[(u32, u32)],
    ends: &mut Vec<u32>,
    neighbours: &mut Vec<u32>,
) {
    ends.clear();
    ends.resize(bodies + 2, 0);
    let both = || links.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
    for (i, _) in both() {
        ends[i as usize + 2] += 1;
    }
    for i in 2..ends.len() {
        ends[i] += ends[i - 1];
    }
    neighbours.clear();
    neighbours.resize(2 * links.len(), 0);
    for (i, j) in both() {
        let next = &mut ends[i as usize + 1];
        neighbours[*next as usize] = j;
        *next += 1;
    }
}

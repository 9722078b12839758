//! The kinds of constraints that come from outside of the solver.

use std::any::Any;

use bevy::prelude::*;

use super::rows::{HalfImpulse, PositionError, RowInput, RowSums, RowVelocities, Rows};
use crate::body::Bodies;

/// Your own kinds of constraints, such as joints. The contact stage solves them together with the contacts, in the order in which
/// they were added.
///
/// A kind keeps its own list of constraints; a system of yours fills it from components, before the step.
///
/// In a world with such kinds, [`ContactMethod::Sweeps`](crate::config::ContactMethod) solves the contacts, whatever the configuration says.
/// A snapshot does not hold their impulses.
#[derive(Resource, Default)]
pub struct Constraints {
    kinds: Vec<Box<dyn Rows>>,
    /// The links of this substep, and those of the last one that are no more: the lower entity first, sorted.
    links: Vec<(Entity, Entity)>,
    ended: Vec<(Entity, Entity)>,
}

impl Constraints {
    /// Adds a kind. A kind of the same type takes the place of the one that is there.
    pub fn add<K: Rows>(&mut self, kind: K) {
        match self.get_mut::<K>() {
            Some(there) => *there = kind,
            None => self.kinds.push(Box::new(kind)),
        }
    }

    /// The kind of this type, if it has been added.
    pub fn get<K: Rows>(&self) -> Option<&K> {
        let mut kinds = self.kinds.iter().map(|kind| &**kind as &dyn Any);
        kinds.find_map(|kind| kind.downcast_ref())
    }

    /// As [`get`](Self::get), mutable.
    pub fn get_mut<K: Rows>(&mut self) -> Option<&mut K> {
        let mut kinds = self
            .kinds
            .iter_mut()
            .map(|kind| &mut **kind as &mut dyn Any);
        kinds.find_map(|kind| kind.downcast_mut())
    }

    /// Takes the kind of this type out.
    pub fn remove<K: Rows>(&mut self) {
        self.kinds.retain(|kind| !(&**kind as &dyn Any).is::<K>());
    }

    /// Forgets the joints, which the next step lists again, and the links of the last substep.
    pub(crate) fn forget<K: Rows>(&mut self) {
        self.remove::<K>();
        self.links.clear();
        self.ended.clear();
    }

    /// Whether there are no kinds.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    pub(super) fn prepare(&mut self, input: &RowInput) {
        self.kinds.iter_mut().for_each(|kind| kind.prepare(input));
    }

    pub(super) fn warm_start(&mut self, velocities: &mut RowVelocities) {
        self.kinds
            .iter_mut()
            .for_each(|kind| kind.warm_start(velocities));
    }

    pub(super) fn solve(&mut self, relaxation: f32, velocities: &mut RowVelocities) {
        for kind in &mut self.kinds {
            kind.solve(relaxation, velocities);
        }
    }

    /// Lists the indices of the unsettled bodies among the solver bodies, sorted.
    pub(super) fn list_unsettled(&self, slots: &mut Vec<usize>) {
        slots.clear();
        for kind in &self.kinds {
            kind.list_unsettled(&mut |body| slots.push(body.slot()));
        }
        slots.sort_unstable();
    }

    pub(super) fn respond(&mut self, relaxation: f32, velocities: &mut RowVelocities) {
        for kind in &mut self.kinds {
            kind.respond(relaxation, velocities);
        }
    }

    pub(super) fn accumulate(&self, sums: &mut RowSums) {
        self.kinds.iter().for_each(|kind| kind.accumulate(sums));
    }

    pub(super) fn give_first_half(&mut self, mut give: impl FnMut(HalfImpulse)) {
        for kind in &mut self.kinds {
            kind.give_first_half(&mut give);
        }
    }

    pub(crate) fn give_second_half(&mut self, bodies: &mut Bodies) {
        for kind in &mut self.kinds {
            kind.give_second_half(bodies);
        }
    }

    pub(crate) fn position_errors(&mut self, bodies: &Bodies, errors: &mut Vec<PositionError>) {
        errors.clear();
        for kind in &mut self.kinds {
            kind.position_errors(bodies, errors);
        }
    }

    /// Calls `link` with the indices of the bodies of each constraint that is there now.
    pub(crate) fn for_each_link(&self, bodies: &Bodies, mut link: impl FnMut(usize, usize)) {
        let mut link = |a: usize, b: usize| link(bodies.whole_of(a), bodies.whole_of(b));
        for kind in &self.kinds {
            kind.links(bodies, &mut link);
        }
    }

    /// The links of the last substep that are no more, as their constraints have ended. The lower entity first, sorted.
    pub(crate) fn ended(&self) -> &[(Entity, Entity)] {
        &self.ended
    }

    /// The links of the last substep: the lower entity first, sorted.
    pub(crate) fn links(&self) -> &[(Entity, Entity)] {
        &self.links
    }

    /// Goes back to the links of the last substep.
    pub(crate) fn put_links_back(&mut self, links: Vec<(Entity, Entity)>) {
        self.links = links;
        self.links.sort_unstable();
    }

    fn list_links(&mut self, bodies: &Bodies) {
        let before = std::mem::take(&mut self.links);
        let mut links = Vec::with_capacity(before.len());
        self.for_each_link(bodies, |a, b| {
            let (a, b) = (bodies.entity[a], bodies.entity[b]);
            links.push((a.min(b), a.max(b)));
        });
        links.sort_unstable();
        links.dedup();
        self.ended.clear();
        let is_gone = |link: &(Entity, Entity)| links.binary_search(link).is_err();
        self.ended.extend(before.into_iter().filter(is_gone));
        self.links = links;
    }
}

/// At the start of a substep: lists the links of the bodies, and those that have ended.
pub(crate) fn find_links(bodies: Res<Bodies>, mut constraints: ResMut<Constraints>) {
    if !(constraints.is_empty() && constraints.links.is_empty() && constraints.ended.is_empty()) {
        constraints.list_links(&bodies);
    }
}

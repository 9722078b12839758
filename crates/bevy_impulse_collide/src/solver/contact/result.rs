//! The contacts of the last substep, as a user reads them.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bevy::prelude::*;

use super::{graph::ContactGraph, report::Contact};
use crate::{body::Bodies, parallel::for_each};

/// The contacts of the last substep. They are listed when a system first reads them: most games do not read them in most steps.
/// Their order depends on the scene alone.
#[derive(Resource, Debug, Default)]
pub struct Contacts {
    /// The solver's state after the substep.
    graph: Option<Arc<ContactGraph>>,
    lists: OnceLock<Vec<Vec<Contact>>>,
    /// The lists of an earlier substep, for their memory.
    spare: Mutex<Vec<Vec<Contact>>>,
    /// Whether the lists hold the sleeping contacts too.
    lists_hold_sleeping: bool,
}

impl Contacts {
    fn lists(&self) -> &Vec<Vec<Contact>> {
        self.lists.get().unwrap_or_else(|| {
            // The lock is not held here: another reader at the same time, even on this thread, makes its own list.
            let mut lists = self.take_spare();
            match &self.graph {
                Some(graph) => match graph.list_carried() {
                    Some(contacts) => lists = vec![contacts],
                    None => graph.list(&mut lists),
                },
                None => lists.clear(),
            }
            self.lists.get_or_init(|| lists)
        })
    }

    fn take_spare(&self) -> Vec<Vec<Contact>> {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *spare)
    }

    /// The contacts of bodies that sleep, if the lists do not hold them.
    fn sleeping(&self) -> impl Iterator<Item = &Contact> + Clone {
        let graph = self.graph.iter().filter(|_| !self.lists_hold_sleeping);
        graph.flat_map(|graph| graph.sleeping.contacts())
    }

    /// All contacts, one after the other.
    pub fn iter(&self) -> impl Iterator<Item = &Contact> + Clone {
        self.lists().iter().flatten().chain(self.sleeping())
    }

    /// The state of the solver after the substep, if its bodies had these indices and it has constraints.
    pub(crate) fn graph_of(&self, bodies: &Bodies) -> Option<&ContactGraph> {
        let graph = self.graph.as_deref()?;
        (graph.carried.is_none() && graph.entities == bodies.entity).then_some(graph)
    }

    /// The contacts of bodies that are awake.
    pub(crate) fn awake(&self) -> impl Iterator<Item = &Contact> + Clone {
        let lists = self.lists();
        let asleep = usize::from(self.lists_hold_sleeping);
        lists[..lists.len() - asleep].iter().flatten()
    }

    /// The normal impulse in N·s of pair `k` of the broad phase in the last substep; zero if that is another pair now.
    pub(crate) fn impulse_of(&self, k: usize, pair: (u32, u32)) -> f32 {
        let graph = self.graph.as_ref();
        let found = graph.and_then(|graph| {
            let k = match &graph.carried {
                // Its pairs are those with an impulse alone, sorted.
                Some(_) => graph.pairs.binary_search(&pair).ok()?,
                None => k,
            };
            (graph.pairs.get(k) == Some(&pair)).then(|| graph.stored_impulse(k).normal)
        });
        found.unwrap_or(0.0)
    }

    /// The number of contacts.
    pub fn len(&self) -> usize {
        match (&self.graph, self.lists.get()) {
            // Counting needs no list.
            (Some(graph), None) if graph.carried.is_none() => {
                graph.active_points().count() + graph.sleeping.contacts().count()
            }
            _ => self.iter().count(),
        }
    }

    /// Whether there are no contacts.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All contacts, mutable.
    pub(crate) fn runs_mut(&mut self) -> impl Iterator<Item = &mut Vec<Contact>> {
        self.lists();
        let lists = self.lists.get_mut();
        if let (Some(graph), false) = (&self.graph, self.lists_hold_sleeping)
            && let Some(lists) = lists
        {
            lists.push(graph.sleeping.contacts().copied().collect());
            self.lists_hold_sleeping = true;
        }
        self.lists.get_mut().into_iter().flatten()
    }

    /// Lets go of the last substep's contacts, and of the solver's state.
    pub(super) fn clear(&mut self) {
        self.graph = None;
        self.lists_hold_sleeping = false;
        if let Some(lists) = self.lists.take() {
            *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = lists;
        }
    }

    /// Shows the contacts of a substep.
    pub(super) fn show(&mut self, graph: &Arc<ContactGraph>) {
        self.graph = Some(Arc::clone(graph));
    }
}

impl ContactGraph {
    /// Lists the contacts that are awake, cell by cell.
    fn list(&self, lists: &mut Vec<Vec<Contact>>) {
        lists.resize_with(self.cells.iter().count(), Vec::new);
        for_each(self.cells.iter().zip(lists), |(cell, list)| {
            list.clear();
            list.extend(cell.active_points().map(|contact| {
                let entity = |i: u32| self.entities[i as usize];
                let of = (entity(contact.a), entity(contact.b));
                let is_touching = contact.is_touching(&self.poses);
                let (feature, impulse) = (contact.feature, contact.impulse());
                let point = contact.point(&self.poses);
                Contact::new(of, feature, &point, is_touching, impulse)
            }));
        });
    }
}

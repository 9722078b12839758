//! Which bodies are other ones than before, or have other constants. What the stages have found for them is found anew; the rest
//! stays.

use bevy::prelude::*;

use super::store::Bodies;

/// With more bodies at once than one in so many, everything is found anew: that is faster.
const BODIES_PER_RENEWED: usize = 64;

/// Record of the changes of anything that a step treats as constant: who is at which index, shapes, masses and materials, and where
/// static bodies are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Renewal {
    /// Incremented with each change.
    revision: u64,
    /// The revision after which `bodies` tells all that has changed.
    since: u64,
    /// Indices of the bodies that have changed in this fixed step, sorted.
    bodies: Vec<u32>,
}

impl Renewal {
    /// Another number whenever anything has changed.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Indices of the bodies that may have changed since a revision, sorted; `None` if all may have changed.
    pub fn since(&self, revision: u64) -> Option<&[u32]> {
        match revision {
            _ if revision == self.revision => Some(&[]),
            _ if revision >= self.since => Some(&self.bodies),
            _ => None,
        }
    }

    /// Starts a fixed step.
    pub(super) fn begin_step(&mut self) {
        self.since = self.revision;
        self.bodies.clear();
    }
}

impl Bodies {
    /// Notes that everything may have changed.
    pub(super) fn renew_all(&mut self) {
        self.renewal.revision += 1;
        self.renewal.since = self.renewal.revision;
        self.renewal.bodies.clear();
    }

    /// Notes that these bodies have changed. Makes their blocks active.
    pub(crate) fn renew(&mut self, changed: &[u32]) {
        changed.iter().for_each(|&i| self.activate(i as usize));
        let renewal = &mut self.renewal;
        renewal.revision += 1;
        renewal.bodies.extend_from_slice(changed);
        // An earlier change may name an index that no body has any more.
        let count = self.entity.len();
        renewal.bodies.retain(|&i| (i as usize) < count);
        renewal.bodies.sort_unstable();
        renewal.bodies.dedup();
        if renewal.bodies.len() * BODIES_PER_RENEWED > self.entity.len() {
            renewal.since = renewal.revision;
            renewal.bodies.clear();
        }
    }

    /// Takes out the bodies at the indices `gone`, which are sorted, and takes in `new` ones, which are still to be read: each in
    /// the place of one that is gone, or after all. If more are gone, the last bodies take their places.
    pub(crate) fn exchange(&mut self, gone: &[usize], new: &[Entity]) {
        let mut changed: Vec<u32> = Vec::with_capacity(gone.len().max(new.len()));
        let (places, left) = gone.split_at(gone.len().min(new.len()));
        for (&i, &entity) in places.iter().zip(new) {
            self.replace(i, entity);
            changed.push(i as u32);
        }
        for &entity in &new[places.len()..] {
            let i = self.len();
            self.resize(i + 1);
            self.entity[i] = entity;
            changed.push(i as u32);
        }
        // From the end on: then the last body is never one that is gone itself.
        for &i in left.iter().rev() {
            self.swap_remove(i);
            changed.push(i as u32);
        }
        let count = self.len() as u32;
        changed.retain(|&i| i < count);
        self.index_at(&changed);
    }
}

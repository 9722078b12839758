//! Blocks of bodies: a step passes over a block if none of its bodies can change.

use std::ops::{Deref, DerefMut, Range};

use super::store::Bodies;
use crate::parallel::for_each;

/// Bodies in a block.
const BLOCK: usize = 64;

/// Blocks of consecutive bodies. A block is active if one of its bodies moves, or was changed in this fixed step. The bodies of the
/// other blocks sleep or are static, and no stage visits them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks {
    is_active: Vec<bool>,
    /// The last epoch in which each block was active.
    last_active: Vec<u64>,
    /// Incremented in every fixed step and every substep.
    epoch: u64,
}

impl Blocks {
    /// No blocks. The epochs go on from those of `before`, so that a value found before is known as old.
    pub(crate) fn after(before: &Self) -> Self {
        Self {
            epoch: before.epoch,
            ..Self::default()
        }
    }

    fn is_active(&self, block: usize) -> bool {
        self.is_active.get(block).is_none_or(|&is_active| is_active)
    }

    /// The bodies of the active blocks, of `bodies` in all, in ranges of at most `most` bodies.
    pub(super) fn runs(&self, bodies: usize, most: usize) -> impl Iterator<Item = Range<usize>> {
        let mut next = 0;
        std::iter::from_fn(move || {
            while next < bodies && !self.is_active(next / BLOCK) {
                next += BLOCK;
            }
            let start = next;
            while next < bodies
                && self.is_active(next / BLOCK)
                && (next == start || !next.is_multiple_of(most))
            {
                next += BLOCK;
            }
            (start < bodies).then(|| start..next.min(bodies))
        })
    }
}

impl Bodies {
    /// The bodies of the active blocks.
    pub(crate) fn active(&self) -> impl Iterator<Item = usize> {
        self.blocks.runs(self.len(), usize::MAX).flatten()
    }

    /// The number of bodies of the active blocks.
    pub(crate) fn active_count(&self) -> usize {
        let runs = self.blocks.runs(self.len(), usize::MAX);
        runs.map(|run| run.len()).sum()
    }

    /// Whether stages visit body `i`.
    pub(crate) fn is_active(&self, i: usize) -> bool {
        self.blocks.is_active(i / BLOCK)
    }

    /// The bodies of the active blocks in a range that starts with a block.
    pub(crate) fn active_in(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        let end = range.end.min(self.len());
        let blocks = range
            .step_by(BLOCK)
            .filter(|first| self.blocks.is_active(first / BLOCK));
        blocks.flat_map(move |first| first..(first + BLOCK).min(end))
    }

    /// Makes every block active.
    pub(crate) fn activate_all(&mut self) {
        let (count, epoch) = (self.len().div_ceil(BLOCK), self.blocks.epoch);
        self.blocks.is_active.clear();
        self.blocks.is_active.resize(count, true);
        self.blocks.last_active.clear();
        self.blocks.last_active.resize(count, epoch);
    }

    /// Makes blocks of bodies that have come, and takes away those of bodies that have gone.
    pub(crate) fn resize_blocks(&mut self) {
        let (count, epoch) = (self.len().div_ceil(BLOCK), self.blocks.epoch);
        self.blocks.is_active.resize(count, true);
        self.blocks.last_active.resize(count, epoch);
    }

    /// Makes the block of body `i` active for the rest of this fixed step.
    pub(crate) fn activate(&mut self, i: usize) {
        let block = i / BLOCK;
        if let (Some(is_active), Some(last_active)) = (
            self.blocks.is_active.get_mut(block),
            self.blocks.last_active.get_mut(block),
        ) {
            (*is_active, *last_active) = (true, self.blocks.epoch);
        }
    }

    /// Starts a fixed step: an active block in which nothing moves any more becomes inactive.
    pub(crate) fn begin_step(&mut self) {
        self.renewal.begin_step();
        self.blocks.epoch += 1;
        if self.blocks.is_active.len() != self.len().div_ceil(BLOCK) {
            return self.activate_all();
        }
        for block in 0..self.blocks.is_active.len() {
            if self.blocks.is_active[block] {
                let mut bodies = block * BLOCK..((block + 1) * BLOCK).min(self.len());
                self.blocks.is_active[block] = bodies.any(|i| self.moves(i));
            }
        }
        self.note_active();
    }

    /// Starts a substep.
    pub(crate) fn begin_substep(&mut self) {
        self.blocks.epoch += 1;
        self.note_active();
    }

    fn note_active(&mut self) {
        let epoch = self.blocks.epoch;
        let blocks = self
            .blocks
            .is_active
            .iter()
            .zip(&mut self.blocks.last_active);
        for (_, last_active) in blocks.filter(|(is_active, _)| **is_active) {
            *last_active = epoch;
        }
    }
}

/// A value for each body, kept from substep to substep.
#[derive(Clone, Debug)]
pub(crate) struct PerBody<T> {
    values: Vec<T>,
    /// The epoch in which the values were last found.
    found_in: u64,
}

impl<T> Default for PerBody<T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            found_in: 0,
        }
    }
}

impl<T> Deref for PerBody<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.values
    }
}

impl<T> DerefMut for PerBody<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.values
    }
}

impl<T> PerBody<T> {
    /// Forgets all values.
    pub fn clear(&mut self) {
        self.values.clear();
        self.found_in = 0;
    }
}

impl<T: Copy + Send> PerBody<T> {
    /// Finds the values of the bodies that may have changed since the values were last found. `filling` is the value before that,
    /// and each task gets `per_task` bodies.
    pub fn update(
        &mut self,
        bodies: &Bodies,
        per_task: usize,
        filling: T,
        value: impl Fn(usize) -> T + Sync,
    ) {
        let Blocks {
            last_active, epoch, ..
        } = &bodies.blocks;
        if self.values.len() != bodies.len() {
            self.found_in = 0;
            self.values.resize(bodies.len(), filling);
        }
        let found_in = std::mem::replace(&mut self.found_in, *epoch);
        let may_have_changed = |block: usize| {
            last_active
                .get(block)
                .is_none_or(|&epoch| epoch >= found_in)
        };
        let per_task = per_task.next_multiple_of(BLOCK);
        let blocks_per_task = per_task / BLOCK;
        let tasks = self.values.chunks_mut(per_task).enumerate();
        let tasks = tasks.map(|(k, values)| (k * blocks_per_task, values));
        // A task without work would still wake a thread.
        let tasks = tasks.filter(|(first, values)| {
            (*first..first + values.len().div_ceil(BLOCK)).any(may_have_changed)
        });
        for_each(tasks, |(first, values)| {
            for (block, values) in (first..).zip(values.chunks_mut(BLOCK)) {
                if may_have_changed(block) {
                    for (i, slot) in (block * BLOCK..).zip(values) {
                        *slot = value(i);
                    }
                }
            }
        });
    }
}

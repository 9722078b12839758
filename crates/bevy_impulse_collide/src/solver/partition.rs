//! Pairs of bodies cut into slabs of space, so that threads can work on them at once.
//!
//! Bodies are divided into slabs across the longest side of the scene. The pairs of a slab are those of which one body is
//! in it and the other in it or in the next: so all slabs of even number can be worked on at once, as no two of them change
//! the same body, and then all of odd number. The few pairs that reach further come after them, in one go. How a scene is
//! cut depends on the scene alone, so the result is the same on any number of threads.

use std::ops::Range;

use bevy::prelude::*;
use smallvec::SmallVec;

use crate::{
    body::Bodies,
    collision::BroadPhase,
    parallel::{fill_chunks, for_each, map_chunks},
};

/// Pairs that make a slab worth a thread's while.
const PAIRS_PER_SLAB: usize = 4096;
const MAX_SLABS: usize = 32;
/// Least thickness of a slab, in mean radii: few pairs then reach past the next slab.
const LEAST_THICKNESS: f32 = 4.0;

/// The pairs of a scene, cut into slabs. It stays until all pairs are found anew; pairs that come in between are added.
#[derive(Resource, Debug, Default)]
pub struct Partition {
    /// Of the pairs that it was made from, and how many of them it has.
    revision: u64,
    count: usize,
    pub(super) slabs: Slabs,
    /// Of each part: the indices of its pairs.
    pub(super) pairs: Parts<Vec<u32>>,
    /// The same, of the pairs that each task has looked at.
    found: Vec<Vec<Vec<u32>>>,
}

impl Partition {
    /// Cuts the scene anew if its pairs have been found anew, and takes in those that have come since.
    pub(super) fn update(&mut self, bodies: &Bodies, broad_phase: &BroadPhase) {
        let pairs = &broad_phase.pairs;
        if self.revision != broad_phase.revision {
            self.revision = broad_phase.revision;
            self.slabs.cut(bodies, pairs.len());
            self.pairs.resize(&self.slabs);
            self.pairs.iter_mut().for_each(Vec::clear);
            self.count = 0;
        }
        let (slabs, first) = (&self.slabs, self.count);
        let new = &pairs[first..];
        let found = map_chunks(
            new.len(),
            PAIRS_PER_TASK,
            &mut self.found,
            |range, found| {
                found.resize_with(slabs.count() + 1, Vec::new);
                found.iter_mut().for_each(Vec::clear);
                for (k, &(a, b)) in (first + range.start..).zip(&new[range]) {
                    if let Some(part) = slabs.part(bodies, a, b) {
                        found[part].push(k as u32);
                    }
                }
            },
        );
        let found = &*found;
        for_each(self.pairs.iter_mut().enumerate(), |(part, pairs)| {
            for found in found {
                pairs.extend_from_slice(&found[part]);
            }
        });
        self.count = pairs.len();
    }
}

/// How the free bodies of a scene are divided.
#[derive(Clone, Debug, Default)]
pub(super) struct Slabs {
    /// Of each free body: the slab that it is in, and its place among the free bodies, slab by slab. The first place of each
    /// slab is no body's: it may stand for what nothing moves.
    slab_of: Vec<u32>,
    place_of: Vec<u32>,
    /// The body at each place; [`NO_BODY`] for none.
    body_at: Vec<u32>,
    /// Where each slab's places start, and where the last one's end.
    starts: Vec<usize>,
    histogram: Vec<u32>,
}

/// Pairs of which one task finds the parts.
const PAIRS_PER_TASK: usize = 8192;

/// Places that one task fills.
const PLACES_PER_TASK: usize = 2048;

/// At a place that is no body's.
const NO_BODY: u32 = u32::MAX;

impl Slabs {
    /// Cuts the scene, of which there are `pairs` pairs to work on.
    fn cut(&mut self, bodies: &Bodies, pairs: usize) {
        let slabs = self.assign_slabs(bodies, pairs);
        self.starts.clear();
        self.starts.resize(slabs + 1, 0);
        for i in free(bodies) {
            self.starts[self.slab_of[i] as usize + 1] += 1;
        }
        for slab in 0..slabs {
            self.starts[slab + 1] += self.starts[slab] + 1;
        }
        let mut next: SmallVec<[usize; MAX_SLABS]> =
            self.starts[..slabs].iter().map(|start| start + 1).collect();
        self.place_of.clear();
        self.place_of.resize(bodies.len(), 0);
        self.body_at.clear();
        self.body_at.resize(self.starts[slabs], NO_BODY);
        for i in free(bodies) {
            let place = &mut next[self.slab_of[i] as usize];
            self.place_of[i] = *place as u32;
            self.body_at[*place] = i as u32;
            *place += 1;
        }
    }

    /// Puts each free body into a slab; how many there are.
    fn assign_slabs(&mut self, bodies: &Bodies, pairs: usize) -> usize {
        const BINS: usize = 1024;
        self.slab_of.clear();
        self.slab_of.resize(bodies.len(), 0);
        let wanted = (pairs / PAIRS_PER_SLAB).clamp(1, MAX_SLABS);
        if wanted == 1 {
            return 1;
        }
        let (mut min, mut max, mut radii, mut count) = (Vec3::INFINITY, Vec3::NEG_INFINITY, 0.0, 0);
        for i in free(bodies) {
            min = min.min(bodies.position[i]);
            max = max.max(bodies.position[i]);
            radii += bodies.shape[i].bounding_radius();
            count += 1;
        }
        let side = (max - min).max_position();
        let (low, length) = (min[side], (max - min)[side]);
        let bin = |i: usize| {
            let part = (bodies.position[i][side] - low) / length;
            ((part * BINS as f32) as usize).min(BINS - 1)
        };
        self.histogram.clear();
        self.histogram.resize(BINS, 0);
        for i in free(bodies) {
            self.histogram[bin(i)] += 1;
        }
        // A slab ends where it has its share of the bodies, and is thick enough.
        let share = (count as f32 / wanted as f32).ceil() as u32;
        let least_bins = (LEAST_THICKNESS * radii / count as f32) / length * BINS as f32;
        let (mut slab, mut held, mut bins) = (0, 0, 0.0);
        for entry in &mut self.histogram {
            let bodies_here = std::mem::replace(entry, slab);
            held += bodies_here;
            bins += 1.0;
            if held >= share && bins >= least_bins && slab + 1 < MAX_SLABS as u32 {
                slab += 1;
                (held, bins) = (0, 0.0);
            }
        }
        for i in free(bodies) {
            self.slab_of[i] = self.histogram[bin(i)];
        }
        slab as usize + 1
    }

    /// How many slabs there are.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Gives each place what `of` makes of the body there, and `nobodys` where there is none.
    pub fn fill<T: Copy + Send + Sync>(
        &self,
        items: &mut Vec<T>,
        nobodys: T,
        of: impl Fn(usize) -> T + Sync,
    ) {
        let count = self.body_at.len();
        fill_chunks(count, PLACES_PER_TASK, items, nobodys, |place| {
            match self.body_at[place] {
                NO_BODY => nobodys,
                i => of(i as usize),
            }
        });
    }

    /// The place of a free body.
    pub fn place(&self, i: usize) -> usize {
        self.place_of[i] as usize
    }

    /// The places that a part's pairs change: a slab's own and the next slab's; all for the part after the last slab's, that
    /// of the pairs that reach further.
    pub fn reach(&self, part: usize) -> Range<usize> {
        let end = self.starts[self.count()];
        if part == self.count() {
            return 0..end;
        }
        self.starts[part]..self.starts[(part + 2).min(self.count())]
    }

    /// The number of the part that the pair of `a` and `b` belongs to; `None` if nothing moves either.
    pub fn part(&self, bodies: &Bodies, a: u32, b: u32) -> Option<usize> {
        let slab = |i: u32| {
            let i = i as usize;
            bodies.is_free(i).then_some(self.slab_of[i] as usize)
        };
        match (slab(a), slab(b)) {
            (Some(a), Some(b)) if a.abs_diff(b) > 1 => Some(self.count()),
            (Some(a), Some(b)) => Some(a.min(b)),
            (Some(slab), None) | (None, Some(slab)) => Some(slab),
            (None, None) => None,
        }
    }

    /// Calls `work` for each part with the number of the first of its `items`, of which there is one a place, and these:
    /// even slabs at once, then odd ones at once, then the part that reaches far.
    pub fn for_each_part<P: Send, T: Send>(
        &self,
        parts: &mut Parts<P>,
        items: &mut [T],
        work: impl Fn(&mut P, usize, &mut [T]) + Sync,
    ) {
        // This takes no room.
        let mut none = vec![(); items.len()];
        self.for_each_part_of_both(parts, items, &mut none, |part, first, items, _| {
            work(part, first, items);
        });
    }

    /// The same, with items of two kinds.
    pub fn for_each_part_of_both<P: Send, T: Send, U: Send>(
        &self,
        Parts { slabs, far }: &mut Parts<P>,
        items: &mut [T],
        others: &mut [U],
        work: impl Fn(&mut P, usize, &mut [T], &mut [U]) + Sync,
    ) {
        for parity in 0..2.min(slabs.len()) {
            let mut jobs: SmallVec<[_; MAX_SLABS / 2]> = SmallVec::new();
            let (mut rest, mut at) = ((&mut *items, &mut *others), 0);
            for (slab, part) in slabs.iter_mut().enumerate().skip(parity).step_by(2) {
                let reach = self.reach(slab);
                let (_, items) = rest.0.split_at_mut(reach.start - at);
                let (_, others) = rest.1.split_at_mut(reach.start - at);
                let (items, items_after) = items.split_at_mut(reach.len());
                let (others, others_after) = others.split_at_mut(reach.len());
                (rest, at) = ((items_after, others_after), reach.end);
                jobs.push((part, reach.start, items, others));
            }
            for_each(jobs, |(part, first, items, others)| {
                work(part, first, items, others);
            });
        }
        work(far, 0, items, others);
    }
}

fn free(bodies: &Bodies) -> impl Iterator<Item = usize> {
    (0..bodies.len()).filter(|&i| bodies.is_free(i))
}

/// Something for each slab, and for the pairs that reach further.
#[derive(Debug, Default)]
pub(super) struct Parts<P> {
    pub slabs: Vec<P>,
    pub far: P,
}

impl<P: Default> Parts<P> {
    /// One part for each slab; what the parts hold stays.
    pub fn resize(&mut self, slabs: &Slabs) {
        self.slabs.resize_with(slabs.count(), P::default);
        if !self.reaches_far() {
            self.far = P::default();
        }
    }

    /// Whether there can be pairs that reach past the next slab.
    fn reaches_far(&self) -> bool {
        self.slabs.len() > 1
    }

    /// A part by its number; the one of the pairs that reach further comes last.
    pub fn get(&self, part: usize) -> &P {
        self.slabs.get(part).unwrap_or(&self.far)
    }

    /// The same, to change.
    pub fn get_mut(&mut self, part: usize) -> &mut P {
        self.slabs.get_mut(part).unwrap_or(&mut self.far)
    }

    /// All that may hold something. A scene of one slab has one part: it takes no second thread.
    pub fn iter(&self) -> impl Iterator<Item = &P> {
        let far = self.reaches_far().then_some(&self.far);
        self.slabs.iter().chain(far)
    }

    /// The same, to change.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut P> {
        let far = self.reaches_far().then_some(&mut self.far);
        self.slabs.iter_mut().chain(far)
    }
}

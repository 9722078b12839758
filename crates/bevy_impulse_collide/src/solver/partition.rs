//! A spatial partition of the pairs, so that threads can work on them at once.
//!
//! Planes across the longest side of the scene cut it into cells. A pair belongs to a cell if one of its bodies is in the cell
//! and the other is in it or in the next cell. So all cells of even number can be worked on at once, as no two of them change
//! the same body, and then all cells of odd number. The few pairs that span more than two cells are in the overflow cell,
//! which comes last. The cells depend on the scene alone, so the result is the same on any number of threads.

use std::ops::Range;

use bevy::prelude::*;
use smallvec::SmallVec;

use crate::{
    body::Bodies,
    collision::BroadPhase,
    parallel::{fill_chunks, for_each, map_chunks},
};

/// Pairs for which a cell is worth a thread.
const PAIRS_PER_CELL: usize = 512;

/// Most cells that a scene is cut into.
const MAX_CELLS: usize = 32;
/// Least thickness of a cell, in mean radii: few pairs then span more than two cells.
const MIN_THICKNESS: f32 = 4.0;

/// The pairs of a scene by cell. It is made anew when the broad phase has rebuilt its pairs; incremental pairs are added.
#[derive(Resource, Debug, Default)]
pub struct Partition {
    /// Revision of the broad phase that it was made from, and of the bodies.
    made_for: (u64, u64),
    /// Incremented when the scene is cut anew.
    pub(super) cut: u64,
    /// Number of the broad phase's pairs in it, and of the bodies that have fallen asleep or woken since the pairs were rebuilt.
    count: usize,
    flipped: usize,
    pub(super) layout: CellLayout,
    /// The indices of each cell's pairs.
    pub(super) pairs: Cells<Vec<u32>>,
    /// The same for the pairs of each task.
    found: Vec<Vec<Vec<u32>>>,
}

impl Partition {
    /// Cuts the scene anew if the broad phase has rebuilt its pairs, and adds the incremental pairs.
    pub(super) fn update(&mut self, bodies: &Bodies, broad_phase: &BroadPhase) {
        let pairs = &broad_phase.pairs;
        let made_for = (broad_phase.revision, bodies.renewal.revision());
        let (pairs_before, bodies_before) = std::mem::replace(&mut self.made_for, made_for);
        let changed = bodies.renewal.since(bodies_before);
        let changed = changed.filter(|_| pairs_before == broad_phase.revision);
        let flipped = broad_phase.flipped.get(self.flipped..);
        let flipped = flipped.filter(|_| pairs_before == broad_phase.revision);
        self.flipped = broad_phase.flipped.len();
        let changed = changed.zip(flipped);
        if !changed.is_some_and(|(changed, flipped)| {
            self.layout.follow(bodies, changed) && self.layout.follow(bodies, flipped)
        }) {
            self.cut += 1;
            self.layout.cut(bodies, pairs.len());
            self.pairs.resize(&self.layout);
            self.pairs.iter_mut().for_each(Vec::clear);
            self.count = 0;
        }
        let (layout, first) = (&self.layout, self.count);
        let new = &pairs[first..];
        let found = map_chunks(
            new.len(),
            PAIRS_PER_TASK,
            &mut self.found,
            |range, found| {
                found.resize_with(layout.count() + 1, Vec::new);
                found.iter_mut().for_each(Vec::clear);
                for (k, &(a, b)) in (first + range.start..).zip(&new[range]) {
                    if let Some(cell) = layout.cell_of(bodies, a, b) {
                        found[cell].push(k as u32);
                    }
                }
            },
        );
        let found = &*found;
        for_each(self.pairs.iter_mut().enumerate(), |(cell, pairs)| {
            for found in found {
                pairs.extend_from_slice(&found[cell]);
            }
        });
        self.count = pairs.len();
    }
}

/// The cells of the free bodies.
///
/// Free bodies that are awake are numbered cell by cell: these numbers are the solver indices. The first index of each cell belongs
/// to no body. It stands for all static and all sleeping bodies. The last indices of each cell are spare: bodies that come get them.
#[derive(Clone, Debug, Default)]
pub(super) struct CellLayout {
    /// The cell of each free body.
    cell_of_body: Vec<u32>,
    /// The solver index of each free body.
    solver_index_of: Vec<u32>,
    /// The body of each solver index, or [`NO_BODY`].
    body_of: Vec<u32>,
    /// First solver index of each cell, and the end of the last cell's.
    starts: Vec<usize>,
    /// The spare solver indices of each cell.
    spare: Vec<Vec<u32>>,
    /// The cell of each bin across the scene, and where the bins are; `None` for a scene of one cell.
    histogram: Vec<u32>,
    bins: Option<Bins>,
}

/// Equal bins across the longest side of a scene.
#[derive(Clone, Copy, Debug)]
struct Bins {
    side: usize,
    low: f32,
    length: f32,
}

impl Bins {
    /// The bin of a body.
    fn of(&self, bodies: &Bodies, i: usize) -> usize {
        let fraction = (bodies.position[i].as_vec3()[self.side] - self.low) / self.length;
        ((fraction * BINS as f32) as usize).min(BINS - 1)
    }
}

/// Bins by which the bodies of a scene are counted.
const BINS: usize = 1024;

/// A cell has one spare solver index for so many bodies, and at least [`MIN_SPARE`].
const BODIES_PER_SPARE: usize = 16;
/// See [`BODIES_PER_SPARE`].
const MIN_SPARE: usize = 32;

/// Pairs that one task assigns to cells.
const PAIRS_PER_TASK: usize = 8192;

/// Solver indices that one task fills.
const INDICES_PER_TASK: usize = 2048;

/// Marks a solver index that belongs to no body.
const NO_BODY: u32 = u32::MAX;

impl CellLayout {
    /// Cuts a scene with this number of pairs.
    fn cut(&mut self, bodies: &Bodies, pairs: usize) {
        let cells = self.assign_cells(bodies, pairs);
        self.starts.clear();
        self.starts.resize(cells + 1, 0);
        for i in free(bodies) {
            self.starts[self.cell_of_body[i] as usize + 1] += 1;
        }
        self.spare.clear();
        for cell in 0..cells {
            let count = self.starts[cell + 1];
            let spare = MIN_SPARE.max(count / BODIES_PER_SPARE);
            let end = self.starts[cell] + 1 + count;
            // The lowest spare index is taken first.
            let indices = end as u32..(end + spare) as u32;
            self.spare.push(indices.rev().collect());
            self.starts[cell + 1] = end + spare;
        }
        let mut next: SmallVec<[usize; MAX_CELLS]> =
            self.starts[..cells].iter().map(|start| start + 1).collect();
        self.solver_index_of.clear();
        self.solver_index_of.resize(bodies.len(), 0);
        self.body_of.clear();
        self.body_of.resize(self.starts[cells], NO_BODY);
        for i in free(bodies) {
            let index = &mut next[self.cell_of_body[i] as usize];
            self.solver_index_of[i] = *index as u32;
            self.body_of[*index] = i as u32;
            *index += 1;
        }
        self.give_to_parts(bodies);
    }

    /// Gives parts the solver indices of their compounds.
    fn give_to_parts(&mut self, bodies: &Bodies) {
        for (whole, part) in bodies.parts.iter() {
            self.solver_index_of[part] = self.solver_index_of[whole];
            self.cell_of_body[part] = self.cell_of_body[whole];
        }
    }

    /// Gives the bodies that have changed solver indices of the cells that they are in, and takes those of bodies that move no more.
    /// Returns false if there is none left.
    fn follow(&mut self, bodies: &Bodies, changed: &[u32]) -> bool {
        let known = self.solver_index_of.len();
        for i in bodies.len()..known {
            self.give_up(i);
        }
        self.solver_index_of.resize(bodies.len(), 0);
        self.cell_of_body.resize(bodies.len(), 0);
        // A body that has slept or woken may have gone since.
        let mut there = changed.iter().filter(|&&i| (i as usize) < bodies.len());
        let have_place = there.all(|&i| {
            self.give_up(i as usize);
            bodies.is_part(i as usize) || self.take(bodies, i as usize)
        });
        self.give_to_parts(bodies);
        have_place
    }

    /// Makes the solver index of a body spare.
    fn give_up(&mut self, i: usize) {
        let index = std::mem::take(&mut self.solver_index_of[i]);
        // The first index of a cell is no body's, and that of a part is its compound's.
        if index > 0 && self.body_of[index as usize] == i as u32 {
            self.body_of[index as usize] = NO_BODY;
            self.spare[self.cell_of_body[i] as usize].push(index);
        }
    }

    /// Gives a body a spare solver index, if it moves. Returns whether there was one.
    fn take(&mut self, bodies: &Bodies, i: usize) -> bool {
        if !bodies.moves(i) {
            return true;
        }
        let bins = self.bins.filter(|_| has_place(bodies, i));
        let cell = bins.map_or(0, |bins| self.histogram[bins.of(bodies, i)]);
        let Some(index) = self.spare[cell as usize].pop() else {
            return false;
        };
        self.cell_of_body[i] = cell;
        self.solver_index_of[i] = index;
        self.body_of[index as usize] = i as u32;
        true
    }

    /// Assigns each free body to a cell, and returns the number of cells. A kinematic plane is always in the first cell.
    fn assign_cells(&mut self, bodies: &Bodies, pairs: usize) -> usize {
        self.bins = None;
        self.cell_of_body.clear();
        self.cell_of_body.resize(bodies.len(), 0);
        let wanted = (pairs / PAIRS_PER_CELL).clamp(1, MAX_CELLS);
        if wanted == 1 {
            return 1;
        }
        let (mut min, mut max, mut radii, mut count) = (Vec3::INFINITY, Vec3::NEG_INFINITY, 0.0, 0);
        for i in placed(bodies) {
            min = min.min(bodies.position[i].as_vec3());
            max = max.max(bodies.position[i].as_vec3());
            radii += bodies.shape[i].bounding_radius();
            count += 1;
        }
        let side = (max - min).max_position();
        let (low, length) = (min[side], (max - min)[side]);
        let bins = Bins { side, low, length };
        self.bins = Some(bins);
        self.histogram.clear();
        self.histogram.resize(BINS, 0);
        for i in placed(bodies) {
            self.histogram[bins.of(bodies, i)] += 1;
        }
        // A cell ends where it has its share of the bodies and is thick enough.
        let share = (count as f32 / wanted as f32).ceil() as u32;
        let least_bins = (MIN_THICKNESS * radii / count as f32) / length * BINS as f32;
        let (mut cell, mut held, mut thickness) = (0, 0, 0.0);
        for entry in &mut self.histogram {
            let bodies_here = std::mem::replace(entry, cell);
            held += bodies_here;
            thickness += 1.0;
            if held >= share && thickness >= least_bins && cell + 1 < MAX_CELLS as u32 {
                cell += 1;
                (held, thickness) = (0, 0.0);
            }
        }
        for i in free(bodies).filter(|&i| has_place(bodies, i)) {
            self.cell_of_body[i] = self.histogram[bins.of(bodies, i)];
        }
        cell as usize + 1
    }

    /// The number of cells, without the overflow cell.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Sets the item at each solver index to `of(body)`, or to `nobodys` if the index has no body.
    pub fn fill<T: Copy + Send + Sync>(
        &self,
        items: &mut Vec<T>,
        nobodys: T,
        of: impl Fn(usize) -> T + Sync,
    ) {
        let count = self.body_of.len();
        fill_chunks(
            count,
            INDICES_PER_TASK,
            items,
            nobodys,
            |index| match self.body_of[index] {
                NO_BODY => nobodys,
                i => of(i as usize),
            },
        );
    }

    /// The solver index of a free body.
    pub fn solver_index(&self, i: usize) -> usize {
        self.solver_index_of[i] as usize
    }

    /// The solver indices that the pairs of a cell may change: the indices of the cell and of the next cell. The number after the
    /// last cell's is the overflow cell: its pairs may change all.
    pub fn range(&self, cell: usize) -> Range<usize> {
        let end = self.starts[self.count()];
        if cell == self.count() {
            return 0..end;
        }
        self.starts[cell]..self.starts[(cell + 2).min(self.count())]
    }

    /// The number of the cell that the pair of `a` and `b` belongs to; `None` if both are static.
    pub fn cell_of(&self, bodies: &Bodies, a: u32, b: u32) -> Option<usize> {
        let cell = |i: u32| {
            let i = i as usize;
            (bodies.moves(i)).then_some(self.cell_of_body[i] as usize)
        };
        match (cell(a), cell(b)) {
            (Some(a), Some(b)) if a.abs_diff(b) > 1 => Some(self.count()),
            (Some(a), Some(b)) => Some(a.min(b)),
            (Some(cell), None) | (None, Some(cell)) => Some(cell),
            (None, None) => None,
        }
    }

    /// Calls `work` for each cell, with its first solver index and its range of `items`, one item per solver index: all even cells
    /// at once, then all odd cells at once, then the overflow cell.
    pub fn for_each_cell<P: Send, T: Send>(
        &self,
        cells: &mut Cells<P>,
        items: &mut [T],
        work: impl Fn(&mut P, usize, &mut [T]) + Sync,
    ) {
        let none: (&mut [()], &mut [()]) = (&mut [], &mut []);
        self.for_each_cell_of_all(
            cells,
            (items, none.0, none.1),
            |cell, first, items, _, _| {
                work(cell, first, items);
            },
        );
    }

    /// As [`for_each_cell`](Self::for_each_cell), with items of three kinds. Each slice has one item per solver index, or is empty.
    pub fn for_each_cell_of_all<P: Send, T: Send, U: Send, V: Send>(
        &self,
        Cells { cells, overflow }: &mut Cells<P>,
        (one, two, three): (&mut [T], &mut [U], &mut [V]),
        work: impl Fn(&mut P, usize, &mut [T], &mut [U], &mut [V]) + Sync,
    ) {
        for parity in 0..2.min(cells.len()) {
            let mut jobs: SmallVec<[_; MAX_CELLS / 2]> = SmallVec::new();
            let (mut rest, mut at) = ((&mut *one, &mut *two, &mut *three), 0);
            for (k, cell) in cells.iter_mut().enumerate().skip(parity).step_by(2) {
                let range = self.range(k);
                let (skipped, size) = (range.start - at, range.len());
                let (one, one_after) = cut_out(rest.0, skipped, size);
                let (two, two_after) = cut_out(rest.1, skipped, size);
                let (three, three_after) = cut_out(rest.2, skipped, size);
                (rest, at) = ((one_after, two_after, three_after), range.end);
                jobs.push((cell, range.start, one, two, three));
            }
            for_each(jobs, |(cell, first, one, two, three)| {
                work(cell, first, one, two, three);
            });
        }
        work(overflow, 0, one, two, three);
    }
}

/// `size` items after the `skipped` items, and the remaining items; two empty slices of an empty slice.
fn cut_out<T>(items: &mut [T], skipped: usize, size: usize) -> (&mut [T], &mut [T]) {
    if items.is_empty() {
        return (&mut [], &mut []);
    }
    items[skipped..].split_at_mut(size)
}

fn free(bodies: &Bodies) -> impl Iterator<Item = usize> {
    (0..bodies.len()).filter(|&i| bodies.moves(i) && !bodies.is_part(i))
}

/// Free balls and capsules.
fn placed(bodies: &Bodies) -> impl Iterator<Item = usize> {
    free(bodies).filter(|&i| bodies.shape[i].is_round())
}

/// Whether a body has a place in the scene: all have but planes.
fn has_place(bodies: &Bodies, i: usize) -> bool {
    !bodies.shape[i].is_plane()
}

/// One value for each cell, and one for the overflow cell.
#[derive(Debug, Default)]
pub(super) struct Cells<P> {
    pub cells: Vec<P>,
    pub overflow: P,
}

impl<P: Default> Cells<P> {
    /// Makes one value for each cell; values that are there already stay.
    pub fn resize(&mut self, layout: &CellLayout) {
        self.cells.resize_with(layout.count(), P::default);
        if !self.has_overflow() {
            self.overflow = P::default();
        }
    }

    /// Whether a pair can span more than two cells.
    fn has_overflow(&self) -> bool {
        self.cells.len() > 1
    }

    /// The value of a cell by its number; the overflow cell has the number after the last cell's.
    pub fn get(&self, cell: usize) -> &P {
        self.cells.get(cell).unwrap_or(&self.overflow)
    }

    /// As [`get`](Self::get), mutable.
    pub fn get_mut(&mut self, cell: usize) -> &mut P {
        self.cells.get_mut(cell).unwrap_or(&mut self.overflow)
    }

    /// All values that may hold something. A scene of one cell has no overflow cell: it takes no second thread.
    pub fn iter(&self) -> impl Iterator<Item = &P> {
        let overflow = self.has_overflow().then_some(&self.overflow);
        self.cells.iter().chain(overflow)
    }

    /// As [`iter`](Self::iter), mutable.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut P> {
        let overflow = self.has_overflow().then_some(&mut self.overflow);
        self.cells.iter_mut().chain(overflow)
    }
}

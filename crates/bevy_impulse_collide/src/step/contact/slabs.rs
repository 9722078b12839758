//! The contact problem cut into slabs of space, so that threads can work on it at once.
//!
//! Bodies are divided into slabs across the longest side of the scene. The contacts of a slab are those whose first body
//! is in it and whose other body is in it or in the next: so all slabs of even number can be swept at once, as no two of
//! them touch the same body, and then all of odd number. The few contacts that reach further are swept after them, in one
//! go. How a scene is cut depends on the scene alone, so the result is the same on any number of threads.

use bevy::prelude::*;
use glam::DVec3;
use smallvec::SmallVec;

use super::{
    general::Single,
    lanes::{Entry, LANES, Lanes},
    motion::Motion,
    row::{Row, Rows},
};
use crate::{bodies::Bodies, parallel::for_each};

/// Rows that make a slab worth a thread's while.
const ROWS_PER_SLAB: usize = 1024;
const MAX_SLABS: usize = 32;
/// Least thickness of a slab, in mean radii: few contacts then reach past the next slab.
const LEAST_THICKNESS: f32 = 4.0;

/// Sum of the impulses on a body, and of the angular impulses about its centre.
pub(super) type Sums = (DVec3, DVec3);

/// The contact problem of one substep.
#[derive(Debug, Default)]
pub(super) struct Slabs {
    /// Of each body: the slab that it is in.
    slab_of: Vec<u32>,
    /// Of each body: where its motion is. Meaningless for what nothing moves.
    place_of: Vec<u32>,
    /// Where each slab's motions start, and where the last one's end. The first motion of each is the ground.
    starts: Vec<usize>,
    motions: Vec<Motion>,
    sums: Vec<Sums>,
    /// The contacts of each slab.
    parts: Vec<Part>,
    /// Contacts that reach further than to the next slab.
    far: Part,
    histogram: Vec<u32>,
}

/// Contacts that are swept together.
#[derive(Debug, Default)]
struct Part {
    /// Indices of the rows.
    rows: Vec<u32>,
    singles: Vec<Single>,
    lanes: Vec<Lanes>,
    colors: Colors,
}

impl Slabs {
    /// Cuts `rows` into slabs and packs them for the sweeps.
    pub fn prepare(&mut self, bodies: &Bodies, rows: &Rows) {
        let slabs = self.assign_slabs(bodies, rows.rows.len());
        self.place_motions(bodies, slabs);

        self.parts.resize_with(slabs, Part::default);
        for part in self.parts.iter_mut().chain([&mut self.far]) {
            part.rows.clear();
        }
        for (k, row) in rows.rows.iter().enumerate() {
            let (a, b) = (row.a as usize, row.b as usize);
            let slab = |i: usize| bodies.is_free(i).then_some(self.slab_of[i]);
            let (low, high) = match (slab(a), slab(b)) {
                (Some(a), Some(b)) => (a.min(b), a.max(b)),
                (Some(s), None) | (None, Some(s)) => (s, s),
                (None, None) => continue,
            };
            let part = if high - low <= 1 {
                &mut self.parts[low as usize]
            } else {
                &mut self.far
            };
            part.rows.push(k as u32);
        }

        let (starts, place_of) = (&self.starts, &self.place_of);
        let motions = &self.motions;
        let jobs = self.parts.iter_mut().enumerate();
        let jobs = jobs.map(|(slab, part)| (part, reach(starts, slab)));
        for_each(jobs, |(part, reach)| {
            part.pack(bodies, rows, place_of, reach.start, &motions[reach]);
        });
        self.far.pack(bodies, rows, place_of, 0, motions);
    }

    /// Puts each free body into a slab; how many there are.
    fn assign_slabs(&mut self, bodies: &Bodies, rows: usize) -> usize {
        const BINS: usize = 1024;
        self.slab_of.clear();
        self.slab_of.resize(bodies.len(), 0);
        let wanted = (rows / ROWS_PER_SLAB).clamp(1, MAX_SLABS);
        if wanted == 1 {
            return 1;
        }
        let free = || (0..bodies.len()).filter(|&i| bodies.is_free(i));
        let (mut min, mut max, mut radii, mut count) = (Vec3::INFINITY, Vec3::NEG_INFINITY, 0.0, 0);
        for i in free() {
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
        for i in free() {
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
            if held >= share && bins >= least_bins {
                slab += 1;
                (held, bins) = (0, 0.0);
            }
        }
        for i in free() {
            self.slab_of[i] = self.histogram[bin(i)];
        }
        slab as usize + 1
    }

    /// Packs the motions of the free bodies slab by slab.
    fn place_motions(&mut self, bodies: &Bodies, slabs: usize) {
        self.starts.clear();
        self.starts.resize(slabs + 1, 0);
        for i in (0..bodies.len()).filter(|&i| bodies.is_free(i)) {
            self.starts[self.slab_of[i] as usize + 1] += 1;
        }
        for slab in 0..slabs {
            self.starts[slab + 1] += self.starts[slab] + 1;
        }
        self.motions.clear();
        self.motions.resize(self.starts[slabs], Motion::GROUND);
        self.place_of.clear();
        self.place_of.resize(bodies.len(), 0);
        let mut next: SmallVec<[usize; MAX_SLABS]> = self.starts[..slabs].into();
        for i in (0..bodies.len()).filter(|&i| bodies.is_free(i)) {
            let place = &mut next[self.slab_of[i] as usize];
            *place += 1;
            self.place_of[i] = *place as u32;
            self.motions[*place] = Motion::of(bodies, i);
        }
    }

    /// Gives the impulses that the rows start with.
    pub fn push_all(&mut self) {
        each_part(
            &mut self.parts,
            &mut self.far,
            &self.starts,
            &mut self.motions,
            |part, motions| {
                part.singles
                    .iter()
                    .for_each(|single| single.push_all(motions));
                part.lanes.iter().for_each(|lanes| lanes.push_all(motions));
            },
        );
    }

    /// One sweep over all contacts.
    pub fn sweep(&mut self) {
        each_part(
            &mut self.parts,
            &mut self.far,
            &self.starts,
            &mut self.motions,
            |part, motions| {
                for single in &mut part.singles {
                    single.sweep(motions);
                }
                for lanes in &mut part.lanes {
                    lanes.sweep(motions);
                }
            },
        );
    }

    /// Writes the impulses found into the rows.
    pub fn write_impulses(&self, rows: &mut Rows) {
        for part in self.parts.iter().chain([&self.far]) {
            for single in &part.singles {
                rows.rows[single.row_index as usize] = single.row;
                rows.general[single.row.general as usize] = single.general;
            }
            for lanes in &part.lanes {
                for (lane, &row) in lanes.row.iter().enumerate() {
                    if row != u32::MAX {
                        let row = &mut rows.rows[row as usize];
                        (row.normal_impulse, row.friction_impulse) = lanes.impulses(lane);
                    }
                }
            }
        }
    }

    /// Sums the impulses of the `rows` for each body, in f64.
    pub fn sum(&mut self, bodies: &Bodies, rows: &Rows) {
        self.sums.clear();
        self.sums.resize(self.motions.len(), default());
        let place_of = &self.place_of;
        let add = |part: &mut Part, first: usize, sums: &mut [Sums]| {
            for row in part.rows.iter().map(|&k| &rows.rows[k as usize]) {
                let impulse = row.impulse().as_dvec3();
                let couple = match rows.general.get(row.general as usize) {
                    Some(general) => general.couple.as_dvec3(),
                    None => DVec3::ZERO,
                };
                let point = row.point.point.as_dvec3();
                for (i, sign) in [(row.a as usize, 1.0), (row.b as usize, -1.0)] {
                    if bodies.is_free(i) {
                        let (linear, angular) = &mut sums[place_of[i] as usize - first];
                        // Seen from where the body launches, as the integration will have it: after an impact that is not
                        // its position.
                        let arm = point - bodies.launch_position[i].as_dvec3();
                        *linear += sign * impulse;
                        *angular += sign * (arm.cross(impulse) + couple);
                    }
                }
            }
        };
        each_part_from(
            &mut self.parts,
            &mut self.far,
            &self.starts,
            &mut self.sums,
            add,
        );
    }

    /// What [`sum`](Self::sum) found for a free body.
    pub fn sums_of(&self, i: usize) -> Sums {
        self.sums[self.place_of[i] as usize]
    }
}

/// Where the motions are that a slab's contacts change: its own and the next slab's.
fn reach(starts: &[usize], slab: usize) -> std::ops::Range<usize> {
    starts[slab]..starts[(slab + 2).min(starts.len() - 1)]
}

fn each_part<T: Send>(
    parts: &mut [Part],
    far: &mut Part,
    starts: &[usize],
    items: &mut [T],
    work: impl Fn(&mut Part, &mut [T]) + Sync,
) {
    each_part_from(parts, far, starts, items, |part, _, items| {
        work(part, items);
    });
}

/// Calls `work` for each part with the index of the first of its items, and these: even slabs at once, then odd ones at
/// once, then the part that reaches far.
fn each_part_from<T: Send>(
    parts: &mut [Part],
    far: &mut Part,
    starts: &[usize],
    items: &mut [T],
    work: impl Fn(&mut Part, usize, &mut [T]) + Sync,
) {
    for parity in 0..2.min(parts.len()) {
        let mut jobs: SmallVec<[(&mut Part, usize, &mut [T]); MAX_SLABS / 2 + 1]> = SmallVec::new();
        let mut rest = &mut *items;
        let mut at = 0;
        for (slab, part) in parts.iter_mut().enumerate().skip(parity).step_by(2) {
            let reach = reach(starts, slab);
            let (_, from_start) = rest.split_at_mut(reach.start - at);
            let (own, after) = from_start.split_at_mut(reach.len());
            (rest, at) = (after, reach.end);
            jobs.push((part, reach.start, own));
        }
        for_each(jobs, |(part, first, items)| work(part, first, items));
    }
    if !far.rows.is_empty() {
        work(far, 0, items);
    }
}

impl Part {
    /// Packs the rows. `motions` are those that they change, of which the first is number `first` of all.
    fn pack(
        &mut self,
        bodies: &Bodies,
        rows: &Rows,
        place_of: &[u32],
        first: usize,
        motions: &[Motion],
    ) {
        let place = |i: u32| {
            if bodies.is_free(i as usize) {
                place_of[i as usize] - first as u32
            } else {
                0
            }
        };
        let places = |row: &Row| (place(row.a), place(row.b));
        let radii = |row: &Row| {
            (
                bodies.shape[row.a as usize].radius(),
                bodies.shape[row.b as usize].radius(),
            )
        };
        self.singles.clear();
        self.lanes.clear();
        self.colors.begin(motions.len());
        for &k in &self.rows {
            let row = rows.rows[k as usize];
            if row.is_simple() {
                self.colors.add(Entry {
                    row: k,
                    bodies: places(&row),
                });
            } else {
                let general = rows.general[row.general as usize];
                self.singles
                    .push(Single::new(k, row, general, places(&row)));
            }
        }
        let lanes = &mut self.lanes;
        self.colors
            .each_group(|group| lanes.push(Lanes::new(group, &rows.rows, motions, radii)));
    }
}

/// Contacts by colour: no two contacts of one colour have a moving body in common.
#[derive(Debug, Default)]
struct Colors {
    entries: Vec<(Entry, u32)>,
    /// Of each motion: the colours that its contacts have.
    used: Vec<u64>,
    sorted: Vec<Entry>,
}

/// Contacts that find no colour free are groups by themselves.
const NO_COLOR: u32 = u64::BITS;

impl Colors {
    fn begin(&mut self, motions: usize) {
        self.entries.clear();
        self.used.clear();
        self.used.resize(motions, 0);
    }

    /// Gives a contact the first colour that neither body has yet.
    fn add(&mut self, entry: Entry) {
        let (a, b) = entry.bodies;
        let used = self.used[a as usize] | self.used[b as usize];
        let color = used.trailing_ones();
        if color < NO_COLOR {
            // Any number of contacts may share the ground.
            for i in [a, b].into_iter().filter(|&i| i != 0) {
                self.used[i as usize] |= 1 << color;
            }
        }
        self.entries.push((entry, color));
    }

    /// Calls `group` with up to four contacts of one colour, colour after colour.
    fn each_group(&mut self, mut group: impl FnMut(&[Entry])) {
        let mut starts = [0; NO_COLOR as usize + 2];
        for (_, color) in &self.entries {
            starts[*color as usize + 1] += 1;
        }
        for color in 0..=NO_COLOR as usize {
            starts[color + 1] += starts[color];
        }
        let Some(&(any, _)) = self.entries.first() else {
            return;
        };
        self.sorted.clear();
        self.sorted.resize(self.entries.len(), any);
        let mut next = starts;
        for &(entry, color) in &self.entries {
            let place = &mut next[color as usize];
            self.sorted[*place] = entry;
            *place += 1;
        }
        for color in 0..=NO_COLOR as usize {
            let entries = &self.sorted[starts[color]..starts[color + 1]];
            let size = if color == NO_COLOR as usize { 1 } else { LANES };
            entries.chunks(size).for_each(&mut group);
        }
    }
}

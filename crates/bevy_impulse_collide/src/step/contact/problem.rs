//! The contact problem of a substep, packed for the sweeps and cut into parts that threads sweep at once.

use bevy::prelude::*;
use glam::DVec3;

use super::{
    general::Single,
    lanes::{Entry, LANES, Lanes},
    motion::Motion,
    row::{Row, Rows},
};
use crate::{
    bodies::Bodies,
    parallel::for_each,
    step::slabs::{Parts, Slabs},
};

/// Sum of the impulses on a body, and of the angular impulses about its centre.
pub(super) type Sums = (DVec3, DVec3);

/// The contact problem of one substep.
#[derive(Debug, Default)]
pub(super) struct Problem {
    slabs: Slabs,
    parts: Parts<Part>,
    /// The free bodies' motions, slab by slab. The first of each slab is the ground's.
    motions: Vec<Motion>,
    sums: Vec<Sums>,
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

impl Problem {
    /// Cuts `rows` into slabs and packs them for the sweeps.
    pub fn prepare(&mut self, bodies: &Bodies, rows: &Rows) {
        let Self {
            slabs,
            parts,
            motions,
            ..
        } = self;
        slabs.cut(bodies, rows.rows.len(), 1);
        motions.clear();
        motions.resize(slabs.places(), Motion::GROUND);
        for i in (0..bodies.len()).filter(|&i| bodies.is_free(i)) {
            motions[slabs.place(i)] = Motion::of(bodies, i);
        }

        parts.resize(slabs);
        parts.iter_mut().for_each(|part| part.rows.clear());
        for (k, row) in rows.rows.iter().enumerate() {
            if let Some(part) = slabs.part(bodies, row.a, row.b) {
                parts.get_mut(part).rows.push(k as u32);
            }
        }
        for_each(parts.slabs.iter_mut().enumerate(), |(slab, part)| {
            let reach = slabs.reach(slab);
            part.pack(bodies, rows, slabs, reach.start, &motions[reach]);
        });
        parts.far.pack(bodies, rows, slabs, 0, motions);
    }

    /// Gives the impulses that the rows start with.
    pub fn push_all(&mut self) {
        let push = |part: &mut Part, _, motions: &mut [Motion]| {
            part.singles
                .iter()
                .for_each(|single| single.push_all(motions));
            part.lanes.iter().for_each(|lanes| lanes.push_all(motions));
        };
        self.slabs
            .for_each_part(&mut self.parts, &mut self.motions, push);
    }

    /// One sweep over all contacts.
    pub fn sweep(&mut self) {
        let sweep = |part: &mut Part, _, motions: &mut [Motion]| {
            for single in &mut part.singles {
                single.sweep(motions);
            }
            for lanes in &mut part.lanes {
                lanes.sweep(motions);
            }
        };
        self.slabs
            .for_each_part(&mut self.parts, &mut self.motions, sweep);
    }

    /// Writes the impulses found into the rows.
    pub fn write_impulses(&self, rows: &mut Rows) {
        for part in self.parts.iter() {
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
        let slabs = &self.slabs;
        let add = |part: &mut Part, first: usize, sums: &mut [Sums]| {
            for row in part.rows.iter().map(|&k| &rows.rows[k as usize]) {
                let impulse = row.impulse().as_dvec3();
                let couple = rows.couple(row).as_dvec3();
                let point = row.point.point.as_dvec3();
                let (a, b) = (row.a as usize, row.b as usize);
                // Of two free bodies, seen from where they launch, as the integration will have it, which after an impact is
                // not where they are: so their angular momentum stays. A contact with the ground goes with the body.
                let from = if bodies.is_free(a) && bodies.is_free(b) {
                    &bodies.launch_position
                } else {
                    &bodies.position
                };
                for (i, sign) in [(a, 1.0), (b, -1.0)] {
                    if bodies.is_free(i) {
                        let (linear, angular) = &mut sums[slabs.place(i) - first];
                        let arm = point - from[i].as_dvec3();
                        *linear += sign * impulse;
                        *angular += sign * (arm.cross(impulse) + couple);
                    }
                }
            }
        };
        slabs.for_each_part(&mut self.parts, &mut self.sums, add);
    }

    /// What [`sum`](Self::sum) found for a free body.
    pub fn sums_of(&self, i: usize) -> Sums {
        self.sums[self.slabs.place(i)]
    }
}

impl Part {
    /// Packs the rows. `motions` are those that they change, of which the first is number `first` of all.
    fn pack(
        &mut self,
        bodies: &Bodies,
        rows: &Rows,
        slabs: &Slabs,
        first: usize,
        motions: &[Motion],
    ) {
        let place = |i: u32| {
            if bodies.is_free(i as usize) {
                (slabs.place(i as usize) - first) as u32
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

//! Proxies that have moved since the grid was built, in a separate hashed grid that they can be put into and taken out of. Where
//! balls are poured, there are thousands of such proxies, and each meets a few.

use glam::{IVec3, Vec3A};

use super::{
    aabb::Aabb,
    grid::{cell_at, cells_around},
};

const BUCKETS: usize = 1 << 12;
/// The bucket of AABBs larger than a cell.
const LARGE: usize = BUCKETS;

/// No body, or no entry.
const NONE: u32 = u32::MAX;

/// A body and the AABB that it sweeps, in the cell that holds the centre of the AABB.
#[derive(Clone, Copy, Debug)]
struct MovedEntry {
    aabb: Aabb,
    body: u32,
    /// The next entry in its bucket.
    next: u32,
}

/// The AABBs of moved proxies, in hashed cells. AABBs larger than a cell have a bucket of their own.
#[derive(Clone, Debug, Default)]
pub(super) struct MovedProxies {
    sides: Vec3A,
    inverse_sides: Vec3A,
    /// The entry of each body.
    entry_of: Vec<u32>,
    entries: Vec<MovedEntry>,
    /// The first entry of each bucket.
    heads: Vec<u32>,
}

impl MovedProxies {
    /// Removes all proxies, and sets the number of bodies and the sides of the cells in m.
    pub fn reset(&mut self, bodies: usize, sides: Vec3A) {
        self.sides = sides;
        self.inverse_sides = sides.recip();
        self.entry_of.clear();
        self.entry_of.resize(bodies, NONE);
        self.entries.clear();
        self.heads.clear();
        self.heads.resize(LARGE + 1, NONE);
    }

    /// Makes room for this number of bodies.
    pub fn extend(&mut self, bodies: usize) {
        if self.entry_of.len() < bodies {
            self.entry_of.resize(bodies, NONE);
        }
    }

    /// Removes all proxies.
    pub fn clear(&mut self) {
        for entry in &self.entries {
            if let Some(number) = self.entry_of.get_mut(entry.body as usize) {
                *number = NONE;
            }
            let bucket = self.bucket_of(&entry.aabb);
            self.heads[bucket] = NONE;
        }
        self.entries.clear();
    }

    /// Whether the proxy of the body has moved.
    pub fn has(&self, body: usize) -> bool {
        self.entry_of[body] != NONE
    }

    /// Adds the proxy of a body, or moves it again.
    pub fn put(&mut self, body: usize, aabb: &Aabb) {
        let mut number = self.entry_of[body];
        if number == NONE {
            number = self.entries.len() as u32;
            self.entry_of[body] = number;
            self.entries.push(MovedEntry {
                aabb: *aabb,
                body: body as u32,
                next: NONE,
            });
        } else {
            self.unlink(number);
        }
        let bucket = self.bucket_of(aabb);
        let next = std::mem::replace(&mut self.heads[bucket], number);
        let entry = &mut self.entries[number as usize];
        (entry.aabb, entry.next) = (*aabb, next);
    }

    /// Removes the proxy of a body, if it is there.
    pub fn remove(&mut self, body: usize) {
        let number = std::mem::replace(&mut self.entry_of[body], NONE);
        if number != NONE {
            self.unlink(number);
            let entry = &mut self.entries[number as usize];
            (entry.aabb, entry.body) = (Aabb::EMPTY, NONE);
        }
    }

    /// The number of proxies, with those that were removed.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    fn unlink(&mut self, number: u32) {
        let MovedEntry { aabb, next, .. } = self.entries[number as usize];
        let bucket = self.bucket_of(&aabb);
        if self.heads[bucket] == number {
            self.heads[bucket] = next;
            return;
        }
        let mut before = self.heads[bucket];
        while self.entries[before as usize].next != number {
            before = self.entries[before as usize].next;
        }
        self.entries[before as usize].next = next;
    }

    /// Calls `meet` for each body whose AABB overlaps `aabb`.
    pub fn for_each_near(&self, aabb: &Aabb, mut meet: impl FnMut(u32)) {
        let mut visit = |entry: &MovedEntry| {
            if entry.aabb.overlaps(aabb) {
                meet(entry.body);
            }
        };
        let (low, high) = cells_around(aabb, self.sides, self.inverse_sides);
        let cells = (high - low + 1).as_dvec3().element_product();
        // A test of an entry takes no longer than a look-up of a cell.
        if cells > self.entries.len() as f64 {
            self.entries.iter().for_each(visit);
            return;
        }
        for x in low.x..=high.x {
            for y in low.y..=high.y {
                for z in low.z..=high.z {
                    let at = IVec3::new(x, y, z);
                    // Other cells share the bucket: their entries would be found twice.
                    self.in_bucket(bucket(at))
                        .filter(|entry| self.cell(entry.aabb.centre()) == at)
                        .for_each(&mut visit);
                }
            }
        }
        self.in_bucket(LARGE).for_each(visit);
    }

    fn in_bucket(&self, bucket: usize) -> impl Iterator<Item = &MovedEntry> {
        let entry = |number: u32| self.entries.get(number as usize);
        let first = self.heads.get(bucket).and_then(|&number| entry(number));
        std::iter::successors(first, move |one| entry(one.next))
    }

    fn bucket_of(&self, aabb: &Aabb) -> usize {
        let cells = (aabb.max - aabb.min) * self.inverse_sides;
        if cells.cmple(Vec3A::ONE).all() {
            bucket(self.cell(aabb.centre()))
        } else {
            LARGE
        }
    }

    fn cell(&self, p: Vec3A) -> IVec3 {
        cell_at(p, self.inverse_sides)
    }
}

fn bucket(cell: IVec3) -> usize {
    let mixed = (cell.x as u32).wrapping_mul(0x9E37_79B1)
        ^ (cell.y as u32).wrapping_mul(0x85EB_CA77)
        ^ (cell.z as u32).wrapping_mul(0xC2B2_AE3D);
    (mixed ^ (mixed >> 15)) as usize % BUCKETS
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn aabb() -> impl Strategy<Value = Aabb> {
        let three = |range: std::ops::Range<f32>| [range.clone(), range.clone(), range];
        (three(-6.0..6.0), three(0.0..1.0), 0..20u32).prop_map(|(at, sides, size)| {
            // One in twenty is larger than a cell.
            let sides = Vec3A::from(sides) * if size == 0 { 8.0 } else { 1.0 };
            let min = Vec3A::from(at);
            Aabb {
                min,
                max: min + sides,
            }
        })
    }

    proptest! {
        /// Also when bodies have been put somewhere else, and all have been taken out before.
        #[test]
        fn finds_what_a_search_of_all_finds(
            rounds in prop::collection::vec(prop::collection::vec((0..150usize, aabb()), 1..400), 1..3),
            queries in prop::collection::vec(aabb(), 1..20),
        ) {
            let mut proxies = MovedProxies::default();
            proxies.reset(150, Vec3A::ONE);
            for round in rounds {
                proxies.clear();
                let mut boxes = vec![None; 150];
                for (body, aabb) in round {
                    proxies.put(body, &aabb);
                    boxes[body] = Some(aabb);
                }
                for query in &queries {
                    let mut found = Vec::new();
                    proxies.for_each_near(query, |body| found.push(body as usize));
                    found.sort_unstable();
                    let overlaps = |body: &usize| boxes[*body].is_some_and(|aabb: Aabb| aabb.overlaps(query));
                    let expected: Vec<usize> = (0..150).filter(overlaps).collect();
                    prop_assert_eq!(found, expected);
                }
                for (body, aabb) in boxes.iter().enumerate() {
                    prop_assert_eq!(proxies.has(body), aabb.is_some());
                }
            }
        }
    }
}

//! Bodies that impacts have taken out of their rooms, by place: in a pour they are thousands, and each meets a few.

use glam::{IVec3, Vec3A};

use super::grid::Aabb;

const BUCKETS: usize = 1 << 12;

/// No body, or no entry.
const NONE: u32 = u32::MAX;

/// A body and the box that it sweeps, in the cell that holds the middle of the box.
#[derive(Clone, Copy, Debug)]
struct Entry {
    aabb: Aabb,
    body: u32,
    /// The entry before it in its bucket.
    next: u32,
}

/// Boxes in cells that are no smaller than they are, hashed; and those that are larger.
#[derive(Clone, Debug, Default)]
pub(super) struct Outside {
    inverse_cell: Vec3A,
    half_cell: Vec3A,
    /// Of each body: its entry. A body that is put somewhere else leaves an old entry behind.
    entry_of: Vec<u32>,
    entries: Vec<Entry>,
    /// Of each bucket: its last entry.
    heads: Vec<u32>,
    /// Entries of boxes larger than a cell.
    large: Vec<u32>,
}

impl Outside {
    /// Starts anew, for so many bodies, with cells that have such sides.
    pub fn reset(&mut self, bodies: usize, cell: Vec3A) {
        self.inverse_cell = cell.recip();
        self.half_cell = 0.5 * cell;
        self.entry_of.clear();
        self.entry_of.resize(bodies, NONE);
        self.entries.clear();
        self.heads.clear();
        self.heads.resize(BUCKETS, NONE);
        self.large.clear();
    }

    /// Takes all bodies out.
    pub fn clear(&mut self) {
        for entry in &self.entries {
            self.entry_of[entry.body as usize] = NONE;
            let bucket = bucket(self.cell(entry.aabb.centre()));
            self.heads[bucket] = NONE;
        }
        self.entries.clear();
        self.large.clear();
    }

    /// Whether the body is one of them.
    pub fn has(&self, body: usize) -> bool {
        self.entry_of[body] != NONE
    }

    /// Puts a body in, or somewhere else.
    pub fn put(&mut self, body: usize, aabb: &Aabb) {
        let number = self.entries.len() as u32;
        self.entry_of[body] = number;
        let mut next = NONE;
        if ((aabb.max - aabb.min) * self.inverse_cell)
            .cmple(Vec3A::ONE)
            .all()
        {
            let bucket = bucket(self.cell(aabb.centre()));
            next = std::mem::replace(&mut self.heads[bucket], number);
        } else {
            self.large.push(number);
        }
        self.entries.push(Entry {
            aabb: *aabb,
            body: body as u32,
            next,
        });
    }

    /// Calls `meet` for each body whose box overlaps `aabb`.
    pub fn for_each_near(&self, aabb: &Aabb, mut meet: impl FnMut(u32)) {
        let mut look = |number: u32| {
            let entry = &self.entries[number as usize];
            if entry.aabb.overlaps(aabb) && self.entry_of[entry.body as usize] == number {
                meet(entry.body);
            }
            entry.next
        };
        let (low, high) = (
            self.cell(aabb.min - self.half_cell),
            self.cell(aabb.max + self.half_cell),
        );
        let cells = (high - low + 1).as_dvec3().element_product();
        // To look at an entry takes no longer than to find a cell.
        if cells > self.entries.len() as f64 {
            (0..self.entries.len() as u32).for_each(|number| _ = look(number));
            return;
        }
        for x in low.x..=high.x {
            for y in low.y..=high.y {
                for z in low.z..=high.z {
                    let at = IVec3::new(x, y, z);
                    let mut number = self.heads[bucket(at)];
                    while number != NONE {
                        let entry = &self.entries[number as usize];
                        // Others share the bucket, and would be found twice.
                        number = if self.cell(entry.aabb.centre()) == at {
                            look(number)
                        } else {
                            entry.next
                        };
                    }
                }
            }
        }
        self.large.iter().for_each(|&number| _ = look(number));
    }

    fn cell(&self, p: Vec3A) -> IVec3 {
        // Well inside of what an integer holds.
        let p = (p * self.inverse_cell).floor();
        p.clamp(Vec3A::splat(-5e8), Vec3A::splat(5e8)).as_ivec3()
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
        fn finds_what_looking_at_all_boxes_finds(
            rounds in prop::collection::vec(prop::collection::vec((0..150usize, aabb()), 1..400), 1..3),
            looks in prop::collection::vec(aabb(), 1..20),
        ) {
            let mut outside = Outside::default();
            outside.reset(150, Vec3A::ONE);
            for round in rounds {
                outside.clear();
                let mut boxes = vec![None; 150];
                for (body, aabb) in round {
                    outside.put(body, &aabb);
                    boxes[body] = Some(aabb);
                }
                for look in &looks {
                    let mut found = Vec::new();
                    outside.for_each_near(look, |body| found.push(body as usize));
                    found.sort_unstable();
                    let overlaps = |body: &usize| boxes[*body].is_some_and(|aabb: Aabb| aabb.overlaps(look));
                    let expected: Vec<usize> = (0..150).filter(overlaps).collect();
                    prop_assert_eq!(found, expected);
                }
                for (body, aabb) in boxes.iter().enumerate() {
                    prop_assert_eq!(outside.has(body), aabb.is_some());
                }
            }
        }
    }
}

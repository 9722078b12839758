use glam::{IVec3, Vec3};

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Aabb {
    pub min: Vec3,
    pub max: Vec3,
}

impl Aabb {
    pub const EMPTY: Self = Self {
        min: Vec3::INFINITY,
        max: Vec3::NEG_INFINITY,
    };

    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }
}

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Entry {
    cell: IVec3,
    body: u32,
    next: u32,
}

/// Cells that a box covers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CellRange {
    min: IVec3,
    max: IVec3,
}

impl CellRange {
    pub fn contains(&self, cell: IVec3) -> bool {
        self.min.cmple(cell).all() && cell.cmple(self.max).all()
    }

    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    pub fn count(&self) -> u64 {
        let size = self.max - self.min;
        (size.x as u64 + 1) * (size.y as u64 + 1) * (size.z as u64 + 1)
    }

    pub fn cells(self) -> impl Iterator<Item = IVec3> {
        (self.min.z..=self.max.z).flat_map(move |z| {
            (self.min.y..=self.max.y)
                .flat_map(move |y| (self.min.x..=self.max.x).map(move |x| IVec3::new(x, y, z)))
        })
    }
}

/// A uniform grid without bounds: cells are kept in a hash table of chains, so space costs nothing and memory is reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    inverse_cell: f32,
    heads: Vec<u32>,
    entries: Vec<Entry>,
}

impl Grid {
    /// Empties the grid for about `bodies` bodies, with cells of `cell` metres.
    pub fn reset(&mut self, cell: f32, bodies: usize) {
        self.inverse_cell = cell.recip();
        self.entries.clear();
        self.heads.clear();
        self.heads
            .resize((4 * bodies).next_power_of_two().max(64), NONE);
    }

    pub fn range(&self, aabb: &Aabb) -> CellRange {
        let cell = |p: Vec3| {
            (p * self.inverse_cell)
                .floor()
                .clamp(Vec3::splat(-1e9), Vec3::splat(1e9))
        };
        CellRange {
            min: cell(aabb.min).as_ivec3(),
            max: cell(aabb.max).as_ivec3(),
        }
    }

    fn bucket(&self, cell: IVec3) -> usize {
        // Three large odd numbers spread neighbouring cells over the table.
        let hash = (cell.x as u32).wrapping_mul(0x9E37_79B1)
            ^ (cell.y as u32).wrapping_mul(0x85EB_CA77)
            ^ (cell.z as u32).wrapping_mul(0xC2B2_AE3D);
        (hash ^ (hash >> 15)) as usize & (self.heads.len() - 1)
    }

    pub fn insert(&mut self, cell: IVec3, body: u32) {
        let bucket = self.bucket(cell);
        self.entries.push(Entry {
            cell,
            body,
            next: self.heads[bucket],
        });
        self.heads[bucket] = self.entries.len() as u32 - 1;
    }

    /// Bodies entered in `cell`; one that was entered twice comes twice.
    pub fn in_cell(&self, cell: IVec3) -> impl Iterator<Item = u32> {
        let mut next = self.heads[self.bucket(cell)];
        std::iter::from_fn(move || {
            while next != NONE {
                let entry = self.entries[next as usize];
                next = entry.next;
                if entry.cell == cell {
                    return Some(entry.body);
                }
            }
            None
        })
    }
}

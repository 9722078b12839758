//! A hierarchy of hashed uniform grids.

use std::ops::Range;

use glam::{IVec3, Vec3A};

use super::aabb::Aabb;

const LEVELS: usize = 32;

/// The level with cells as large as the mean box.
const MEAN_LEVEL: i32 = 16;

/// The largest boxes that have cells, over the mean box.
const MAX_RATIO: f32 = (1u32 << (LEVELS as i32 - 1 - MEAN_LEVEL)) as f32;

/// A cell is larger than its boxes by this much. So two boxes that overlap are in neighbouring cells even where rounding of
/// far coordinates moves them against each other: up to half a million cells from the origin, where rounding is a
/// sixteenth of a cell.
const CELL_SLACK: f32 = 1.0625;

/// A cell of a level.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct GridCell {
    level: usize,
    at: IVec3,
}

/// A body in its cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GridEntry {
    pub aabb: Aabb,
    /// Tag of the cell's column, and the place of the cell in the column.
    column: u32,
    z: i32,
    pub body: u32,
    /// A number that the caller of [`Grid::build`] gave to the body.
    pub label: f32,
}

/// A hierarchy of uniform grids. The cells of each grid are twice as large as the cells of the grid below. A body is in one cell
/// only: the cell that holds the centre of its box, on the lowest level with cells no smaller than its box. So bodies of any size
/// and speed cost the same time, and all boxes that a box overlaps on a level are in the cells around it. Cells have the mean
/// proportions of the boxes. Where all bodies fall, cells are tall, and hold no more bodies than where all rest.
///
/// Cells are hashed: empty space costs nothing, and there are no bounds. Cells of a column along z follow each other in
/// memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    /// Sides in metres of each level's cells, and their inverses.
    sizes: [Vec3A; LEVELS],
    inverse_sizes: [Vec3A; LEVELS],
    /// A bit for each level with bodies.
    occupied: u32,
    /// The cell of each body; `None` for a body too large for any level.
    cells: Vec<Option<GridCell>>,
    /// Index of each bucket's first entry.
    starts: Vec<u32>,
    entries: Vec<GridEntry>,
}

impl Grid {
    /// Enters the boxes of all bodies, with their labels; empty boxes are left out.
    pub fn build(&mut self, boxes: &[Aabb], label: impl Fn(usize) -> f32) {
        self.choose_sizes(boxes);
        self.occupied = 0;
        self.cells.clear();
        for aabb in boxes {
            let cell = self.cell_for(aabb);
            self.occupied |= cell.map_or(0, |cell| 1 << cell.level);
            self.cells.push(cell);
        }

        let buckets = (2 * boxes.len()).next_power_of_two().max(64);
        self.starts.clear();
        self.starts.resize(buckets + 1, 0);
        let mut count = 0;
        for cell in self.cells.iter().flatten() {
            self.starts[bucket(column(cell.level, cell.at), cell.at.z, buckets) + 1] += 1;
            count += 1;
        }
        for k in 0..buckets {
            self.starts[k + 1] += self.starts[k];
        }
        self.entries.clear();
        self.entries.resize(
            count,
            GridEntry {
                aabb: Aabb::EMPTY,
                column: 0,
                z: 0,
                body: 0,
                label: 0.0,
            },
        );
        for (i, (cell, aabb)) in self.cells.iter().zip(boxes).enumerate() {
            let Some(cell) = cell else {
                continue;
            };
            let column = column(cell.level, cell.at);
            // Each start moves to its bucket's end; shifted by one bucket below, it is the next one's start again.
            let next = &mut self.starts[bucket(column, cell.at.z, buckets)];
            self.entries[*next as usize] = GridEntry {
                aabb: *aabb,
                column,
                z: cell.at.z,
                body: i as u32,
                label: label(i),
            };
            *next += 1;
        }
        self.starts.copy_within(..buckets, 1);
        self.starts[0] = 0;
    }

    fn choose_sizes(&mut self, boxes: &[Aabb]) {
        let (mut sum, mut count) = (Vec3A::ZERO, 0);
        for sides in boxes.iter().map(Aabb::sides) {
            if sides.is_finite() {
                sum += sides;
                count += 1;
            }
        }
        let is_any = sum.min_element() > 0.0;
        let mean = if is_any {
            sum / count as f32
        } else {
            Vec3A::ONE
        };
        for level in 0..LEVELS {
            // A little above the mean: bodies of one size, some a little faster than others, then are on one level.
            let size = 1.1 * CELL_SLACK * mean * libm::ldexpf(1.0, level as i32 - MEAN_LEVEL);
            self.sizes[level] = size;
            self.inverse_sizes[level] = size.recip();
        }
    }

    fn cell_for(&self, aabb: &Aabb) -> Option<GridCell> {
        let sides = CELL_SLACK * aabb.sides();
        let ratio = (sides * self.inverse_sizes[MEAN_LEVEL as usize]).max_element();
        if !(0.0..=MAX_RATIO).contains(&ratio) {
            return None;
        }
        // The exponent of a float is the floor of its logarithm; a mantissa above one rounds it up.
        let exponent = (ratio.to_bits() >> 23) as i32 - 127;
        let is_between = ratio.to_bits() & 0x7F_FFFF != 0;
        let level = exponent + i32::from(is_between) + MEAN_LEVEL;
        let level = level.clamp(0, LEVELS as i32 - 1) as usize;
        let at = (aabb.centre() * self.inverse_sizes[level]).floor();
        Some(GridCell {
            level,
            at: at.as_ivec3(),
        })
    }

    /// Sides in metres of cells that hold a box a little larger than the mean.
    pub fn mean_cell(&self) -> Vec3A {
        self.sizes[MEAN_LEVEL as usize]
    }

    /// Whether the body is in a cell.
    pub fn has(&self, body: u32) -> bool {
        self.cells[body as usize].is_some()
    }

    /// The number of bodies in cells.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Calls `meet` for number `k` of the bodies in cells and each body with a box that overlaps its box. Of two bodies only one
    /// finds the other. Bodies near each other have numbers near each other.
    pub fn neighbours(&self, k: usize, mut meet: impl FnMut(&GridEntry, &GridEntry)) {
        let one = &self.entries[k];
        let &GridEntry { body, aabb, .. } = one;
        let mut meet = |other: &GridEntry| {
            if other.aabb.overlaps(&aabb) {
                meet(one, other);
            }
        };
        let Some(cell) = self.cells[body as usize] else {
            return;
        };
        let z = cell.at.z;
        self.visit(cell.level, cell.at, z..z + 2, |entry| {
            if entry.z != z || entry.body > body {
                meet(entry);
            }
        });
        for (dx, dy) in [(0, 1), (1, -1), (1, 0), (1, 1)] {
            let at = cell.at + IVec3::new(dx, dy, 0);
            self.visit(cell.level, at, z - 1..z + 2, &mut meet);
        }
        let mut coarser = self.occupied & (u32::MAX << cell.level) & !(1 << cell.level);
        while coarser != 0 {
            let level = coarser.trailing_zeros() as usize;
            coarser &= coarser - 1;
            let centre = (aabb.centre() * self.inverse_sizes[level])
                .floor()
                .as_ivec3();
            for dx in -1..=1 {
                for dy in -1..=1 {
                    let at = centre + IVec3::new(dx, dy, 0);
                    self.visit(level, at, at.z - 1..at.z + 2, &mut meet);
                }
            }
        }
    }

    /// Calls `meet` for every body whose box overlaps `aabb`. Returns false, without a call, if these bodies could be in more than
    /// `most` cells.
    pub fn within(&self, aabb: &Aabb, most: usize, mut meet: impl FnMut(u32)) -> bool {
        let mut levels = self.occupied;
        let mut left = most as f64;
        while levels != 0 {
            let level = levels.trailing_zeros() as usize;
            levels &= levels - 1;
            let (low, high) = self.cells_around(level, aabb);
            left -= (high - low + 1).as_dvec3().element_product();
        }
        // A box without bounds makes this not a number.
        if left.is_nan() || left < 0.0 {
            return false;
        }
        let mut levels = self.occupied;
        while levels != 0 {
            let level = levels.trailing_zeros() as usize;
            levels &= levels - 1;
            let (low, high) = self.cells_around(level, aabb);
            for x in low.x..=high.x {
                for y in low.y..=high.y {
                    let at = IVec3::new(x, y, low.z);
                    self.visit(level, at, low.z..high.z + 1, |entry| {
                        if entry.aabb.overlaps(aabb) {
                            meet(entry.body);
                        }
                    });
                }
            }
        }
        true
    }

    fn cells_around(&self, level: usize, aabb: &Aabb) -> (IVec3, IVec3) {
        cells_around(aabb, self.sizes[level], self.inverse_sizes[level])
    }

    /// Calls `meet` for the entries in the cells `zs` of the column that `at` is in.
    #[inline]
    fn visit(&self, level: usize, at: IVec3, zs: Range<i32>, mut meet: impl FnMut(&GridEntry)) {
        let buckets = self.starts.len() - 1;
        let column = column(level, at);
        let first = bucket(column, zs.start, buckets);
        let count = (zs.end - zs.start) as usize;
        let mut scan = |buckets: Range<usize>| {
            let entries = self.starts[buckets.start] as usize..self.starts[buckets.end] as usize;
            for entry in &self.entries[entries] {
                if (entry.column == column) & zs.contains(&entry.z) {
                    meet(entry);
                }
            }
        };
        if first + count <= buckets {
            scan(first..first + count);
        } else if count <= buckets {
            // The buckets go round.
            scan(first..buckets);
            scan(0..first + count - buckets);
        } else {
            scan(0..buckets);
        }
    }
}

/// The first and the last cell that may hold the centre of a box that overlaps `aabb`. The box is no larger than a cell.
pub(super) fn cells_around(aabb: &Aabb, sides: Vec3A, inverse_sides: Vec3A) -> (IVec3, IVec3) {
    let cell = |p| cell_at(p, inverse_sides);
    (cell(aabb.min - 0.5 * sides), cell(aabb.max + 0.5 * sides))
}

/// The cell that a point is in.
pub(super) fn cell_at(p: Vec3A, inverse_sides: Vec3A) -> IVec3 {
    // Well within the range of an integer.
    let p = (p * inverse_sides).floor();
    p.clamp(Vec3A::splat(-5e8), Vec3A::splat(5e8)).as_ivec3()
}

/// A tag for the column of cells along z that `at` is in. Columns near each other have different tags.
fn column(level: usize, at: IVec3) -> u32 {
    (at.x as u32)
        .wrapping_mul(0x9E37_79B1)
        .wrapping_add((at.y as u32).wrapping_mul(0x85EB_CA77))
        .wrapping_add((level as u32).wrapping_mul(0xC2B2_AE3D))
}

fn bucket(column: u32, z: i32, buckets: usize) -> usize {
    let spread = (column ^ (column >> 15)).wrapping_mul(0x2C1B_3C6D);
    (spread ^ (spread >> 12)).wrapping_add(z as u32) as usize & (buckets - 1)
}

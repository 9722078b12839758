//! A symmetric matrix of blocks, and the solution of its equations without iterations.

use std::{cmp::Reverse, collections::BinaryHeap};

use fearless_simd::{dispatch, prelude::*};

use super::block::{
    Block, MOST, Values, ZERO, decompose, divide, reduce, restore, subtract_product, times,
    transpose, transposed, transposed_times,
};
use crate::solver::simd_limit::level;

/// A symmetric matrix of blocks that is factored as L·D·Lᵀ.
///
/// The blocks on the diagonal have factors too. Their inverses would do as well in a tree; but from loop to loop of a net, the rounding of
/// inverses of stiff blocks grows without bound.
///
/// Its nodes are bodies and links; an edge, which is a block beside the diagonal, is between a body and a link. The nodes are taken
/// out one after another, those with the fewest neighbours first. In a tree these are the leaves, each with one neighbour: no new
/// blocks come up, and time and memory grow linearly with the nodes (D. Baraff, Linear-time dynamics using Lagrange multipliers,
/// SIGGRAPH 1996). A loop fills blocks in.
#[derive(Debug, Default)]
pub(super) struct BlockMatrix {
    /// Number of rows of the node of each step.
    sizes: Vec<u8>,
    /// The step in which each node is taken out, and the node of each step.
    step_of: Vec<u32>,
    order: Vec<u32>,
    /// The end of each step's entries.
    ends: Vec<u32>,
    /// The steps of the neighbours that are left at each step, in order; each stands for a block.
    rows: Vec<u32>,
    /// The block of each entry: from its step to the neighbour's rows.
    blocks: Vec<Block>,
    /// The diagonal block of each step, and its own factors: L below the diagonal, 1/D on it.
    diagonal: Vec<Block>,
    pivots: Vec<Block>,
    /// The entry of each edge, and whether its first node is taken out first.
    edges: Vec<(u32, bool)>,
    /// Where the product of two entries of a step goes, in order: an entry, or the diagonal of a step.
    targets: Vec<Target>,
    /// L⁻¹·Aᵀ of each entry A of the step that is factored.
    scaled: Vec<Block>,
    values: Vec<Values>,
}

#[derive(Clone, Copy, Debug)]
enum Target {
    Diagonal(u32),
    Entry(u32),
}

impl BlockMatrix {
    /// Makes room for a matrix: its nodes are bodies with six rows each, then links with these `sizes`. Each `edge` is between two
    /// nodes: from the values of the one to the rows of the other. A link has an edge to one body at least.
    pub fn set_structure(&mut self, bodies: usize, sizes: &[u8], edges: &[[u32; 2]]) {
        let count = bodies + sizes.len();
        let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); count];
        for &[from, to] in edges {
            neighbours[from as usize].push(to);
            neighbours[to as usize].push(from);
        }
        for neighbours in &mut neighbours {
            neighbours.sort_unstable();
            neighbours.dedup();
        }
        self.find_order(bodies, &mut neighbours);
        let size_of = |&node: &u32| {
            (node as usize)
                .checked_sub(bodies)
                .map_or(MOST as u8, |link| sizes[link])
        };
        self.sizes = self.order.iter().map(size_of).collect();
        self.list_entries(&neighbours);
        self.edges.clear();
        for &[from, to] in edges {
            let (a, b) = (self.step_of[from as usize], self.step_of[to as usize]);
            let entry = self.entry(a.min(b) as usize, a.max(b));
            self.edges.push((entry, a < b));
        }
        self.diagonal = vec![ZERO; count];
        self.pivots = vec![ZERO; count];
        self.blocks = vec![ZERO; self.rows.len()];
        self.values = vec![[0.0; MOST]; count];
        let most = (0..count).map(|step| self.entries(step).len()).max();
        self.scaled = vec![ZERO; most.unwrap_or_default()];
    }

    /// Takes out the nodes with the fewest neighbours first. In the end, `neighbours` has those that were left when a node was taken out.
    ///
    /// A link has next to nothing on its diagonal before one of its bodies is out. Then it may follow, if no other link takes from what
    /// that body gives way. Else it waits for its other body: a small pivot beside large blocks would make rounding large. What is small
    /// then is small in its whole row.
    fn find_order(&mut self, bodies: usize, neighbours: &mut [Vec<u32>]) {
        let count = neighbours.len();
        self.order.clear();
        self.step_of.clear();
        self.step_of.resize(count, u32::MAX);
        let is_link = |node: u32| node as usize >= bodies;
        // The bodies that each link waits for.
        let mut waits_for: Vec<usize> = neighbours.iter().map(Vec::len).collect();
        waits_for[..bodies].fill(0);
        let entry = |neighbours: &[Vec<u32>], node: u32| {
            Reverse((neighbours[node as usize].len() as u32, node))
        };
        let first = (0..bodies as u32).map(|node| entry(neighbours, node));
        let mut heap: BinaryHeap<Reverse<(u32, u32)>> = first.collect();
        while let Some(Reverse((degree, node))) = heap.pop() {
            let i = node as usize;
            if self.step_of[i] != u32::MAX || neighbours[i].len() as u32 != degree {
                continue;
            }
            self.step_of[i] = self.order.len() as u32;
            self.order.push(node);
            let left = std::mem::take(&mut neighbours[i]);
            let links = left.iter().filter(|&&other| is_link(other)).count();
            for &other in &left {
                let own = &mut neighbours[other as usize];
                own.extend(&left);
                own.retain(|&it| it != node && it != other);
                own.sort_unstable();
                own.dedup();
                let waits_for = &mut waits_for[other as usize];
                if is_link(other) && !is_link(node) {
                    *waits_for = match links {
                        1 => 0,
                        _ => waits_for.saturating_sub(1),
                    };
                }
                if *waits_for == 0 {
                    heap.push(entry(neighbours, other));
                }
            }
            neighbours[i] = left;
        }
    }

    /// Lists the blocks of each step, and where their products go.
    fn list_entries(&mut self, neighbours: &[Vec<u32>]) {
        self.ends.clear();
        self.rows.clear();
        for &node in &self.order {
            let start = self.rows.len();
            let left = neighbours[node as usize].iter();
            self.rows
                .extend(left.map(|&other| self.step_of[other as usize]));
            self.rows[start..].sort_unstable();
            self.ends.push(self.rows.len() as u32);
        }
        self.targets.clear();
        for step in 0..self.order.len() {
            let own = self.entries(step);
            for (k, high) in own.clone().enumerate() {
                for low in own.clone().take(k + 1) {
                    let (row, column) = (self.rows[high], self.rows[low]);
                    self.targets.push(match row == column {
                        true => Target::Diagonal(row),
                        false => Target::Entry(self.entry(column as usize, row)),
                    });
                }
            }
        }
    }

    fn entries(&self, step: usize) -> std::ops::Range<usize> {
        let start = step.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..self.ends[step] as usize
    }

    /// The entry of a step with this row.
    fn entry(&self, step: usize, row: u32) -> u32 {
        let own = self.entries(step);
        let found = self.rows[own.clone()].binary_search(&row);
        (own.start + found.unwrap_or(0)) as u32
    }

    /// Sets all blocks to zero.
    pub fn clear(&mut self) {
        for blocks in [&mut self.blocks, &mut self.diagonal] {
            // As one run of numbers: block by block it takes ten times as long.
            blocks.as_flattened_mut().as_flattened_mut().fill(0.0);
        }
    }

    /// Adds to the block of a node on the diagonal.
    pub fn add_diagonal(&mut self, node: usize, block: &Block) {
        add(&mut self.diagonal[self.step_of[node] as usize], block);
    }

    /// Adds to the block of an edge, by the edge's number: from the values of its first node to the rows of its second one.
    pub fn add_edge(&mut self, edge: usize, block: &Block) {
        let (entry, is_forward) = self.edges[edge];
        let entry = &mut self.blocks[entry as usize];
        match is_forward {
            true => add(entry, block),
            false => add(entry, &transposed(block)),
        }
    }

    /// Adds to one row of the block of an edge.
    pub fn add_row(&mut self, edge: usize, row: usize, values: &Values) {
        let (entry, is_forward) = self.edges[edge];
        let block = &mut self.blocks[entry as usize];
        match is_forward {
            true => block[row]
                .iter_mut()
                .zip(values)
                .for_each(|(x, more)| *x += more),
            false => block
                .iter_mut()
                .zip(values)
                .for_each(|(line, more)| line[row] += more),
        }
    }

    /// Factors the matrix.
    pub fn factor(&mut self) {
        dispatch!(level(), simd => simd.vectorize(#[inline(always)] || self.factor_here()));
    }

    #[inline(always)]
    fn factor_here(&mut self) {
        let Self {
            sizes,
            rows,
            blocks,
            diagonal,
            pivots,
            targets,
            scaled,
            ..
        } = self;
        let size_of = |step: u32| usize::from(sizes[step as usize]);
        let mut targets = targets.iter();
        let mut start = 0;
        for (step, &end) in self.ends.iter().enumerate() {
            let size = size_of(step as u32);
            let pivots = &mut pivots[step];
            decompose(&diagonal[step], size, pivots);
            // The entries of later steps, which their products go to, lie behind those of this one.
            let (own, later) = blocks[start..].split_at_mut(end as usize - start);
            let rows = &rows[start..end as usize];
            for (block, scaled) in own.iter_mut().zip(&mut *scaled) {
                transpose(block, size, scaled);
                divide(scaled, block, size, pivots);
            }
            for (k, left) in own.iter().enumerate() {
                let count = size_of(rows[k]);
                for (right, target) in scaled.iter().take(k + 1).zip(&mut targets) {
                    let target = match *target {
                        Target::Diagonal(step) => &mut diagonal[step as usize],
                        Target::Entry(entry) => &mut later[entry as usize - end as usize],
                    };
                    subtract_product(target, left, right, count, size);
                }
            }
            start = end as usize;
        }
    }

    /// The values by node, to be set before [`solve`](Self::solve) to the right side, and after it the solution.
    pub fn value(&mut self, node: usize) -> &mut Values {
        &mut self.values[self.step_of[node] as usize]
    }

    /// Solves the factored equations. A solution that is no number is none: all values are zero then.
    pub fn solve(&mut self) {
        dispatch!(level(), simd => simd.vectorize(#[inline(always)] || self.solve_here()));
    }

    #[inline(always)]
    fn solve_here(&mut self) {
        let Self {
            ends,
            rows,
            blocks,
            pivots,
            values,
            ..
        } = self;
        let mut start = 0;
        for (step, &end) in ends.iter().enumerate() {
            let end = end as usize;
            reduce(&mut values[step], &pivots[step]);
            let value = values[step];
            for (block, &row) in blocks[start..end].iter().zip(&rows[start..end]) {
                subtract(&mut values[row as usize], &times(block, &value));
            }
            start = end;
        }
        for step in (0..ends.len()).rev() {
            let start = step.checked_sub(1).map_or(0, |before| ends[before]) as usize;
            let mut value = values[step];
            for (k, x) in value.iter_mut().enumerate() {
                *x *= pivots[step][k][k];
            }
            let end = ends[step] as usize;
            for (block, &row) in blocks[start..end].iter().zip(&rows[start..end]) {
                subtract(&mut value, &transposed_times(block, &values[row as usize]));
            }
            restore(&mut value, &pivots[step]);
            values[step] = value;
        }
        if !values.iter().flatten().all(|value| value.is_finite()) {
            values.fill([0.0; MOST]);
        }
    }
}

#[inline(always)]
fn add(to: &mut Block, what: &Block) {
    for (row, what) in to.iter_mut().zip(what) {
        row.iter_mut().zip(what).for_each(|(x, more)| *x += more);
    }
}

#[inline(always)]
fn subtract(from: &mut Values, what: &Values) {
    for (x, change) in from.iter_mut().zip(what) {
        *x -= change;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{super::block::product, *};

    /// A·x of a matrix with these blocks.
    fn multiply(
        bodies: &[Block],
        links: &[(Block, [(u32, Block); 2])],
        x: &[Values],
    ) -> Vec<Values> {
        let mut y: Vec<Values> = (bodies.iter().zip(x)).map(|(a, x)| times(a, x)).collect();
        for (link, (own, of)) in (bodies.len()..).zip(links) {
            let mut sum = times(own, &x[link]);
            for (body, block) in of {
                let body = *body as usize;
                let back = transposed_times(block, &x[link]);
                y[body].iter_mut().zip(back).for_each(|(y, x)| *y += x);
                let there = times(block, &x[body]);
                sum.iter_mut().zip(there).for_each(|(y, x)| *y += x);
            }
            y.push(sum);
        }
        y
    }

    proptest! {
        /// Trees and loops alike: the equations hold.
        #[test]
        fn the_solution_solves_the_equations(
            count in 2..12usize,
            pairs in prop::collection::vec((any::<u32>(), any::<u32>(), 1..=6u8), 1..20),
            numbers in prop::collection::vec(-1.0..1.0f64, 4096),
        ) {
            let mut numbers = numbers.into_iter().cycle();
            let mut block = |rows: usize| -> Block {
                let mut block = ZERO;
                for row in block.iter_mut().take(rows) {
                    *row = std::array::from_fn(|_| numbers.next().unwrap());
                }
                block
            };
            let bodies: Vec<Block> = (0..count)
                .map(|_| {
                    let a = block(MOST);
                    let mut spd = product(&transposed(&a), &a, MOST, MOST);
                    (0..MOST).for_each(|k| spd[k][k] += 0.5);
                    spd
                })
                .collect();
            let pairs: Vec<(u32, u32, u8)> = pairs
                .into_iter()
                .map(|(a, b, size)| (a % count as u32, b % count as u32, size))
                .filter(|(a, b, _)| a != b)
                .collect();
            let links: Vec<(Block, [(u32, Block); 2])> = pairs
                .iter()
                .map(|&(a, b, size)| {
                    let mut own = ZERO;
                    (0..size as usize).for_each(|k| own[k][k] = -0.1);
                    (own, [(a, block(size as usize)), (b, block(size as usize))])
                })
                .collect();
            let mut matrix = BlockMatrix::default();
            let of_links: Vec<u8> = pairs.iter().map(|pair| pair.2).collect();
            let edges: Vec<[u32; 2]> = (count as u32..)
                .zip(&pairs)
                .flat_map(|(link, &(a, b, _))| [[a, link], [b, link]])
                .collect();
            matrix.set_structure(count, &of_links, &edges);
            matrix.clear();
            for (node, a) in bodies.iter().chain(links.iter().map(|link| &link.0)).enumerate() {
                matrix.add_diagonal(node, a);
            }
            for (edge, (_, a)) in links.iter().flat_map(|(_, of)| of).enumerate() {
                matrix.add_edge(edge, a);
            }
            let sizes: Vec<usize> = std::iter::repeat_n(MOST, count)
                .chain(pairs.iter().map(|pair| pair.2 as usize))
                .collect();
            let right: Vec<Values> = sizes
                .iter()
                .map(|&size| {
                    let mut values = block(1)[0];
                    values[size..].fill(0.0);
                    values
                })
                .collect();
            matrix.factor();
            for (node, values) in right.iter().enumerate() {
                *matrix.value(node) = *values;
            }
            matrix.solve();
            let x: Vec<Values> = (0..sizes.len()).map(|node| *matrix.value(node)).collect();
            for (found, wanted) in multiply(&bodies, &links, &x).iter().zip(&right) {
                for (found, wanted) in found.iter().zip(wanted) {
                    prop_assert!((found - wanted).abs() < 1e-8, "{found}, not {wanted}");
                }
            }
        }

        /// A tree has as many blocks as edges, however it is built.
        #[test]
        fn a_tree_fills_nothing_in(parents in prop::collection::vec(any::<u32>(), 1..200)) {
            let bodies = parents.len() + 1;
            let edges: Vec<[u32; 2]> = (1u32..)
                .zip(&parents)
                .flat_map(|(body, parent)| {
                    let link = bodies as u32 + body - 1;
                    [[parent % body, link], [body, link]]
                })
                .collect();
            let mut matrix = BlockMatrix::default();
            matrix.set_structure(bodies, &vec![5; parents.len()], &edges);
            prop_assert_eq!(matrix.rows.len(), 2 * parents.len());
        }
    }

    /// A square net, each of whose bodies is pinned to its neighbours, and which holds more than it needs to: what rounding leaves of
    /// the equations does not grow with the net.
    #[test]
    fn rounding_does_not_grow_from_loop_to_loop() {
        const SIDE: usize = 24;
        const COMPLIANCE: f64 = 1e-5;
        let bodies = SIDE * SIDE;
        let mut pins: Vec<[(usize, [f64; 2]); 2]> = Vec::new();
        for body in 0..bodies {
            if body % SIDE > 0 {
                pins.push([(body - 1, [0.5, 0.0]), (body, [-0.5, 0.0])]);
            }
            if body >= SIDE {
                pins.push([(body - SIDE, [0.0, -0.5]), (body, [0.0, 0.5])]);
            }
        }
        let mut mass = ZERO;
        for (k, row) in mass.iter_mut().enumerate() {
            row[k] = if k < 3 { 1.0 } else { 0.064 };
        }
        let mut own = ZERO;
        for (k, row) in own.iter_mut().enumerate().take(3) {
            row[k] = -COMPLIANCE;
        }
        // v + ω × r.
        let of_end = |(body, [x, y]): (usize, [f64; 2]), sign: f64| {
            let turning = [[0.0, 0.0, -y], [0.0, 0.0, x], [y, -x, 0.0]];
            let mut block = ZERO;
            for k in 0..3 {
                block[k][k] = sign;
                block[k][3..].copy_from_slice(&turning[k].map(|x| sign * x));
            }
            (body as u32, block)
        };
        let links: Vec<(Block, [(u32, Block); 2])> = (pins.iter())
            .map(|&[a, b]| (own, [of_end(a, 1.0), of_end(b, -1.0)]))
            .collect();
        let edges: Vec<[u32; 2]> = (bodies as u32..)
            .zip(&links)
            .flat_map(|(link, (_, of))| of.map(|(body, _)| [body, link]))
            .collect();
        let mut matrix = BlockMatrix::default();
        matrix.set_structure(bodies, &vec![3; links.len()], &edges);
        matrix.clear();
        for node in 0..bodies {
            matrix.add_diagonal(node, &mass);
        }
        for (node, (own, _)) in (bodies..).zip(&links) {
            matrix.add_diagonal(node, own);
        }
        for (edge, (_, block)) in links.iter().flat_map(|(_, of)| of).enumerate() {
            matrix.add_edge(edge, block);
        }
        matrix.factor();
        let wanted = |node: usize, k: usize| ((7 * node + 3 * k) % 11) as f64 - 5.0;
        let count = |node: usize| if node < bodies { MOST } else { 3 };
        for node in 0..bodies + links.len() {
            let values = (0..MOST).map(|k| {
                if k < count(node) {
                    wanted(node, k)
                } else {
                    0.0
                }
            });
            *matrix.value(node) = values.collect::<Vec<_>>().try_into().unwrap();
        }
        matrix.solve();
        let x: Vec<Values> = (0..bodies + links.len())
            .map(|node| *matrix.value(node))
            .collect();
        let masses = vec![mass; bodies];
        for (node, found) in multiply(&masses, &links, &x).iter().enumerate() {
            for (k, found) in found.iter().enumerate().take(count(node)) {
                let off = found - wanted(node, k);
                assert!(off.abs() < 1e-8, "{off} in {node}, row {k}");
            }
        }
    }
}

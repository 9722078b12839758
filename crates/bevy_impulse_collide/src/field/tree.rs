//! Bodies sorted into cells of cells.

use bevy::tasks::TaskPool;
use smallvec::{SmallVec, smallvec};

use super::{
    cell::TreeCell,
    expansion::SIBLINGS,
    pull::{LANES, PointMass},
};
use crate::parallel::for_each_on;

/// Largest number of bodies of a cell without children.
const LEAF: usize = LANES;

/// The cells: the root first, the children of one cell side by side.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub cells: Vec<TreeCell>,
    /// The cells in each of the root's children. A task of its own builds each.
    branches: [Vec<TreeCell>; SIBLINGS],
}

impl Tree {
    /// Sorts the bodies into cells.
    pub fn build(&mut self, bodies: &mut [PointMass], pool: &TaskPool) {
        let cuts = divide(bodies, 0);
        let mut rest = &mut *bodies;
        let mut branches: SmallVec<[_; SIBLINGS]> = SmallVec::new();
        for (branch, cuts) in self.branches.iter_mut().zip(cuts.windows(2)) {
            let (part, others) = std::mem::take(&mut rest).split_at_mut(cuts[1] - cuts[0]);
            rest = others;
            branches.push((branch, part, cuts[0]));
        }
        for_each_on(pool, branches, |(branch, part, first)| {
            grow(branch, part, first);
        });
        self.join(bodies, cuts.len() - 1);
    }

    /// Joins the branches into one array of cells.
    fn join(&mut self, bodies: &[PointMass], branches: usize) {
        let Self {
            cells,
            branches: all,
        } = self;
        let branches = &all[..branches];
        cells.clear();
        let mut root = TreeCell {
            end: bodies.len(),
            ..Default::default()
        };
        if let [all] = branches {
            cells.extend_from_slice(all);
            return;
        }
        (root.first_child, root.children) = (1, branches.len());
        cells.push(root);
        cells.extend(branches.iter().filter_map(|branch| branch.first()));
        for (i, branch) in branches.iter().enumerate() {
            // The branch's first cell is among the root's children already.
            let moved = cells.len() - 1;
            cells.extend(branch.iter().skip(1));
            cells[i + 1].first_child += moved;
            for cell in &mut cells[moved + 1..] {
                cell.first_child += moved;
            }
        }
        let (root, children) = cells.split_at_mut(1);
        root[0].measure(bodies, &children[..branches.len()]);
    }
}

/// Builds a cell and all cells in it. Its first body has the index `first`.
fn grow(cells: &mut Vec<TreeCell>, bodies: &mut [PointMass], first: usize) {
    cells.clear();
    cells.push(TreeCell {
        first,
        end: first + bodies.len(),
        ..Default::default()
    });
    let mut next = 0;
    while next < cells.len() {
        let cell = cells[next];
        let part = &mut bodies[cell.first - first..cell.end - first];
        let cuts = divide(part, cell.first);
        if cuts.len() > 2 {
            cells[next].first_child = cells.len();
            cells[next].children = cuts.len() - 1;
            cells.extend(cuts.windows(2).map(|cuts| TreeCell {
                first: cuts[0],
                end: cuts[1],
                ..Default::default()
            }));
        }
        next += 1;
    }
    for i in (0..cells.len()).rev() {
        let (cells, later) = cells.split_at_mut(i + 1);
        let cell = &mut cells[i];
        let children = match cell.children {
            0 => &[][..],
            n => &later[cell.first_child - i - 1..][..n],
        };
        cell.measure(&bodies[cell.first - first..cell.end - first], children);
    }
}

/// Halves a cell up to three times. Returns the index at which each part begins, and the end of the last part.
fn divide(bodies: &mut [PointMass], first: usize) -> SmallVec<[usize; SIBLINGS + 1]> {
    let mut cuts = smallvec![0, bodies.len()];
    for _ in 0..3 {
        let parts = cuts.clone();
        cuts.clear();
        cuts.push(0);
        for part in parts.windows(2) {
            if part[1] - part[0] > LEAF {
                cuts.push(part[0] + halve(&mut bodies[part[0]..part[1]]));
            }
            cuts.push(part[1]);
        }
    }
    cuts.iter_mut().for_each(|cut| *cut += first);
    cuts
}

/// Cuts a cell near the middle of its longest side, so that the near part has whole lanes of bodies. Returns the number of
/// bodies in the near part.
fn halve(bodies: &mut [PointMass]) -> usize {
    let mut min = [f32::INFINITY; 3];
    let mut max = [f32::NEG_INFINITY; 3];
    for body in bodies.iter() {
        for k in 0..3 {
            min[k] = min[k].min(body.x[k]);
            max[k] = max[k].max(body.x[k]);
        }
    }
    let side = |k: &usize| max[*k] - min[*k];
    let axis = [0, 1, 2]
        .into_iter()
        .reduce(|a, b| if side(&b) > side(&a) { b } else { a });
    let axis = axis.unwrap_or(0);
    let middle = min[axis] + 0.5 * (max[axis] - min[axis]);
    let near = if max[axis] > min[axis] {
        bodies.iter().filter(|body| body.x[axis] < middle).count()
    } else {
        bodies.len() / 2
    };
    let most = (bodies.len() - 1) / LANES * LANES;
    let near = ((near + LANES / 2) / LANES * LANES).clamp(LANES, most);
    bodies.select_nth_unstable_by(near, |a, b| {
        let order = a.x[axis].total_cmp(&b.x[axis]);
        order.then(a.index.cmp(&b.index))
    });
    near
}

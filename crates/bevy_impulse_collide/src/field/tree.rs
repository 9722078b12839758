//! Bodies sorted into cells of cells.

use bevy::tasks::TaskPool;
use glam::DVec3;
use smallvec::{SmallVec, smallvec};

use super::{
    expansion::{Moments, SIBLINGS},
    pull::{LANES, PointMass},
};
use crate::parallel::for_each_on;

/// Cells of up to this many bodies are not divided.
const LEAF: usize = LANES;

/// The smallest cell and body, in units of the scene: keeps the powers of a distance within f32.
pub(super) const SMALLEST: f32 = 1e-7;

/// Bodies that stand together, from `first` to before `end` of the sorted ones. Lengths in units of the scene.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell {
    /// Centre of mass.
    pub center: DVec3,
    pub moments: Moments,
    /// Of the ball about the centre that holds the centres of all its bodies.
    pub radius: f32,
    /// Of its largest body.
    pub body_radius: f32,
    pub first: usize,
    pub end: usize,
    pub first_child: usize,
    pub children: usize,
}

impl Cell {
    pub fn is_leaf(&self) -> bool {
        self.children == 0
    }

    pub fn child_indices(&self) -> std::ops::Range<usize> {
        self.first_child..self.first_child + self.children
    }

    fn measure(&mut self, bodies: &[PointMass], children: &[Cell]) {
        let place = |body: &PointMass| DVec3::from(body.x.map(f64::from));
        let point = |body: &PointMass| Moments {
            mass: body.mass,
            ..Default::default()
        };
        let (mut mass, mut sum) = (0.0, DVec3::ZERO);
        let mut weigh = |m: f32, x: DVec3| {
            mass += f64::from(m);
            sum += f64::from(m) * x;
        };
        if children.is_empty() {
            bodies.iter().for_each(|body| weigh(body.mass, place(body)));
        } else {
            children
                .iter()
                .for_each(|child| weigh(child.moments.mass, child.center));
        }
        self.center = sum / mass;
        let mut largest = 0.0f32;
        if children.is_empty() {
            for body in bodies {
                let offset = (place(body) - self.center).as_vec3();
                self.moments.add(&point(body), offset);
                largest = largest.max(body.radius);
            }
        } else {
            for child in children {
                let offset = (child.center - self.center).as_vec3();
                self.moments.add(&child.moments, offset);
                largest = largest.max(child.body_radius);
            }
        }
        self.body_radius = largest;
        let farthest = bodies
            .iter()
            .map(|body| (place(body) - self.center).as_vec3().length_squared())
            .fold(0.0, f32::max);
        self.radius = farthest.sqrt().max(SMALLEST);
    }
}

/// The cells: the root first, the children of one cell side by side.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub cells: Vec<Cell>,
    /// What is in each of the root's children, built by a task of its own.
    branches: [Vec<Cell>; SIBLINGS],
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

    /// One array of cells from the branches.
    fn join(&mut self, bodies: &[PointMass], branches: usize) {
        let Self {
            cells,
            branches: all,
        } = self;
        let branches = &all[..branches];
        cells.clear();
        let mut root = Cell {
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
            // The branch's first cell stands among the root's children already.
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

/// A cell and all that is in it. Its first body is number `first` of all.
fn grow(cells: &mut Vec<Cell>, bodies: &mut [PointMass], first: usize) {
    cells.clear();
    cells.push(Cell {
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
            cells.extend(cuts.windows(2).map(|cuts| Cell {
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

/// Halves a cell up to three times over. Returns where its parts begin, and where the last one ends.
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

/// Cuts a cell across, near the middle of its longest side, so that whole lanes of bodies are on the near side: how many.
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

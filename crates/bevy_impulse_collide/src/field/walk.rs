//! The dual-tree walk. It finds the pairs of cells that attract each other by expansion, and the pairs that do so body by body.

use std::ops::Range;

use glam::Vec3;
use multiversion::multiversion;

use super::{
    cell::TreeCell,
    expansion::{Expansion, SIBLINGS, Siblings, TERMS},
    pull::{LANES, PackedBodies, pull},
    tree::Tree,
};

/// The data of a walk: the tree, its bodies, and the parameters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk<'a> {
    pub tree: &'a Tree,
    pub bodies: &'a PackedBodies,
    pub opening_angle: f32,
    pub softening_squared: f32,
}

/// Scratch space of one task.
#[derive(Debug, Default)]
pub(super) struct WalkLists {
    /// For each depth and each of its siblings: the cells whose attraction is still missing.
    levels: Vec<[Vec<usize>; SIBLINGS]>,
    /// Cells to visit, each with the siblings that it still has to attract.
    open: Vec<(usize, u32)>,
    /// Lanes of bodies that attract a leaf.
    near: Vec<Range<usize>>,
}

impl Walk<'_> {
    /// Finds the accelerations of the bodies in `targets`. The acceleration of a body does not depend on the other bodies in
    /// `targets`.
    pub fn run(&self, targets: Range<usize>, lists: &mut WalkLists, found: &mut [[f32; 3]]) {
        let root = &self.tree.cells[0];
        let mut task = Task {
            walk: self,
            targets,
            lists,
            found,
        };
        if root.is_leaf() {
            task.visit_leaf(root, &[0], &[0.0; TERMS]);
        } else {
            task.visit_children(root, 0, &[0], &[0.0; TERMS]);
        }
    }
}

struct Task<'a> {
    walk: &'a Walk<'a>,
    targets: Range<usize>,
    lists: &'a mut WalkLists,
    found: &'a mut [[f32; 3]],
}

impl Task<'_> {
    /// `sources` are the cells whose attraction of `parent` is still missing. `field` is the attraction by all other cells.
    fn visit_children(
        &mut self,
        parent: &TreeCell,
        depth: usize,
        sources: &[usize],
        field: &Expansion,
    ) {
        let children = &self.walk.tree.cells[parent.child_indices()];
        if self.lists.levels.len() <= depth {
            self.lists.levels.push(Default::default());
        }
        let mut left = std::mem::take(&mut self.lists.levels[depth]);
        let mut siblings = Siblings::new(parent, children);
        let mut wanted = 0;
        for (l, child) in children.iter().enumerate() {
            left[l].clear();
            let meets = child.first < self.targets.end && child.end > self.targets.start;
            wanted |= u32::from(meets) << l;
        }
        let open = &mut self.lists.open;
        open.extend(sources.iter().rev().map(|&source| (source, wanted)));
        open_sources(self.walk, parent, &mut siblings, open, &mut left);
        for (l, child) in children.iter().enumerate() {
            if wanted & 1 << l != 0 {
                let field = siblings.field(l, field);
                if child.is_leaf() {
                    self.visit_leaf(child, &left[l], &field);
                } else {
                    self.visit_children(child, depth + 1, &left[l], &field);
                }
            }
        }
        self.lists.levels[depth] = left;
    }

    fn visit_leaf(&mut self, leaf: &TreeCell, sources: &[usize], field: &Expansion) {
        let Walk { tree, bodies, .. } = *self.walk;
        let near = &mut self.lists.near;
        near.clear();
        for &source in sources {
            let cell = &tree.cells[source];
            let lanes = cell.first / LANES..cell.end.div_ceil(LANES);
            match near.last_mut() {
                Some(last) if last.end == lanes.start => last.end = lanes.end,
                _ => near.push(lanes),
            }
        }
        let (start, end) = (self.targets.start, self.targets.end);
        let targets = leaf.first.max(start)..leaf.end.min(end);
        pull(
            bodies,
            near,
            targets,
            self.walk.softening_squared,
            |i, near| {
                let x = glam::DVec3::from(bodies.position(i).map(f64::from)) - leaf.center;
                let far = super::expansion::evaluate(field, x.as_vec3());
                self.found[i - start] = (Vec3::from(near) + far).to_array();
            },
        );
    }
}

/// Visits every source in `open`, until it is empty. A source has one of three effects on each sibling:
///
/// - The sibling is far enough: the source attracts it by expansion.
/// - The sibling is smaller than the source or has no children: the source's children are visited instead.
/// - Otherwise, or if the source has no children: the source goes to `left`, for the sibling's children or for direct sums.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw+avx2", "x86_64+avx2"))]
fn open_sources(
    walk: &Walk,
    parent: &TreeCell,
    siblings: &mut Siblings,
    open: &mut Vec<(usize, u32)>,
    left: &mut [Vec<usize>; SIBLINGS],
) {
    while let Some((index, wanted)) = open.pop() {
        let source = &walk.tree.cells[index];
        let pulled = siblings.pull(
            wanted,
            source,
            source.center - parent.center,
            walk.opening_angle,
            walk.softening_squared,
        );
        let mut near = wanted & !pulled;
        if near != 0 && !source.is_leaf() {
            let opened = near & siblings.smaller_or_leaf(source.radius);
            if opened != 0 {
                let children = source.child_indices().rev();
                open.extend(children.map(|child| (child, opened)));
                near &= !opened;
            }
        }
        while near != 0 {
            left[near.trailing_zeros() as usize].push(index);
            near &= near - 1;
        }
    }
}

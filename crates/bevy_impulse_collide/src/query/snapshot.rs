//! All bodies at one moment, in a tree of boxes.

use std::cell::Cell;

use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhNode, BvhWorkspace};

use super::{body::Body, measure::Found};

/// The bodies of the world, and where they are.
#[derive(Default)]
pub(super) struct Snapshot {
    bodies: Vec<Body>,
    /// Its leaves are indices of bodies.
    tree: Bvh,
    /// The bodies without a box.
    unbounded: Vec<u32>,
    workspace: BvhWorkspace,
}

impl Snapshot {
    /// Replaces the bodies. Where they are the same as before, the tree is kept, with new boxes.
    pub fn update(&mut self, bodies: Vec<Body>) {
        let are_same = self.bodies.iter().map(|body| body.entity);
        let are_same = are_same.eq(bodies.iter().map(|body| body.entity));
        if !(are_same && self.refit(&bodies)) {
            self.build(&bodies);
        }
        self.bodies = bodies;
    }

    fn build(&mut self, bodies: &[Body]) {
        self.unbounded.clear();
        let mut boxes = Vec::with_capacity(bodies.len());
        for (i, body) in bodies.iter().enumerate() {
            match body.bounds() {
                Some(bounds) => boxes.push((i, bounds)),
                None => self.unbounded.push(i as u32),
            }
        }
        self.tree = Bvh::from_iter(BvhBuildStrategy::Binned, boxes.into_iter());
    }

    /// Moves the boxes of bodies that have changed. Returns false if the tree must be built anew.
    fn refit(&mut self, bodies: &[Body]) -> bool {
        let changed = bodies.iter().zip(&self.bodies).enumerate();
        for (i, (new, _)) in changed.filter(|(_, (new, old))| new != old) {
            let has_box = self.tree.leaf_node(i as u32).is_some();
            match new.bounds() {
                // Zero: the box is exactly this one.
                Some(bounds) if has_box => {
                    self.tree.insert_or_update_partially(bounds, i as u32, 0.0);
                }
                None if !has_box => {}
                _ => return false,
            }
        }
        self.tree.refit(&mut self.workspace);
        self.tree.optimize_incremental(&mut self.workspace);
        true
    }

    /// The body with the least distance, up to `most`; the first entity among equals.
    ///
    /// `to_box` gives a distance that no body in a box falls below, or `f32::MAX`. `to_body` gives the distance to a body, or `None`; it
    /// need not find one above its limit.
    pub fn nearest(
        &self,
        most: f32,
        to_box: impl Fn(&BvhNode) -> f32,
        to_body: impl Fn(&Body, f32) -> Option<Found>,
    ) -> Option<(&Body, Found)> {
        let best: Cell<Option<(&Body, Found)>> = Cell::new(None);
        let visit = |i: u32| {
            let body = &self.bodies[i as usize];
            let limit = best.get().map_or(most, |(_, (distance, _))| distance);
            let found = to_body(body, limit).filter(|&(distance, _)| distance <= limit)?;
            let is_first = best.get().is_none_or(|(first, (distance, _))| {
                (found.0, body.entity) < (distance, first.entity)
            });
            if is_first {
                best.set(Some((body, found)));
            }
            // Bodies at the same distance are looked at, too.
            Some(found.0.next_up())
        };
        for &i in &self.unbounded {
            visit(i);
        }
        let limit = best.get().map_or(most, |(_, (distance, _))| distance);
        self.tree
            .find_best(limit.next_up(), |node, _| to_box(node), |i, _| visit(i));
        best.into_inner()
    }

    /// The bodies whose boxes pass a test, and all bodies without a box.
    pub fn candidates(&self, test: impl Fn(&BvhNode) -> bool) -> impl Iterator<Item = &Body> {
        let bounded = self.tree.leaves(test);
        let all = self.unbounded.iter().copied().chain(bounded);
        all.map(|i| &self.bodies[i as usize])
    }
}

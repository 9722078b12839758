//! All bodies at one moment, in a tree of boxes.

use std::cell::Cell;

use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhNode, BvhWorkspace};

use super::body::Body;

/// Moves of each body, on average, after which the tree is built anew. Each move leaves the boxes of the tree a little larger. So
/// often, to build it takes a sixth of the time of the moves.
const MOVES_PER_BUILD: usize = 32;

/// The bodies of the world, and where they are.
#[derive(Default)]
pub(super) struct Snapshot {
    /// First the bodies with a box, then the others.
    bodies: Vec<Body>,
    /// Number of bodies with a box.
    bounded: usize,
    /// Its leaves are the indices of the bodies with a box.
    tree: Bvh,
    /// Number of boxes that were moved since the tree was built.
    moves: usize,
    workspace: BvhWorkspace,
}

impl Snapshot {
    /// Replaces the bodies. Where they are the same as before, the tree is kept, with new boxes.
    pub fn update(&mut self, bodies: impl Iterator<Item = Body>) {
        let (mut bodies, others): (Vec<Body>, Vec<Body>) =
            bodies.partition(|body| body.bounds().is_some());
        let bounded = bodies.len();
        bodies.extend(others);
        let entities = self.bodies.iter().map(|body| body.entity);
        let are_same = entities.eq(bodies.iter().map(|body| body.entity));
        let is_worn = self.moves > MOVES_PER_BUILD * bounded;
        if are_same && bounded == self.bounded && !is_worn {
            self.refit(&bodies);
        } else {
            self.moves = 0;
            let boxes = bodies.iter().map_while(Body::bounds).enumerate();
            self.tree = Bvh::from_iter(BvhBuildStrategy::Binned, boxes);
        }
        (self.bodies, self.bounded) = (bodies, bounded);
    }

    /// Moves the boxes of bodies that have changed.
    fn refit(&mut self, bodies: &[Body]) {
        let pairs = bodies.iter().zip(&self.bodies).enumerate();
        for (i, (body, _)) in pairs.filter(|(_, (new, old))| new != old) {
            if let Some(bounds) = body.bounds() {
                // Without a margin, the box is exactly this one.
                self.tree.insert_or_update_partially(bounds, i as u32, 0.0);
                self.moves += 1;
            }
        }
        self.tree.refit(&mut self.workspace);
        self.tree.optimize_incremental(&mut self.workspace);
    }

    /// All bodies.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The body with the least distance, up to `most`; the first entity among equals.
    ///
    /// `to_box` gives a distance that no body in a box falls below, or `f32::MAX`. `to_body` gives the distance to a body, or
    /// `None`; it need not find one above its limit.
    pub fn nearest<T: Copy>(
        &self,
        most: f32,
        to_box: impl Fn(&BvhNode) -> f32,
        to_body: impl Fn(&Body, f32) -> Option<(f32, T)>,
    ) -> Option<(&Body, (f32, T))> {
        let best: Cell<Option<(&Body, (f32, T))>> = Cell::new(None);
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
        for i in self.bounded..self.bodies.len() {
            visit(i as u32);
        }
        let limit = best.get().map_or(most, |(_, (distance, _))| distance);
        self.tree
            .find_best(limit.next_up(), |node, _| to_box(node), |i, _| visit(i));
        best.into_inner()
    }

    /// The bodies whose boxes pass a test, and all bodies without a box.
    pub fn candidates(&self, test: impl Fn(&BvhNode) -> bool) -> impl Iterator<Item = &Body> {
        let bounded = self.tree.leaves(test);
        let bounded = bounded.map(|i| &self.bodies[i as usize]);
        bounded.chain(&self.bodies[self.bounded..])
    }
}

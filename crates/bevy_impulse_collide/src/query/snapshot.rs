//! All bodies at one moment: their boxes, and a tree of these once so many questions are asked that it pays.

use std::{
    borrow::Cow,
    cell::Cell,
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use bevy::prelude::*;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhNode, BvhWorkspace};

use super::body::Body;
use crate::collision::Aabb;

/// Moves of each body, on average, after which the tree is built anew. Each move leaves the boxes of the tree a little larger. So
/// often, to build it takes a sixth of the time of the moves.
const MOVES_PER_BUILD: usize = 32;

/// Questions whose answers, by a look at every box, take as long as to move the boxes of a tree.
const SCANS_PER_REFIT: usize = 12;
/// The same for a tree that must be built.
const SCANS_PER_BUILD: usize = 192;

/// Bodies for each question after which all are read at once. Before that, a question reads those whose boxes it meets.
const BODIES_PER_QUESTION: usize = 2;

/// The bodies of the world, and where they are.
#[derive(Default)]
pub(super) struct Snapshot {
    /// The bodies with a box first, then the others.
    entities: Vec<Entity>,
    /// The boxes, in the same order.
    boxes: Vec<Aabb>,
    /// Number of questions so far.
    asked: AtomicUsize,
    /// Made by a question that comes after others.
    tree: OnceLock<Tree>,
    /// The same. `None` for a body with a bad value.
    bodies: OnceLock<Vec<Option<Body>>>,
    /// The last tree of the same bodies.
    last_tree: Mutex<Option<Tree>>,
    has_last_tree: bool,
    /// The bodies of the last moment, and those without a box: kept for their memory.
    entities_before: Vec<Entity>,
    unbounded: Vec<Entity>,
}

/// A tree of boxes. Its leaves are the indices of the bodies.
struct Tree {
    bvh: Bvh,
    boxes: Vec<Aabb>,
    /// Number of boxes that were moved since the tree was built.
    moves: usize,
    workspace: BvhWorkspace,
}

impl Tree {
    fn new(boxes: &[Aabb]) -> Self {
        let leaves = boxes.iter().map(leaf).enumerate();
        Self {
            bvh: Bvh::from_iter(BvhBuildStrategy::Binned, leaves),
            boxes: boxes.to_vec(),
            moves: 0,
            workspace: BvhWorkspace::default(),
        }
    }

    /// Moves the boxes that have changed.
    fn refit(&mut self, boxes: &[Aabb]) {
        for (i, (new, old)) in boxes.iter().zip(&mut self.boxes).enumerate() {
            if new != old {
                // Without a margin, the box is exactly this one.
                (self.bvh).insert_or_update_partially(leaf(new), i as u32, 0.0);
                *old = *new;
                self.moves += 1;
            }
        }
        self.bvh.refit(&mut self.workspace);
        self.bvh.optimize_incremental(&mut self.workspace);
    }

    fn is_worn(&self) -> bool {
        self.moves > MOVES_PER_BUILD * self.boxes.len()
    }
}

impl Snapshot {
    /// Replaces the bodies by those that `add_all` [adds](Self::add).
    pub fn update(&mut self, add_all: impl FnOnce(&mut Self)) {
        std::mem::swap(&mut self.entities, &mut self.entities_before);
        self.entities.clear();
        self.boxes.clear();
        add_all(self);
        self.entities.append(&mut self.unbounded);
        let are_same = self.entities == self.entities_before;
        let last_tree = self.last_tree.get_mut();
        let last_tree = last_tree.unwrap_or_else(PoisonError::into_inner);
        let tree = self.tree.take().or_else(|| last_tree.take());
        let fits = |tree: &Tree| are_same && tree.boxes.len() == self.boxes.len();
        *last_tree = tree.filter(|tree| fits(tree) && !tree.is_worn());
        self.has_last_tree = last_tree.is_some();
        self.bodies.take();
        *self.asked.get_mut() = 0;
    }

    /// Adds a body with its box, if it has one.
    pub fn add(&mut self, entity: Entity, bounds: Option<Aabb>) {
        match bounds {
            Some(bounds) => {
                self.boxes.push(bounds);
                self.entities.push(entity);
            }
            None => self.unbounded.push(entity),
        }
    }

    /// Counts a question. Gives all bodies and the tree, each if so many questions were asked that it pays. `body_of` reads a body.
    fn ask(
        &self,
        body_of: &impl Fn(Entity) -> Option<Body>,
    ) -> (Option<&[Option<Body>]>, Option<&Tree>) {
        if let (Some(bodies), Some(tree)) = (self.bodies.get(), self.tree.get()) {
            return (Some(bodies), Some(tree));
        }
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        let scans = match self.has_last_tree {
            true => SCANS_PER_REFIT,
            false => SCANS_PER_BUILD,
        };
        let pays_to_read = BODIES_PER_QUESTION * asked >= self.entities.len();
        (
            pays_to_read.then(|| self.read_all(body_of)),
            (asked >= scans).then(|| self.tree()),
        )
    }

    fn tree(&self) -> &Tree {
        self.tree.get_or_init(|| {
            let last_tree = self.last_tree.lock();
            let mut last_tree = last_tree.unwrap_or_else(PoisonError::into_inner);
            match last_tree.take() {
                Some(mut tree) => {
                    tree.refit(&self.boxes);
                    tree
                }
                None => Tree::new(&self.boxes),
            }
        })
    }

    fn read_all(&self, body_of: &impl Fn(Entity) -> Option<Body>) -> &[Option<Body>] {
        let read = || self.entities.iter().map(|&entity| body_of(entity));
        self.bodies.get_or_init(|| read().collect())
    }

    fn body<'a>(
        &self,
        read: Option<&'a [Option<Body>]>,
        body_of: &impl Fn(Entity) -> Option<Body>,
        i: usize,
    ) -> Option<Cow<'a, Body>> {
        match read {
            Some(bodies) => bodies[i].as_ref().map(Cow::Borrowed),
            None => body_of(self.entities[i]).map(Cow::Owned),
        }
    }

    /// The indices of the bodies without a box.
    fn unbounded(&self) -> std::ops::Range<usize> {
        self.boxes.len()..self.entities.len()
    }

    /// All bodies. `body_of` reads a body.
    pub fn bodies(&self, body_of: impl Fn(Entity) -> Option<Body>) -> impl Iterator<Item = &Body> {
        self.read_all(&body_of).iter().flatten()
    }

    /// The body with the least distance, up to `most`; the first entity among equals.
    ///
    /// `body_of` reads a body. `to_box` gives a distance that no body in a box falls below, or `f32::MAX`. `to_body` gives the
    /// distance to a body, or `None`; it need not find one above its limit.
    pub fn nearest<T: Copy>(
        &self,
        most: f32,
        body_of: impl Fn(Entity) -> Option<Body>,
        to_box: impl Fn(&Aabb) -> f32,
        to_body: impl Fn(&Body, f32) -> Option<(f32, T)>,
    ) -> Option<(Entity, (f32, T))> {
        let (read, tree) = self.ask(&body_of);
        let best: Cell<Option<(Entity, (f32, T))>> = Cell::new(None);
        let limit = || best.get().map_or(most, |(_, (distance, _))| distance);
        let visit = |i: usize| {
            let body = self.body(read, &body_of, i)?;
            let limit = limit();
            let found = to_body(&body, limit).filter(|&(distance, _)| distance <= limit)?;
            let is_first = best
                .get()
                .is_none_or(|(first, (distance, _))| (found.0, body.entity) < (distance, first));
            if is_first {
                best.set(Some((body.entity, found)));
            }
            // Bodies at the same distance are looked at, too.
            Some(found.0.next_up())
        };
        for i in self.unbounded() {
            visit(i);
        }
        if let Some(tree) = tree {
            let to_node = |node: &BvhNode, _| to_box(&box_of(node));
            let look = |i: u32, _| visit(i as usize);
            (tree.bvh).find_best(limit().next_up(), to_node, look);
        } else {
            let mut most = limit();
            for (i, bounds) in self.boxes.iter().enumerate() {
                if to_box(bounds) <= most {
                    visit(i);
                    most = limit();
                }
            }
        }
        best.into_inner()
    }

    /// The bodies whose boxes pass a test, and all bodies without a box. `body_of` reads a body.
    pub fn candidates<'a>(
        &'a self,
        body_of: impl Fn(Entity) -> Option<Body> + 'a,
        test: impl Fn(&Aabb) -> bool,
    ) -> impl Iterator<Item = Cow<'a, Body>> {
        let (read, tree) = self.ask(&body_of);
        let bounded: Vec<usize> = match tree {
            Some(tree) => {
                let leaves = tree.bvh.leaves(|node| test(&box_of(node)));
                leaves.map(|i| i as usize).collect()
            }
            None => {
                let boxes = self.boxes.iter().enumerate();
                boxes
                    .filter_map(|(i, bounds)| test(bounds).then_some(i))
                    .collect()
            }
        };
        let all = bounded.into_iter().chain(self.unbounded());
        all.filter_map(move |i| self.body(read, &body_of, i))
    }
}

fn leaf(bounds: &Aabb) -> parry3d::bounding_volume::Aabb {
    parry3d::bounding_volume::Aabb::new(bounds.min.into(), bounds.max.into())
}

fn box_of(node: &BvhNode) -> Aabb {
    Aabb {
        min: node.mins().into(),
        max: node.maxs().into(),
    }
}

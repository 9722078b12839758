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

/// So many looks at every box take as long as to move the boxes of a tree.
const SCANS_PER_REFIT: usize = 12;
/// The same for a tree that must be built.
const SCANS_PER_BUILD: usize = 192;

/// The bodies of the world, and where they are.
#[derive(Default)]
pub(super) struct Snapshot {
    /// The bodies with a box first, then the others.
    entries: Vec<Entry>,
    /// The boxes, in the same order.
    boxes: Vec<Aabb>,
    /// The bodies that were read for their boxes.
    kept: Vec<Body>,
    /// Number of questions at this moment, and of those since a tree was made of the same bodies.
    asked: AtomicUsize,
    asked_before: usize,
    /// Number of bodies that questions have read one by one.
    reads: AtomicUsize,
    /// Made by a question that comes after others.
    tree: OnceLock<Tree>,
    /// All bodies, read at once after many reads. `None` for a body with a bad value.
    bodies: OnceLock<Vec<Option<Body>>>,
    /// The last tree of the same bodies.
    last_tree: Mutex<Option<Tree>>,
    has_last_tree: bool,
    /// The bodies of the last moment, and those without a box: kept for their memory.
    entries_before: Vec<Entry>,
    unbounded: Vec<Entry>,
}

/// A body, and where it is among those that were read for their boxes; [`UNREAD`] for others.
#[derive(Clone, Copy, Debug)]
struct Entry {
    entity: Entity,
    kept_at: u32,
}

/// See [`Entry`].
const UNREAD: u32 = u32::MAX;

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
        std::mem::swap(&mut self.entries, &mut self.entries_before);
        self.entries.clear();
        self.boxes.clear();
        self.kept.clear();
        add_all(self);
        self.entries.append(&mut self.unbounded);
        let before = self.entries_before.iter().map(|entry| entry.entity);
        let are_same = before.eq(self.entries.iter().map(|entry| entry.entity));
        let last_tree = self.last_tree.get_mut();
        let last_tree = last_tree.unwrap_or_else(PoisonError::into_inner);
        let tree = self.tree.take().or_else(|| last_tree.take());
        let fits = |tree: &Tree| are_same && tree.boxes.len() == self.boxes.len();
        *last_tree = tree.filter(|tree| fits(tree) && !tree.is_worn());
        self.has_last_tree = last_tree.is_some();
        self.bodies.take();
        let asked = std::mem::take(self.asked.get_mut());
        self.asked_before = match are_same && !self.has_last_tree {
            true => self.asked_before + asked,
            false => 0,
        };
        *self.reads.get_mut() = 0;
    }

    /// Adds an entity that seems to be a body, with its box, if it has one.
    pub fn add(&mut self, entity: Entity, bounds: Option<Aabb>) {
        self.add_entry(
            bounds,
            Entry {
                entity,
                kept_at: UNREAD,
            },
        );
    }

    /// Adds a body.
    pub fn add_body(&mut self, body: Body) {
        let kept_at = self.kept.len() as u32;
        self.add_entry(
            body.bounds(),
            Entry {
                entity: body.entity,
                kept_at,
            },
        );
        self.kept.push(body);
    }

    fn add_entry(&mut self, bounds: Option<Aabb>, entry: Entry) {
        match bounds {
            Some(bounds) => {
                self.boxes.push(bounds);
                self.entries.push(entry);
            }
            None => self.unbounded.push(entry),
        }
    }

    /// Counts a question. Gives all bodies and the tree, each if so many questions were asked that it pays. `body_of` reads a body.
    fn ask(
        &self,
        body_of: &impl Fn(Entity) -> Option<Body>,
    ) -> (Option<&[Option<Body>]>, Option<&Tree>) {
        let pays_to_read = || self.reads.load(Ordering::Relaxed) >= self.entries.len();
        let bodies = match self.bodies.get() {
            Some(bodies) => Some(&bodies[..]),
            None => pays_to_read().then(|| self.read_all(body_of)),
        };
        let pays_to_make = || {
            let asked = self.asked_before + self.asked.fetch_add(1, Ordering::Relaxed);
            asked
                >= match self.has_last_tree {
                    true => SCANS_PER_REFIT,
                    false => SCANS_PER_BUILD,
                }
        };
        let tree = match self.tree.get() {
            Some(tree) => Some(tree),
            None => pays_to_make().then(|| self.tree()),
        };
        (bodies, tree)
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
        let read = |entry: &Entry| match self.kept.get(entry.kept_at as usize) {
            Some(body) => Some(body.clone()),
            None => body_of(entry.entity),
        };
        self.bodies
            .get_or_init(|| self.entries.iter().map(read).collect())
    }

    fn body<'a>(
        &'a self,
        read: Option<&'a [Option<Body>]>,
        body_of: &impl Fn(Entity) -> Option<Body>,
        i: usize,
    ) -> Option<Cow<'a, Body>> {
        if let Some(bodies) = read {
            return bodies[i].as_ref().map(Cow::Borrowed);
        }
        let entry = self.entries[i];
        if let Some(body) = self.kept.get(entry.kept_at as usize) {
            return Some(Cow::Borrowed(body));
        }
        self.reads.fetch_add(1, Ordering::Relaxed);
        body_of(entry.entity).map(Cow::Owned)
    }

    /// The indices of the bodies without a box.
    fn unbounded(&self) -> std::ops::Range<usize> {
        self.boxes.len()..self.entries.len()
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

//! Which pairs of bodies may meet in a substep. What meets whom exactly, and when, is found in `narrow_phase.rs` and
//! `next_impact.rs`.

use bevy::prelude::*;

use super::{
    aabb::Aabb,
    adjacency::Partners,
    bounds::{are_in_reach, may_meet, reaches_plane, room_for, swept_box},
    fat_capsule::Core,
    grid::{Entry, Grid},
    moved_proxies::Outside,
};
use crate::{
    body::Bodies,
    config::CollisionConfig,
    parallel::{for_each, map_chunks},
    shape::Shape,
};

/// Bodies that one task finds the pairs of.
const BODIES_PER_TASK: usize = 1024;

/// A box that overlaps more cells than this is tested against all bodies instead.
const MAX_CELLS: usize = 512;

/// So many bodies may have left their rooms, and one in so many, before all pairs are found anew.
const LEAST_STRAYS: usize = 64;

const BODIES_PER_STRAY: usize = 64;

/// So many pairs may be newcomers, and one in so many, before all pairs are found anew: one body that goes on and on leaves its
/// old pairs behind.
const LEAST_NEWCOMERS: usize = 256;

const PAIRS_PER_NEWCOMER: usize = 8;

/// The pairs that may meet in this substep, and some that may soon.
///
/// Each body has some room about the box that it sweeps in a substep, and a pair is one whose rooms are near enough. So the
/// list holds until a body leaves its room: in a heap at rest, for many substeps.
#[derive(Resource, Clone, Debug, Default)]
pub struct BroadPhase {
    /// Indices into [`Bodies`], the lower first. At least one body of each pair is free. Sorted, but for the newcomers: those
    /// that have been found since all pairs were, in the order in which they were.
    pub pairs: Vec<(u32, u32)>,
    /// Another number whenever all pairs are found anew.
    pub(crate) revision: u64,
    /// How many pairs are no newcomers.
    settled: usize,
    /// Whom each body is paired with.
    partners: Partners,
    /// What the pairs were found for: the bodies' revision, and the margin.
    found_for: Option<(u64, f32)>,
    swept: Vec<Aabb>,
    rooms: Vec<Aabb>,
    /// Where the bodies were when they were given their rooms.
    cores: Vec<Core>,
    /// Bodies that have left their rooms, as each task has found them.
    left: Vec<Vec<u32>>,
    grid: Grid,
    /// Bodies that the grid does not tell of: they are too large for it, or have left their place in it.
    strays: Vec<u32>,
    is_stray: Vec<bool>,
    /// Bodies that impacts of this substep take out of their rooms.
    outside: Outside,
    /// Pairs of bodies in the grid, and those of planes and strays.
    found: Vec<Vec<(u32, u32)>>,
    found_beside: Vec<Vec<(u32, u32)>>,
    /// Room to find newcomers.
    met: Vec<u32>,
    /// Pairs about to be newcomers.
    added: Vec<(u32, u32)>,
}

/// Brings the pairs up to date, from positions and velocities at the start of the substep.
pub(crate) fn find_pairs(
    bodies: Res<Bodies>,
    config: Res<CollisionConfig>,
    mut broad_phase: ResMut<BroadPhase>,
) {
    broad_phase.update(&bodies, config.contact_margin);
}

impl BroadPhase {
    pub(crate) fn update(&mut self, bodies: &Bodies, margin: f32) {
        self.outside.clear();
        let leavers = self.sweep(bodies, margin);
        let found_for = Some((bodies.revision, margin));
        let most_strays = LEAST_STRAYS.max(bodies.len() / BODIES_PER_STRAY);
        let most_newcomers = LEAST_NEWCOMERS.max(self.settled / PAIRS_PER_NEWCOMER);
        let newcomers = self.pairs.len() - self.settled;
        let may_follow = self.strays.len() + leavers <= most_strays && newcomers <= most_newcomers;
        if self.found_for != found_for || (leavers > 0 && !may_follow) {
            self.find(bodies, margin);
            self.found_for = found_for;
            self.revision += 1;
        } else if leavers > 0 {
            self.follow_leavers(bodies, margin);
        }
    }

    /// Sweeps all boxes over the substep; how many bodies have left their rooms.
    fn sweep(&mut self, bodies: &Bodies, margin: f32) -> usize {
        self.swept.resize(bodies.len(), Aabb::EMPTY);
        self.rooms.resize(bodies.len(), Aabb::EMPTY);
        self.cores.resize(bodies.len(), Core::NONE);
        let tasks = bodies.len().div_ceil(BODIES_PER_TASK);
        self.left.resize_with(tasks, Vec::new);
        let chunks = self.swept.chunks_mut(BODIES_PER_TASK);
        let chunks = chunks.zip(&mut self.left).enumerate();
        let (rooms, cores) = (&self.rooms, &self.cores);
        for_each(chunks, |(k, (boxes, left))| {
            left.clear();
            for (i, swept) in (k * BODIES_PER_TASK..).zip(boxes) {
                *swept = swept_box(bodies, i, 0.0, margin);
                if !(rooms[i].contains(swept) && cores[i].is_near(bodies, i)) {
                    left.push(i as u32);
                }
            }
        });
        self.left.iter().map(Vec::len).sum()
    }

    /// Gives the few bodies that have left their rooms new ones, and finds their pairs. Those that they had before stay, even
    /// if they are far from each other now.
    fn follow_leavers(&mut self, bodies: &Bodies, margin: f32) {
        let left = std::mem::take(&mut self.left);
        for &i in left.iter().flatten() {
            self.make_room(bodies, i as usize, margin);
            if !std::mem::replace(&mut self.is_stray[i as usize], true) {
                self.strays.push(i);
            }
        }
        let mut met = std::mem::take(&mut self.met);
        for &i in left.iter().flatten() {
            met.clear();
            self.meet(bodies, &self.rooms, i as usize, margin, &mut met);
            self.add(i, &met);
        }
        (self.left, self.met) = (left, met);
        self.take_added();
    }

    fn make_room(&mut self, bodies: &Bodies, i: usize, margin: f32) {
        (self.rooms[i], self.cores[i]) = room_and_core(bodies, i, &self.swept[i], margin);
    }

    fn find(&mut self, bodies: &Bodies, margin: f32) {
        let rooms = self.rooms.chunks_mut(BODIES_PER_TASK);
        let chunks = rooms
            .zip(self.cores.chunks_mut(BODIES_PER_TASK))
            .enumerate();
        let swept = &self.swept;
        for_each(chunks, |(k, (rooms, cores))| {
            for ((i, room), core) in (k * BODIES_PER_TASK..).zip(rooms).zip(cores) {
                (*room, *core) = room_and_core(bodies, i, &swept[i], margin);
            }
        });
        self.grid.build(&self.rooms, |i| ball_label(bodies, i));
        self.strays.clear();
        self.is_stray.clear();
        for i in 0..bodies.len() {
            let is_stray = !self.grid.has(i as u32) && !bodies.shape[i].is_plane();
            self.is_stray.push(is_stray);
            if is_stray {
                self.strays.push(i as u32);
            }
        }
        // They are few: of larger cells, there are fewer to look into.
        let cell = 2.0 * self.grid.mean_cell();
        self.outside.reset(bodies.len(), cell);

        let Self {
            rooms,
            cores,
            grid,
            strays,
            is_stray,
            found,
            found_beside,
            ..
        } = self;
        let found = map_chunks(grid.len(), BODIES_PER_TASK, found, |range, pairs| {
            pairs.clear();
            for k in range {
                grid.neighbours(k, |one, other| {
                    let (a, b) = (one.body.min(other.body), one.body.max(other.body));
                    let (i, j) = (a as usize, b as usize);
                    let may_meet = balls_may_meet(one, other, margin).unwrap_or_else(|| {
                        may_meet(bodies, rooms, i, j, margin) && cores[i].may_meet(&cores[j])
                    });
                    if may_meet {
                        pairs.push((a, b));
                    }
                });
            }
        });
        let found_beside = map_chunks(
            bodies.len(),
            BODIES_PER_TASK,
            found_beside,
            |range, pairs| {
                pairs.clear();
                for i in range {
                    let body = i as u32;
                    let is_pushed = bodies.is_pushed(i);
                    if bodies.shape[i].is_plane() {
                        continue;
                    }
                    for &stray in strays.iter() {
                        // Of two strays, the later one finds the other.
                        let is_mine = stray < body || !is_stray[i];
                        if is_mine
                            && stray != body
                            && may_meet(bodies, rooms, i, stray as usize, margin)
                        {
                            pairs.push((body.min(stray), body.max(stray)));
                        }
                    }
                    for &plane in bodies.planes.iter().filter(|_| is_pushed) {
                        if reaches_plane(bodies, i, &rooms[i], plane as usize, margin) {
                            pairs.push((body.min(plane), body.max(plane)));
                        }
                    }
                }
            },
        );
        let found = found.iter().chain(found_beside.iter()).flatten().copied();
        self.partners.list(bodies.len(), found, &mut self.pairs);
        self.settled = self.pairs.len();
    }

    /// The pairs that are no newcomers, sorted.
    pub(crate) fn settled(&self) -> &[(u32, u32)] {
        &self.pairs[..self.settled]
    }

    /// Adds the pairs of a body and those that it has met, unless they are known; [`take_added`](Self::take_added) makes them
    /// count.
    fn add(&mut self, i: u32, met: &[u32]) {
        let new = met
            .iter()
            .filter(|&&j| !self.partners.are_paired(i, j))
            .map(|&j| (i.min(j), i.max(j)));
        self.added.extend(new);
    }

    /// Makes the pairs added newcomers.
    pub(crate) fn take_added(&mut self) {
        self.added.sort_unstable();
        self.added.dedup();
        for pair in self.added.drain(..) {
            self.partners.link(pair);
            self.pairs.push(pair);
        }
    }

    /// After an impact at `from` seconds into the substep: sweeps body `i` along its new path.
    pub(crate) fn resweep(&mut self, bodies: &Bodies, i: usize, from: f32, margin: f32) {
        let aabb = swept_box(bodies, i, from, margin);
        self.swept[i] = aabb;
        let stays = self.rooms[i].contains(&aabb) && self.cores[i].is_near(bodies, i);
        if !stays || self.outside.has(i) {
            self.outside.put(i, &aabb);
        }
    }

    /// Lists in `met` the bodies that body `i`, which has been swept anew, may meet on its path, and partners of its that
    /// `are_looked_at` by the caller, near or not. [`take_added`](Self::take_added) makes their pairs count.
    pub(crate) fn find_met(
        &mut self,
        bodies: &Bodies,
        i: usize,
        margin: f32,
        are_looked_at: impl Fn(usize) -> bool,
        met: &mut Vec<u32>,
    ) {
        met.clear();
        if self.outside.has(i) {
            self.meet(bodies, &self.swept, i, margin, met);
            self.add(i as u32, met);
        } else {
            // Of those that stay in their rooms too, it meets only whom it is paired with.
            met.extend(self.partners.of(i).filter(|&j| {
                let j = j as usize;
                !self.outside.has(j)
                    && (are_looked_at(j) || self.is_met(bodies, &self.swept, i, j, margin))
            }));
            let known = met.len();
            self.meet_outside(bodies, &self.swept, i, margin, met);
            self.add(i as u32, &met[known..]);
        }
    }

    /// Lists the bodies that body `i` may meet while both are in their boxes.
    fn meet(&self, bodies: &Bodies, boxes: &[Aabb], i: usize, margin: f32, met: &mut Vec<u32>) {
        let mut meet = |j: u32| {
            if !self.outside.has(j as usize) && self.is_met(bodies, boxes, i, j as usize, margin) {
                met.push(j);
            }
        };
        let is_found = self.grid.within(&boxes[i], MAX_CELLS, |j| {
            if !self.is_stray[j as usize] {
                meet(j);
            }
        });
        if is_found {
            self.strays.iter().copied().for_each(&mut meet);
            bodies.planes.iter().copied().for_each(meet);
        } else {
            // One that is large is held against all bodies.
            (0..bodies.len() as u32).for_each(meet);
        }
        self.meet_outside(bodies, boxes, i, margin, met);
    }

    /// Lists those outside their rooms that body `i` may meet.
    fn meet_outside(
        &self,
        bodies: &Bodies,
        boxes: &[Aabb],
        i: usize,
        margin: f32,
        met: &mut Vec<u32>,
    ) {
        self.outside.for_each_near(&boxes[i], |j| {
            if j as usize != i && may_meet(bodies, boxes, i, j as usize, margin) {
                met.push(j);
            }
        });
    }

    /// Whether body `i` may meet another one, or a plane, while both are in their boxes.
    fn is_met(&self, bodies: &Bodies, boxes: &[Aabb], i: usize, j: usize, margin: f32) -> bool {
        match bodies.shape[j] {
            Shape::Plane => bodies.is_pushed(i) && reaches_plane(bodies, i, &boxes[i], j, margin),
            Shape::Particle { .. } | Shape::Capsule { .. } => is_near(bodies, boxes, i, j, margin),
        }
    }
}

/// Whether body `i` may meet another one, which is no plane, while both are in their boxes.
fn is_near(bodies: &Bodies, boxes: &[Aabb], i: usize, j: usize, margin: f32) -> bool {
    j != i && boxes[i].overlaps(&boxes[j]) && may_meet(bodies, boxes, i, j, margin)
}

/// All that the grid need know of a ball: its radius, below zero if nothing pushes it. Infinite for other shapes.
fn ball_label(bodies: &Bodies, i: usize) -> f32 {
    match bodies.shape[i] {
        Shape::Particle { radius } if bodies.is_pushed(i) => radius,
        Shape::Particle { radius } => -radius,
        Shape::Capsule { .. } | Shape::Plane => f32::INFINITY,
    }
}

/// What [`may_meet`] tells of two balls, without a look at [`Bodies`]; `None` if one is no ball.
fn balls_may_meet(one: &Entry, other: &Entry, margin: f32) -> Option<bool> {
    let radii = one.label.abs() + other.label.abs();
    let is_pushed = one.label.max(other.label) > 0.0;
    (radii < f32::INFINITY)
        .then(|| is_pushed && are_in_reach(&one.aabb, &other.aabb, radii, margin))
}

/// The room that a body is given, and where it is now.
fn room_and_core(bodies: &Bodies, i: usize, swept: &Aabb, margin: f32) -> (Aabb, Core) {
    let room = room_for(bodies, i);
    let core = Core::new(bodies, i, swept, room, margin);
    (core.room(swept, room), core)
}

//! The broad phase: it finds the pairs of bodies that may meet in a substep. `manifold` and `time_of_impact` find where and when
//! they meet.

use bevy::prelude::*;

use super::{
    aabb::Aabb,
    adjacency::Adjacency,
    bounds::{ball_label, balls_may_meet, fat_margin, may_meet, swept_aabb},
    course::Course,
    fat_capsule::FatCapsule,
    fat_plane::FatPlanes,
    grid::Grid,
    moved_proxies::MovedProxies,
};
use crate::{
    body::{Bodies, BodyFlags, PerBody, SORTED_FROM, is_gone},
    config::CollisionConfig,
    parallel::{for_each, map_chunks},
    shape::Shape,
};

/// Number of bodies whose AABBs one task makes.
const BODIES_PER_TASK: usize = 1024;

/// Number of bodies whose pairs one task finds.
const SEARCHES_PER_TASK: usize = 256;

/// An AABB that overlaps more grid cells than this is tested against all bodies instead.
const MAX_CELLS: usize = 512;

/// The pairs are rebuilt when more proxies than this have moved out of their fat AABBs, and more than one in [`BODIES_PER_MOVED`].
const MIN_MOVED: usize = 64;
/// See [`MIN_MOVED`].
const BODIES_PER_MOVED: usize = 12;

/// The same for bodies that have come or changed, and [`MIN_MOVED`]. Most of them stay where they are then.
const BODIES_PER_RENEWED: usize = 4;

/// The pairs are rebuilt when there are more incremental pairs than this, and more than one for [`BASE_PAIRS_PER_INCREMENTAL`].
const MIN_INCREMENTAL_PAIRS: usize = 256;
/// See [`MIN_INCREMENTAL_PAIRS`]. A body that moves on leaves its old pairs behind.
const BASE_PAIRS_PER_INCREMENTAL: usize = 8;

/// The pairs that may meet in this substep, and some that may soon.
///
/// The proxy of a body is a fat AABB: the AABB that the body sweeps in a substep, and a margin about it. Two bodies are a pair if
/// their fat AABBs are near enough. So a pair stays valid until one of the proxies moves, that is until the body leaves its
/// fat AABB: in a heap at rest, after many substeps. The pairs of a few moved proxies are found one by one (incremental pairs).
/// When many have moved, all pairs are rebuilt (base pairs).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::{collision::BroadPhase, prelude::*};
/// fn count(broad_phase: Res<BroadPhase>) {
///     info!("{} pairs may meet", broad_phase.pairs().count());
/// }
///
/// # let mut app = App::new();
/// app.add_systems(ImpulseStep, count.after(StepSystems::Contact));
/// ```
#[derive(Resource, Clone, Debug, Default)]
pub struct BroadPhase {
    /// Indices into [`Bodies`], the lower first. At least one body of each pair is free and awake. The base pairs come first,
    /// sorted; then the incremental pairs, in the order in which they were found. A pair that is gone has its first body twice:
    /// the others keep their numbers.
    pub(crate) pairs: Vec<(u32, u32)>,
    /// The numbers of the pairs that have gone since the pairs were rebuilt, in the order in which they went.
    pub(crate) gone: Vec<u32>,
    /// The bodies that have fallen asleep or woken since the pairs were rebuilt, in the order in which they did.
    pub(crate) flipped: Vec<u32>,
    /// Incremented when the pairs are rebuilt.
    pub(crate) revision: u64,
    /// Pairs of which both bodies sleep or stand still.
    resting: Vec<(u32, u32)>,
    /// Whether each body slept when the pairs were last sorted into `pairs` and `resting`.
    asleep: Vec<bool>,
    /// Number of base pairs.
    base_count: usize,
    /// The pairs of each body.
    adjacency: Adjacency,
    /// The bodies' revision and the margin that the pairs were built for.
    found_for: Option<(u64, f32)>,
    /// The AABB that each body sweeps in this substep.
    swept: PerBody<Aabb>,
    swept_margin: f32,
    fat_aabbs: Vec<Aabb>,
    /// A tighter bound for capsules, made together with the fat AABBs.
    fat_capsules: Vec<FatCapsule>,
    /// The courses in the substep in which the pairs were rebuilt, and whether that is the present one.
    courses: Vec<Course>,
    are_courses_new: bool,
    fat_planes: FatPlanes,
    /// Kinematic planes that have left their bounds: kept for its memory.
    moved_planes: Vec<u32>,
    /// Proxies that have moved since the last substep, by the task that found them.
    moved: Vec<Vec<u32>>,
    grid: Grid,
    /// Proxies that are too large for the grid, sorted.
    large: Vec<u32>,
    /// Proxies that have moved since the grid was built, and the number of those that are there because their bodies have come or
    /// changed.
    moved_since: MovedProxies,
    renewed: usize,
    /// Whether each proxy is not where the grid has it.
    is_outside_grid: Vec<bool>,
    /// Proxies that impacts of this substep have moved.
    moved_by_impacts: MovedProxies,
    /// Pairs found in the grid, and pairs with planes and with proxies outside the grid; one list a task.
    found: Vec<Vec<(u32, u32)>>,
    found_beside_grid: Vec<Vec<(u32, u32)>>,
    /// Bodies that a moved proxy may meet: kept for its memory.
    candidates: Vec<u32>,
    /// Pairs of bodies that have fallen asleep or woken: kept for its memory.
    found_asleep: Vec<(u32, u32)>,
    /// Pairs that become incremental pairs next.
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
        self.moved_by_impacts.clear();
        self.are_courses_new = false;
        let followed = self.follow(bodies, margin);
        let moved_count = self.sweep(bodies, margin);
        let renewed = followed.unwrap_or_default();
        self.renewed += renewed;
        let most_moved = MIN_MOVED.max(bodies.len() / BODIES_PER_MOVED);
        let most_incremental =
            MIN_INCREMENTAL_PAIRS.max(self.base_count / BASE_PAIRS_PER_INCREMENTAL);
        let incremental = self.pairs.len() - self.base_count + self.gone.len();
        let most_renewed = MIN_MOVED.max(bodies.len() / BODIES_PER_RENEWED);
        let moved_before = (self.moved_since.len() + renewed).saturating_sub(self.renewed);
        let may_follow = moved_before + moved_count <= most_moved + renewed
            && self.renewed <= most_renewed
            && incremental <= most_incremental;
        let has_moved = moved_count > 0
            || (followed.is_some() && self.fat_planes.moved(bodies).next().is_some());
        if followed.is_none() || (has_moved && !may_follow) {
            self.find(bodies, margin);
            self.revision += 1;
        } else if has_moved {
            self.find_pairs_of_moved_planes(bodies, margin);
            self.find_pairs_of_moved(bodies, margin);
        }
        self.found_for = Some((bodies.renewal.revision(), margin));
        self.set_resting_aside(bodies);
    }

    /// Forgets the pairs of the bodies that have changed, so that they count as moved proxies. Returns their number; `None` if that
    /// is not enough.
    fn follow(&mut self, bodies: &Bodies, margin: f32) -> Option<usize> {
        let found_for = self.found_for.filter(|found_for| found_for.1 == margin);
        let changed = bodies.renewal.since(found_for?.0)?;
        let (count, known) = (bodies.len(), self.is_outside_grid.len());
        if changed.is_empty() && known <= count {
            return Some(0);
        }
        let is_plane = |&i: &u32| bodies.shape[i as usize].is_plane();
        if !self.fat_planes.are_of(&bodies.planes) || changed.iter().any(is_plane) {
            return None;
        }
        self.adjacency.extend(count.max(known));
        // An index that no body has any more is outside the grid too, so that nothing finds its old entry.
        for i in changed.iter().copied().chain(count as u32..known as u32) {
            if (i as usize) < known {
                self.forget_pairs_of(i);
                self.moved_since.remove(i as usize);
                self.is_outside_grid[i as usize] = true;
            }
        }
        if known < count {
            self.is_outside_grid.resize(count, true);
        } else if known > count {
            // What is gone keeps an index that a body has, and the order of the base pairs.
            let last = count as u32 - 1;
            for &k in &self.gone {
                let pair = &mut self.pairs[k as usize];
                *pair = (pair.0.min(last), pair.0.min(last));
            }
        }
        let stays = |i: u32| (i as usize) < count && changed.binary_search(&i).is_err();
        self.large.retain(|&i| stays(i));
        for &i in changed {
            if let Some(aabb) = self.fat_aabbs.get_mut(i as usize) {
                *aabb = Aabb::EMPTY;
            }
        }
        self.moved_since.extend(count);
        self.moved_by_impacts.extend(count);
        Some(changed.len())
    }

    /// Takes out the pairs of body `i`.
    fn forget_pairs_of(&mut self, i: u32) {
        let mut partners = std::mem::take(&mut self.candidates);
        partners.clear();
        partners.extend(self.adjacency.of(i as usize));
        self.adjacency.forget(i, &partners);
        for &j in &partners {
            let pair = (i.min(j), i.max(j));
            match index_of_pair(&self.pairs, self.base_count, pair) {
                Some(k) => {
                    self.pairs[k] = (pair.0, pair.0);
                    self.gone.push(k as u32);
                }
                None => {
                    if let Ok(k) = self.resting.binary_search(&pair) {
                        self.resting.remove(k);
                    }
                }
            }
        }
        self.candidates = partners;
    }

    /// The pairs that may meet in this substep, and some that may soon: indices into [`Bodies`], the lower first.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        self.pairs.iter().copied().filter(|&pair| !is_gone(pair))
    }

    /// Finds all pairs anew in the next substep.
    pub(crate) fn begin_anew(&mut self) {
        self.found_for = None;
        self.swept.clear();
    }

    /// The fat AABB of each body.
    #[cfg(feature = "gizmos")]
    pub(crate) fn fat_aabbs(&self) -> &[Aabb] {
        &self.fat_aabbs
    }

    /// Sorts all pairs into pairs and resting pairs, if other bodies sleep than before. Pairs that are gone are left out.
    pub(crate) fn set_resting_aside(&mut self, bodies: &Bodies) {
        let are_asleep = || (0..bodies.len()).map(|i| bodies.is_asleep(i));
        let did_any_sleep = self.asleep.contains(&true);
        let is_same = || are_asleep().eq(self.asleep.iter().copied());
        if !(did_any_sleep || bodies.any(BodyFlags::ASLEEP)) || is_same() {
            return;
        }
        if self.follow_sleep(bodies) {
            return;
        }
        self.asleep.clear();
        self.asleep.extend(are_asleep());
        self.flipped.clear();
        self.pairs.append(&mut self.resting);
        self.pairs.retain(|&pair| !is_gone(pair));
        self.gone.clear();
        // Stable: it is fast for the few sorted runs.
        self.pairs.sort();
        self.resting
            .extend(self.pairs.extract_if(.., |pair| bodies.both_stay(*pair)));
        self.base_count = self.pairs.len();
        self.revision += 1;
    }

    /// Gives the pairs of the bodies that have fallen asleep or woken other numbers, or sets them aside. Returns false if they are so
    /// many that it is faster to sort all.
    fn follow_sleep(&mut self, bodies: &Bodies) -> bool {
        if self.asleep.is_empty() || bodies.len() < SORTED_FROM {
            return false;
        }
        self.asleep.resize(bodies.len(), false);
        let before = self.flipped.len();
        let asleep = (0..).zip(&self.asleep);
        let flipped = asleep.filter(|&(i, was)| bodies.is_asleep(i as usize) != *was);
        self.flipped.extend(flipped.map(|(i, _)| i));
        let flipped = &self.flipped[before..];
        let mut pairs = std::mem::take(&mut self.found_asleep);
        pairs.clear();
        for &i in flipped {
            let partners = self.adjacency.of(i as usize);
            pairs.extend(partners.map(|j| (i.min(j), i.max(j))));
        }
        pairs.sort_unstable();
        pairs.dedup();
        let incremental = self.pairs.len() - self.base_count + self.gone.len();
        let most = MIN_INCREMENTAL_PAIRS.max(self.base_count / BASE_PAIRS_PER_INCREMENTAL);
        let can = incremental + 2 * pairs.len() <= most;
        if can {
            for &i in flipped {
                self.asleep[i as usize] = bodies.is_asleep(i as usize);
            }
            let known = self.resting.len();
            for &pair in &pairs {
                match index_of_pair(&self.pairs, self.base_count, pair) {
                    Some(k) => {
                        self.pairs[k] = (pair.0, pair.0);
                        self.gone.push(k as u32);
                    }
                    None => {
                        if let Ok(k) = self.resting[..known].binary_search(&pair) {
                            // It has its first body twice until all are looked at: the others keep their places.
                            self.resting[k].1 = pair.0;
                        }
                    }
                }
                match bodies.both_stay(pair) {
                    true => self.resting.push(pair),
                    false => self.pairs.push(pair),
                }
            }
            self.resting.retain(|&pair| !is_gone(pair));
            // Stable: it is fast for a sorted list and a few more.
            self.resting.sort();
        }
        self.found_asleep = pairs;
        can
    }

    /// Gives the planes that have left their bounds new ones, and finds their pairs.
    fn find_pairs_of_moved_planes(&mut self, bodies: &Bodies, margin: f32) {
        let (mut planes, mut candidates) = (
            std::mem::take(&mut self.moved_planes),
            std::mem::take(&mut self.candidates),
        );
        planes.clear();
        planes.extend(self.fat_planes.moved(bodies));
        for &plane in &planes {
            self.fat_planes.refit(bodies, plane);
            let may_touch = |i: usize| {
                !bodies.shape[i].is_plane()
                    && !bodies.shape[i].is_compound()
                    && bodies.is_dynamic(i)
                    && (self.fat_planes).is_reached(bodies, i, &self.fat_aabbs[i], plane, margin)
            };
            candidates.clear();
            candidates.extend((0..bodies.len() as u32).filter(|&i| may_touch(i as usize)));
            self.add(plane, &candidates);
        }
        (self.moved_planes, self.candidates) = (planes, candidates);
        self.commit_added();
    }

    /// Computes all swept AABBs, and returns the number of proxies that have moved.
    fn sweep(&mut self, bodies: &Bodies, margin: f32) -> usize {
        self.fat_aabbs.resize(bodies.len(), Aabb::EMPTY);
        self.fat_capsules.resize(bodies.len(), FatCapsule::NONE);
        self.courses.resize(bodies.len(), Course::NONE);
        let tasks = bodies.len().div_ceil(BODIES_PER_TASK);
        self.moved.resize_with(tasks, Vec::new);
        if self.swept_margin != margin {
            self.swept_margin = margin;
            self.swept.clear();
        }
        self.swept
            .update(bodies, BODIES_PER_TASK, Aabb::EMPTY, |i| {
                swept_aabb(bodies, i, 0.0, margin)
            });
        let (fat_aabbs, fat_capsules) = (&self.fat_aabbs, &self.fat_capsules);
        let courses = &self.courses;
        let swept = &self.swept;
        let tasks = self.moved.iter_mut().enumerate().filter_map(|(k, moved)| {
            moved.clear();
            let range = k * BODIES_PER_TASK..(k + 1) * BODIES_PER_TASK;
            let is_active = bodies.active_in(range.clone()).next().is_some();
            is_active.then_some((range, moved))
        });
        for_each(tasks, |(range, moved)| {
            for i in bodies.active_in(range) {
                let holds =
                    fat_aabbs[i].contains(&swept[i]) && fat_capsules[i].still_holds(bodies, i);
                if !holds || courses[i].is_fast() {
                    moved.push(i as u32);
                }
            }
        });
        self.moved.iter().map(Vec::len).sum()
    }

    /// Gives the moved proxies new fat AABBs, and finds their pairs. Pairs that they had before stay, even if the bodies are far
    /// from each other now.
    fn find_pairs_of_moved(&mut self, bodies: &Bodies, margin: f32) {
        let moved = std::mem::take(&mut self.moved);
        for &i in moved.iter().flatten() {
            self.refit(bodies, i as usize, margin);
            self.is_outside_grid[i as usize] = true;
            if self.large.binary_search(&i).is_err() {
                self.moved_since
                    .put(i as usize, &self.fat_aabbs[i as usize]);
            }
        }
        let mut candidates = std::mem::take(&mut self.candidates);
        for &i in moved.iter().flatten() {
            candidates.clear();
            self.collect(bodies, &self.fat_aabbs, i as usize, margin, &mut candidates);
            self.add(i, &candidates);
        }
        (self.moved, self.candidates) = (moved, candidates);
        self.commit_added();
    }

    fn refit(&mut self, bodies: &Bodies, i: usize, margin: f32) {
        (self.fat_aabbs[i], self.fat_capsules[i]) = fat_bounds(bodies, i, &self.swept[i], margin);
        // Its pairs are found by its AABB.
        self.courses[i] = Course::NONE;
    }

    fn find(&mut self, bodies: &Bodies, margin: f32) {
        let fat_aabbs = self.fat_aabbs.chunks_mut(BODIES_PER_TASK);
        let chunks = fat_aabbs
            .zip(self.fat_capsules.chunks_mut(BODIES_PER_TASK))
            .zip(self.courses.chunks_mut(BODIES_PER_TASK))
            .enumerate();
        let swept = &self.swept;
        for_each(chunks, |(k, ((fat_aabbs, fat_capsules), courses))| {
            let bounds = fat_aabbs.iter_mut().zip(fat_capsules).zip(courses);
            for (i, ((fat_aabb, fat_capsule), course)) in (k * BODIES_PER_TASK..).zip(bounds) {
                (*fat_aabb, *fat_capsule) = fat_bounds(bodies, i, &swept[i], margin);
                *course = Course::of(bodies, i, margin);
            }
        });
        self.are_courses_new = true;
        self.fat_planes.refit_all(bodies);
        self.grid.build(&self.fat_aabbs, |i| ball_label(bodies, i));
        self.large.clear();
        self.is_outside_grid.clear();
        for i in 0..bodies.len() {
            let has_box = !bodies.shape[i].is_plane() && !bodies.shape[i].is_compound();
            let is_outside_grid = has_box && !self.grid.has(i as u32);
            self.is_outside_grid.push(is_outside_grid);
            if is_outside_grid {
                self.large.push(i as u32);
            }
        }
        // Few proxies have moved: larger cells mean fewer cells to search.
        let cell = 2.0 * self.grid.mean_cell();
        self.moved_since.reset(bodies.len(), cell);
        self.renewed = 0;
        self.moved_by_impacts.reset(bodies.len(), cell);

        let Self {
            fat_aabbs,
            fat_capsules,
            courses,
            fat_planes,
            grid,
            large,
            is_outside_grid,
            found,
            found_beside_grid,
            ..
        } = self;
        let found = map_chunks(grid.len(), SEARCHES_PER_TASK, found, |range, pairs| {
            pairs.clear();
            for k in range {
                grid.neighbours(k, |one, other| {
                    let (a, b) = (one.body.min(other.body), one.body.max(other.body));
                    let (i, j) = (a as usize, b as usize);
                    let of_balls = balls_may_meet(one, other, margin);
                    if of_balls == Some(false) {
                        return;
                    }
                    let on_courses = courses[i].may_meet(&courses[j], bodies.h);
                    let are_near = match (of_balls, on_courses) {
                        (_, Some(may_meet)) => may_meet,
                        (Some(_), None) => true,
                        (None, None) => fat_capsules[i].may_meet(&fat_capsules[j]),
                    };
                    let may_meet = || match of_balls {
                        Some(_) => bodies.may_collide(i, j),
                        None => may_meet(bodies, fat_aabbs, i, j, margin),
                    };
                    if are_near && may_meet() {
                        pairs.push((a, b));
                    }
                });
            }
        });
        let found_beside_grid = map_chunks(
            bodies.len(),
            SEARCHES_PER_TASK,
            found_beside_grid,
            |range, pairs| {
                pairs.clear();
                for i in range {
                    let body = i as u32;
                    let is_dynamic = bodies.is_dynamic(i);
                    if bodies.shape[i].is_plane() || bodies.shape[i].is_compound() {
                        continue;
                    }
                    for &proxy in large.iter() {
                        // Of two large proxies, the later one finds the pair.
                        let is_mine = proxy < body || !is_outside_grid[i];
                        if is_mine
                            && proxy != body
                            && may_meet(bodies, fat_aabbs, i, proxy as usize, margin)
                        {
                            pairs.push((body.min(proxy), body.max(proxy)));
                        }
                    }
                    if is_dynamic {
                        let planes = fat_planes.reached_by(bodies, i, &fat_aabbs[i], margin);
                        pairs.extend(planes.map(|plane| (body.min(plane), body.max(plane))));
                    }
                }
            },
        );
        let found = found
            .iter()
            .chain(found_beside_grid.iter())
            .flatten()
            .copied();
        self.adjacency.rebuild(bodies.len(), found, &mut self.pairs);
        self.base_count = self.pairs.len();
        self.gone.clear();
        self.flipped.clear();
        self.resting.clear();
        self.asleep.clear();
    }

    /// The pairs, and the pairs that rest.
    pub(crate) fn all_pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        self.pairs().chain(self.resting.iter().copied())
    }

    /// The base pairs: as the pairs have just been rebuilt, they are sorted.
    pub(crate) fn base_pairs(&self) -> &[(u32, u32)] {
        &self.pairs[..self.base_count]
    }

    /// Records the new pairs of body `i` with the bodies in `candidates`. They count after [`commit_added`](Self::commit_added).
    fn add(&mut self, i: u32, candidates: &[u32]) {
        let new = candidates
            .iter()
            .filter(|&&j| !self.adjacency.are_paired(i, j))
            .map(|&j| (i.min(j), i.max(j)));
        self.added.extend(new);
    }

    /// Makes the recorded pairs incremental pairs.
    pub(crate) fn commit_added(&mut self) {
        self.added.sort_unstable();
        self.added.dedup();
        for pair in self.added.drain(..) {
            self.adjacency.link(pair);
            self.pairs.push(pair);
        }
    }

    /// After an impact at `from` seconds into the substep: computes the swept AABB of body `i` on its new path.
    pub(crate) fn resweep(&mut self, bodies: &Bodies, i: usize, from: f32, margin: f32) {
        let aabb = swept_aabb(bodies, i, from, margin);
        self.swept[i] = aabb;
        let course = &self.courses[i];
        let is_on_course = !self.are_courses_new || course.still_holds(bodies, i);
        // The bounds of a fast body hold all that is near its course.
        let is_bounded = self.are_courses_new && course.is_fast()
            || self.fat_aabbs[i].contains(&aabb) && self.fat_capsules[i].still_holds(bodies, i);
        let stays = is_on_course && is_bounded;
        if !stays || self.moved_by_impacts.has(i) {
            self.moved_by_impacts.put(i, &aabb);
        }
    }

    /// Lists in `candidates` the bodies that body `i` may meet on its new path. Neighbours for which `is_filtered_later` is
    /// true are listed without a test: the caller tests them. New pairs count after [`commit_added`](Self::commit_added).
    pub(crate) fn find_candidates(
        &mut self,
        bodies: &Bodies,
        i: usize,
        margin: f32,
        is_filtered_later: impl Fn(usize) -> bool,
        candidates: &mut Vec<u32>,
    ) {
        candidates.clear();
        if self.moved_by_impacts.has(i) {
            self.collect(bodies, &self.swept, i, margin, candidates);
            self.add(i as u32, candidates);
        } else {
            // Among the proxies that have not moved, it can meet only its partners in pairs.
            candidates.extend(self.adjacency.of(i).filter(|&j| {
                let j = j as usize;
                !self.moved_by_impacts.has(j)
                    && (is_filtered_later(j)
                        || self.may_meet_any(bodies, &self.swept, i, j, margin))
            }));
            let known = candidates.len();
            self.collect_moved(bodies, &self.swept, i, margin, candidates);
            self.add(i as u32, &candidates[known..]);
        }
    }

    /// Lists the bodies that body `i` may meet while both are in their AABBs.
    fn collect(
        &self,
        bodies: &Bodies,
        aabbs: &[Aabb],
        i: usize,
        margin: f32,
        candidates: &mut Vec<u32>,
    ) {
        let mut meet = |j: u32| {
            if !self.moved_by_impacts.has(j as usize)
                && self.may_meet_any(bodies, aabbs, i, j as usize, margin)
            {
                candidates.push(j);
            }
        };
        let is_found = self.grid.within(&aabbs[i], MAX_CELLS, |j| {
            if !self.is_outside_grid[j as usize] {
                meet(j);
            }
        });
        if is_found {
            self.large.iter().copied().for_each(&mut meet);
            self.moved_since.for_each_near(&aabbs[i], &mut meet);
            bodies.planes.iter().copied().for_each(meet);
        } else {
            // A large AABB is tested against all bodies.
            (0..bodies.len() as u32).for_each(meet);
        }
        self.collect_moved(bodies, aabbs, i, margin, candidates);
    }

    /// Lists the bodies moved by impacts that body `i` may meet.
    fn collect_moved(
        &self,
        bodies: &Bodies,
        aabbs: &[Aabb],
        i: usize,
        margin: f32,
        candidates: &mut Vec<u32>,
    ) {
        self.moved_by_impacts.for_each_near(&aabbs[i], |j| {
            if j as usize != i && may_meet(bodies, aabbs, i, j as usize, margin) {
                candidates.push(j);
            }
        });
    }

    /// Whether bodies `i` and `j`, which may be a plane, may meet while both are in their AABBs.
    fn may_meet_any(
        &self,
        bodies: &Bodies,
        aabbs: &[Aabb],
        i: usize,
        j: usize,
        margin: f32,
    ) -> bool {
        match bodies.shape[j] {
            Shape::Plane => {
                bodies.is_dynamic(i)
                    && (self.fat_planes).is_reached(bodies, i, &aabbs[i], j as u32, margin)
            }
            Shape::Particle { .. } | Shape::Capsule { .. } | Shape::Collider => {
                is_near(bodies, aabbs, i, j, margin)
            }
            Shape::Compound { .. } => false,
        }
    }
}

/// The index of a pair among pairs of which the first `base` were sorted before some of them went.
pub(crate) fn index_of_pair(pairs: &[(u32, u32)], base: usize, pair: (u32, u32)) -> Option<usize> {
    let (base, incremental) = pairs.split_at(base);
    let start = base.partition_point(|other| other.0 < pair.0);
    let of_first = base[start..].iter().take_while(|other| other.0 == pair.0);
    let found = of_first.zip(start..).find(|(other, _)| **other == pair);
    found.map(|(_, k)| k).or_else(|| {
        let at = incremental.iter().position(|&other| other == pair)?;
        Some(base.len() + at)
    })
}

/// Whether bodies `i` and `j`, neither of them a plane, may meet while both are in their AABBs.
fn is_near(bodies: &Bodies, aabbs: &[Aabb], i: usize, j: usize, margin: f32) -> bool {
    j != i && aabbs[i].overlaps(&aabbs[j]) && may_meet(bodies, aabbs, i, j, margin)
}

/// The fat AABB and the fat capsule of a body.
fn fat_bounds(bodies: &Bodies, i: usize, swept: &Aabb, margin: f32) -> (Aabb, FatCapsule) {
    let fat_margin = fat_margin(bodies, i);
    let fat_capsule = FatCapsule::new(bodies, i, swept, fat_margin, margin);
    (fat_capsule.aabb(swept, fat_margin), fat_capsule)
}

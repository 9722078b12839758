//! The constraints that one thread works on.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::{
    accumulator::ImpulseAccumulator,
    ball_rows::BallRows,
    class::{Extensions, Nearness, PairClass, has_moving_surface, is_ground},
    coloring::{Coloring, ColoringEntry},
    entry::{BallGroup, EntryGroup, PairEntry, StoredImpulse},
    handle::{ConstraintHandle, LaneIndex, Store},
    point::PointContacts,
    rows::{RowInput, RowSums, RowVelocities, Rows},
    surface::{FoundContact, RememberedContact, pack},
    view::{ContactPoint, stored},
};
use crate::{
    body::{Bodies, is_gone},
    config::CollisionConfig,
    solver::{partition::CellLayout, simd::LANES},
};

/// The constraints of a cell of the partition.
#[derive(Debug, Default)]
pub(super) struct ContactCell {
    balls: BallRows,
    points: PointContacts,
    /// Contacts with colliders, and the pairs and contacts from which they are made.
    surfaces: PointContacts,
    on_surfaces: Vec<u32>,
    found: Vec<FoundContact>,
    /// Indices of the pairs that have a capsule or a collider, or sleep.
    pub(super) others: Vec<u32>,
    /// Number of the cell's pairs that [`ContactCell::add`] has seen.
    packed: usize,
    /// Pairs that need a constraint, by class and nearness.
    candidates: [[Vec<u32>; Nearness::COUNT]; PairClass::ALL.len()],
    coloring: Coloring,
}

/// The data from which constraints are made.
pub(super) struct PackingInput<'a> {
    pub bodies: &'a Bodies,
    pub config: &'a CollisionConfig,
    pub extensions: Extensions,
    pub layout: &'a CellLayout,
    /// All pairs, and the impulses that they start with.
    pub pairs: &'a [(u32, u32)],
    pub impulses: &'a [StoredImpulse],
}

impl ContactCell {
    /// Forgets all pairs.
    pub fn clear(&mut self) {
        self.packed = 0;
        self.others.clear();
        self.balls.clear();
        self.points.clear();
        self.surfaces.clear();
        self.on_surfaces.clear();
    }

    /// The number of ball constraints, and of point constraints.
    pub fn len(&self) -> (usize, usize) {
        (self.balls.len(), self.points.len())
    }

    /// Makes constraints for the new pairs among the `own` pairs of cell number `cell`.
    pub fn add(&mut self, input: &PackingInput, cell: usize, own: &[u32]) {
        let new = &own[self.packed..];
        self.packed = own.len();
        if new.is_empty() {
            return;
        }
        let bodies = input.bodies;
        for candidates in self.candidates.as_flattened_mut() {
            candidates.clear();
        }
        for &k in new {
            let pair @ (a, b) = input.pairs[k as usize];
            if is_gone(pair) {
                continue;
            }
            let (a, b) = (a as usize, b as usize);
            let sleeps = bodies.are_held(pair);
            let class = input.class_of(a, b);
            let on_surface = bodies.has_collider(a, b);
            if on_surface && !sleeps {
                self.on_surfaces.push(k);
            } else if !sleeps {
                let nearness = Nearness::of(bodies, class, a, b);
                self.candidates[class.index()][nearness as usize].push(k);
            }
            if sleeps || on_surface || class.has_capsule {
                self.others.push(k);
            }
        }
        let reach = input.layout.range(cell);
        for class in PairClass::ALL {
            self.coloring.begin(reach.len());
            for &k in self.candidates[class.index()].iter().flatten() {
                self.coloring.add(input.coloring_entry(k, reach.start));
            }
            let (balls, points) = (&mut self.balls, &mut self.points);
            self.coloring.each_group(|group, is_new| {
                let group = EntryGroup::new(group.iter().map(|entry| input.entry(entry, class)));
                if class.is_plain_ball() {
                    balls.add(&group, class.on_plane, is_new);
                } else {
                    points.add(&group, class, None);
                }
            });
        }
    }

    /// Takes a pair out of its lane.
    pub fn take_out(&mut self, LaneIndex { store, group, lane }: LaneIndex) {
        match store {
            Store::Balls => self.balls.take_out(group, lane),
            Store::Points | Store::Surfaces => self.points.take_out(group, lane),
        }
    }

    /// Forgets the pairs without a lane that are gone, given all `pairs`.
    pub fn forget_gone(&mut self, pairs: &[(u32, u32)]) {
        let is_there = |k: &u32| !is_gone(pairs[*k as usize]);
        self.others.retain(is_there);
        self.on_surfaces.retain(is_there);
    }

    /// The pairs with a collider.
    pub fn pairs_on_surfaces(&self) -> &[u32] {
        &self.on_surfaces
    }

    /// Forgets the contacts with colliders.
    pub fn clear_surfaces(&mut self) {
        self.surfaces.clear();
        self.found.clear();
    }

    /// Adds contacts with colliders.
    pub fn add_found(&mut self, found: &mut Vec<FoundContact>) {
        self.found.append(found);
    }

    /// Makes constraints of the contacts with colliders.
    pub fn pack_surfaces(&mut self, layout: &CellLayout, cell: usize) {
        if self.found.is_empty() {
            return;
        }
        let slots = layout.range(cell).len();
        pack(&self.found, &mut self.coloring, slots, &mut self.surfaces);
    }

    /// The contacts with colliders, as the solver left them.
    pub fn surface_contacts<'a>(
        &'a self,
        bodies: &'a Bodies,
    ) -> impl Iterator<Item = RememberedContact> + 'a {
        let groups = 0..self.surfaces.len();
        let lanes = groups.flat_map(|group| (0..LANES).map(move |lane| (group, lane)));
        lanes.filter_map(|(group, lane)| {
            let first = self.surfaces.points_of(group, lane).next()?;
            let entity = |i: u32| bodies.entity[i as usize];
            Some(RememberedContact {
                of: (entity(first.a), entity(first.b)),
                normal: first.normal,
                order: 0,
                impulse: stored(self.surfaces.points_of(group, lane)),
            })
        })
    }

    /// The bodies on curved surfaces, and the acceleration in m/s² with which the surface turns each in a substep of `h` seconds:
    /// its bend is a·h²/2.
    pub fn turning(&self, h: f32) -> impl Iterator<Item = (u32, f32)> {
        self.found.iter().filter_map(move |found| {
            let bend = found.bend[0].abs().max(found.bend[1].abs());
            (bend > 0.0).then_some((found.entry.bodies.0, 2.0 * bend / (h * h)))
        })
    }

    /// The active contact points with colliders.
    pub fn surface_points(&self) -> impl Iterator<Item = ContactPoint> {
        self.surfaces.active_points(|_| true)
    }

    /// Whether a constraint may have arms.
    pub fn has_points(&self) -> bool {
        self.points.len() > 0 || self.surfaces.len() > 0
    }

    /// Writes the handles of the pairs after the `first.0` first ball and the `first.1` first point constraints.
    pub fn write_handles(&self, cell: usize, first: (usize, usize), handles: &[AtomicU64]) {
        let write = |store: Store, group: usize, pairs: &[u32; LANES]| {
            for (lane, &pair) in pairs.iter().enumerate() {
                if let Some(handle) = handles.get(pair as usize) {
                    let at = LaneIndex { store, group, lane };
                    handle.store(ConstraintHandle { cell, at }.packed(), Relaxed);
                }
            }
        };
        for (group, pairs) in self.balls.pairs_from(first.0) {
            write(Store::Balls, group, pairs);
        }
        for group in first.1..self.points.len() {
            write(Store::Points, group, &self.points.pairs[group].pair);
        }
    }

    /// The constraints of balls, for the projection stage.
    pub fn ball_groups(&self) -> impl Iterator<Item = BallGroup<'_>> {
        self.balls.groups().chain(self.points.balls())
    }

    /// The kinds of constraints, in the order in which a substep starts with their impulses.
    fn kinds(&self) -> [&dyn Rows; 3] {
        [&self.points, &self.surfaces, &self.balls]
    }

    /// Brings the constraints up to date with the bodies.
    pub fn prepare(&mut self, input: &RowInput) {
        let kinds: [&mut dyn Rows; 3] = [&mut self.points, &mut self.surfaces, &mut self.balls];
        kinds.into_iter().for_each(|kind| kind.prepare(input));
    }

    /// Gives the bodies the impulses that the constraints start with.
    pub fn warm_start(&mut self, velocities: &mut RowVelocities) {
        let kinds: [&mut dyn Rows; 3] = [&mut self.points, &mut self.surfaces, &mut self.balls];
        kinds
            .into_iter()
            .for_each(|kind| kind.warm_start(velocities));
    }

    /// One sweep over all constraints. Surfaces come last: nothing passes them.
    pub fn solve(&mut self, relaxation: f32, velocities: &mut RowVelocities) {
        let kinds: [&mut dyn Rows; 3] = [&mut self.points, &mut self.balls, &mut self.surfaces];
        for kind in kinds {
            kind.solve(relaxation, velocities);
        }
    }

    /// Adds the impulses to the sums of the bodies. Marks the pairs that touch.
    pub fn accumulate(&self, sums: &mut RowSums) {
        self.kinds().iter().for_each(|kind| kind.accumulate(sums));
    }

    /// All active contact points.
    pub fn active_points(&self) -> impl Iterator<Item = ContactPoint> {
        self.points_between(|_, _| true)
    }

    /// The active contact points of the pairs of bodies that are `wanted`.
    pub fn points_between(
        &self,
        wanted: impl Fn(u32, u32) -> bool + Copy,
    ) -> impl Iterator<Item = ContactPoint> {
        let points = [&self.points, &self.surfaces].into_iter();
        points
            .flat_map(move |points| points.points_between(wanted))
            .chain(self.balls.points_between(wanted))
    }

    /// The bodies of each active pair.
    pub fn touching_bodies(&self) -> impl Iterator<Item = (u32, u32)> {
        let points = [&self.points, &self.surfaces].into_iter();
        points
            .flat_map(PointContacts::touching_bodies)
            .chain(self.balls.touching_bodies())
    }

    /// The active contact points with the ground of balls that nothing else presses on, by the `sums`.
    pub fn lone_balls_on_ground<'a>(
        &'a self,
        sums: &'a [ImpulseAccumulator],
    ) -> impl Iterator<Item = ContactPoint> + 'a {
        let is_lone = |(a, b): (u32, u32)| sums[a.max(b) as usize].contacts() == 1.0;
        let balls = |points: &'a PointContacts| {
            points.active_points(|pairs| !pairs.class.has_capsule && pairs.on_ground.any())
        };
        let points = balls(&self.points).chain(balls(&self.surfaces));
        let points = points.filter(move |point| is_lone(point.slots));
        let plain = self.balls.lone_on_ground(sums);
        points.chain(plain).filter(ContactPoint::is_on_ground)
    }

    /// The contact points of a pair.
    pub fn points_of(&self, at: LaneIndex) -> impl Iterator<Item = ContactPoint> {
        let LaneIndex { store, group, lane } = at;
        let (ball, points) = match store {
            Store::Balls => (self.balls.point_of(group, lane), None),
            Store::Points => (None, Some(self.points.points_of(group, lane))),
            Store::Surfaces => (None, Some(self.surfaces.points_of(group, lane))),
        };
        ball.into_iter().chain(points.into_iter().flatten())
    }

    /// The number of active contact points of a pair.
    pub fn count_points_of(&self, at: LaneIndex) -> usize {
        let LaneIndex { store, group, lane } = at;
        match store {
            Store::Balls => usize::from(self.balls.point_of(group, lane).is_some()),
            Store::Points => self.points.count_points_of(group, lane),
            Store::Surfaces => self.surfaces.count_points_of(group, lane),
        }
    }

    /// The impulses of a pair.
    pub fn stored_impulse(&self, at: LaneIndex) -> StoredImpulse {
        match at.store {
            // Most pairs are balls: this path is the shortest.
            Store::Balls => self.balls.stored_impulse(at.group, at.lane),
            Store::Points | Store::Surfaces => stored(self.points_of(at)),
        }
    }

    /// Sets the impulses of a contact point.
    pub fn set_impulse(&mut self, at: LaneIndex, feature: u32, new: &StoredImpulse) {
        let LaneIndex { store, group, lane } = at;
        match store {
            Store::Balls => self.balls.set_impulse(group, lane, new),
            Store::Points => self.points.set_impulse(group, lane, feature, new),
            Store::Surfaces => self.surfaces.set_impulse(group, lane, feature, new),
        }
    }
}

impl PackingInput<'_> {
    pub fn class_of(&self, a: usize, b: usize) -> PairClass {
        let has_terms = || {
            let (rolling, spinning, grows) =
                self.extensions.of_pair(self.bodies, self.config, a, b);
            rolling > 0.0 || spinning > 0.0 || grows
        };
        let is_extended =
            has_moving_surface(self.bodies, a, b) || (self.extensions.can_be() && has_terms());
        PairClass::of(self.bodies, a, b, is_extended)
    }

    /// The bodies of pair `k`, the plane or collider second.
    pub fn bodies_of(&self, k: u32) -> (u32, u32) {
        let (a, b) = self.pairs[k as usize];
        if is_ground(self.bodies, a as usize) {
            (b, a)
        } else {
            (a, b)
        }
    }

    /// Pair `k` of a cell whose solver bodies start at `first`.
    pub fn coloring_entry(&self, k: u32, first: usize) -> ColoringEntry {
        let slot = |i: u32| match !self.bodies.moves(i as usize) {
            true => 0,
            false => (self.layout.solver_index(i as usize) - first) as u32,
        };
        let (a, b) = self.bodies_of(k);
        ColoringEntry {
            pair: k,
            slots: (slot(a), slot(b)),
            are_pushed: (
                self.bodies.is_dynamic(a as usize),
                self.bodies.is_dynamic(b as usize),
            ),
        }
    }

    pub fn entry(
        &self,
        &ColoringEntry {
            pair,
            slots,
            are_pushed,
        }: &ColoringEntry,
        class: PairClass,
    ) -> PairEntry {
        let (bodies, config) = (self.bodies, self.config);
        let (a, b) = self.bodies_of(pair);
        let mut entry = PairEntry {
            pair,
            bodies: (a, b),
            slots,
            are_pushed,
            friction: bodies.friction_of(config.friction, a as usize, b as usize),
            impulse: self
                .impulses
                .get(pair as usize)
                .copied()
                .unwrap_or_default(),
            ..PairEntry::NONE
        };
        if class.is_extended {
            (entry.rolling_friction, entry.spinning_friction, entry.grows) = self
                .extensions
                .of_pair(bodies, config, a as usize, b as usize);
            entry.has_moving_surface = has_moving_surface(bodies, a as usize, b as usize);
        }
        entry
    }
}

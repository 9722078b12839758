//! The constraint graph: the constraint and the cell of each pair, and the solver's records of the bodies.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use bevy::prelude::*;
use glam::DVec3;

use super::{
    accumulator::ImpulseAccumulator,
    carried::Carried,
    cell::{ContactCell, PackingInput},
    class::Extensions,
    constraints::Constraints,
    entry::{BallGroup, StoredImpulse},
    handle::ConstraintHandle,
    places::Places,
    pose::{Aside, BodyExtras, SolverInertia, SolverPose},
    rows::{Given, HalfImpulse, RowInput},
    sleeping::{SleepingContacts, SleepingPair},
    substep::Substep,
    surface::SurfaceMemory,
    surface_search::SurfaceSearch,
    touching::Touching,
    velocity::SolverVelocity,
    view::ContactPoint,
};
use crate::{
    body::{Bodies, Growing, PerBody, Renumbered},
    collision::{BroadPhase, index_of_pair},
    config::{CollisionConfig, MaterialRule},
    parallel::{fill_chunks, for_each},
    shape::{Shape, geometry::Core},
    solver::{
        impact::Impacts,
        partition::{CellLayout, Cells, Partition},
    },
};

/// Greatest correction of a ball's way along a curved surface's normal, as a fraction of its radius.
const LARGEST_CORRECTION: f32 = 1e-2;

/// Contacts with colliders whose ends one task corrects.
const ENDS_PER_TASK: usize = 16;

/// Bodies, or pairs, that one task works on.
pub(super) const PER_TASK: usize = 2048;

/// The contacts of all pairs. A pair keeps its constraint until the broad phase finds all pairs anew, or until a pair falls asleep
/// or wakes.
#[derive(Debug, Default)]
pub(crate) struct ContactGraph {
    /// Revision of the broad phase, number of the partition's cut, and the friction rules, for which the constraints were made.
    pub(super) packed_for: Option<(u64, u64, ([MaterialRule; 3], u64))>,
    extensions: Extensions,
    /// The pairs, of which the first `sorted` are sorted, and the entities of the bodies.
    pub(super) pairs: Vec<(u32, u32)>,
    pub(super) sorted: usize,
    pub(super) entities: Vec<Entity>,
    /// Revision of the bodies at the last update.
    made_for: u64,
    /// Number of the broad phase's pairs that have gone from here too, and of its bodies that have fallen asleep or woken.
    pub(super) gone: usize,
    flipped: usize,
    /// The packed handle of each pair's constraint.
    pub(super) handles: Vec<AtomicU64>,
    pub(super) cells: Cells<ContactCell>,
    pub(super) places: Places,
    pub(super) poses: PerBody<SolverPose>,
    inertias: PerBody<SolverInertia>,
    extras: PerBody<BodyExtras>,
    belts: PerBody<Vec4>,
    asides: PerBody<Aside>,
    /// Velocities of the free bodies, cell by cell. The first velocity of each cell is the ground's.
    pub(super) velocities: Vec<SolverVelocity>,
    /// Growth speeds in the same order; empty in a world without growth.
    pub(super) growth_speeds: Vec<f32>,
    pub(super) sums: Vec<ImpulseAccumulator>,
    /// What constraints other than contacts have given in the last substep; of sleepers, in their last one.
    pub(super) given: Vec<Given>,
    /// The bodies that they have given something, with the sums of the velocity changes in m/s and rad/s. Sorted.
    given_to: Vec<(u32, f32, f32)>,
    /// What constraints give that act in halves of a substep: the first half, sorted by body.
    halves: Vec<HalfImpulse>,
    /// Buffer: what acts on each group of bodies that hold each other.
    groups: Vec<HeldGroup>,
    /// Whether each pair touches.
    pub(super) touches: Vec<AtomicBool>,
    pub(super) touching: Touching,
    pub(super) sleeping: SleepingContacts,
    /// The impulses of the contacts with colliders.
    pub(super) surfaces: SurfaceMemory,
    surface_search: SurfaceSearch,
    /// The bodies on curved surfaces, and the acceleration in m/s² with which the surface turns each. Sorted.
    turning: Vec<(u32, f32)>,
    /// Buffer: the contacts of these bodies, and the changes of their velocities.
    ends: Vec<(ContactPoint, Option<Vec3>)>,
    /// The impulses of each pair from before it had its constraint.
    pub(super) impulses: Vec<StoredImpulse>,
    pub(super) impulses_before: Vec<StoredImpulse>,
    /// Buffer of the impulse transfer: the incremental pairs, sorted, each with its index.
    pub(super) incremental: Vec<((u32, u32), usize)>,
    /// Of contacts that have no constraints yet, because the world goes on from a snapshot.
    pub(super) carried: Option<Carried>,
}

/// The most that contacts press on a group of bodies in the next substep too, over what fields give it.
const MOST_LASTING: f64 = 2.0;

/// What acts on bodies that hold each other, in N·s.
#[derive(Clone, Copy, Debug, Default)]
struct HeldGroup {
    /// The sum of the contacts' impulses.
    by_contacts: DVec3,
    /// The sum of the fields' magnitudes.
    by_fields: f64,
}

impl ContactGraph {
    /// Forgets all contacts and impulses.
    pub fn clear(&mut self) {
        self.packed_for = None;
        self.pairs.clear();
        self.sorted = 0;
        self.handles.clear();
        self.places.clear();
        self.impulses.clear();
        self.sums.clear();
        self.given.clear();
        self.given_to.clear();
        self.halves.clear();
        // The partition may be cut anew before the stage runs again.
        self.cells = Cells::default();
        self.touching.clear();
        self.sleeping.clear();
        self.surfaces.clear();
        self.carried = None;
    }

    /// Gives each pair a constraint with its impulses of the last substep.
    pub fn update(
        &mut self,
        bodies: &Bodies,
        config: &CollisionConfig,
        broad_phase: &BroadPhase,
        partition: &Partition,
    ) {
        let rules = [
            config.friction,
            config.rolling_friction,
            config.spinning_friction,
        ];
        let rules = (rules, bodies.friction_revision);
        let packed_for = Some((broad_phase.revision, partition.cut, rules));
        if self.packed_for != packed_for {
            self.take_over_impulses(bodies, broad_phase);
            self.packed_for = packed_for;
            self.carried = None;
            self.cells.resize(&partition.layout);
            self.cells.iter_mut().for_each(ContactCell::clear);
            self.handles.clear();
            self.places.clear();
            self.extensions = Extensions::of(bodies, config);
        } else {
            let mut kept = Vec::new();
            let is_renewed = self.made_for != bodies.renewal.revision();
            if is_renewed || self.gone != broad_phase.gone.len() {
                kept = self.take_out_pairs(bodies, broad_phase);
                // Masses decide on places. Of the other pairs these have not changed.
                self.places.clear();
            }
            if is_renewed {
                // So do growth and materials on optional terms.
                self.extensions = Extensions::of(bodies, config);
            }
            let (pairs, first) = (&broad_phase.pairs, self.pairs.len());
            self.impulses.resize(pairs.len(), default());
            self.pairs.extend_from_slice(&pairs[first..]);
            self.give_back_impulses(first, &kept);
            if self.flipped != broad_phase.flipped.len() {
                self.exchange_sleepers(bodies, first, &kept);
            }
        }
        self.flipped = broad_phase.flipped.len();
        self.gone = broad_phase.gone.len();
        self.made_for = bodies.renewal.revision();
        self.places.update(bodies, &self.pairs);
        self.add_constraints(bodies, config, partition);
    }

    /// Takes out the constraints of the pairs that have gone since the last update. Returns the impulses of those whose bodies are
    /// there, sorted: such a pair may come back.
    fn take_out_pairs(
        &mut self,
        bodies: &Bodies,
        broad_phase: &BroadPhase,
    ) -> Vec<(Renumbered, StoredImpulse)> {
        let mut kept = Vec::new();
        for &k in broad_phase.gone.get(self.gone..).unwrap_or_default() {
            let before = k as usize;
            // A pair may have come and gone since the last update.
            let Some(&pair) = self.pairs.get(before) else {
                continue;
            };
            let impulse = self.stored_impulse(before);
            if impulse.is_active() {
                let renumbered = bodies.renumbered(&self.entities, before, pair);
                kept.extend(renumbered.map(|found| (found, impulse.renumbered(bodies, &found))));
            }
            if let Some(ConstraintHandle { cell, at }) = self.handle(before) {
                self.cells.get_mut(cell).take_out(at);
            }
            *self.handles[before].get_mut() = ConstraintHandle::NONE;
            self.impulses[before] = StoredImpulse::INACTIVE;
        }
        for &k in &broad_phase.gone {
            if let Some(pair) = self.pairs.get_mut(k as usize) {
                *pair = broad_phase.pairs[k as usize];
            }
        }
        let pairs = &self.pairs;
        self.cells
            .iter_mut()
            .for_each(|cell| cell.forget_gone(pairs));
        if self.entities != bodies.entity {
            self.sleeping
                .leave_out_gone(bodies, &self.entities, &self.surfaces);
            self.entities.clone_from(&bodies.entity);
        }
        kept.sort_unstable_by_key(|(found, _)| (found.pair, found.before));
        kept
    }

    /// Gives the pairs from number `first` on the impulses that they had under other numbers.
    fn give_back_impulses(&mut self, first: usize, kept: &[(Renumbered, StoredImpulse)]) {
        if kept.is_empty() {
            return;
        }
        for (pair, impulse) in self.pairs.iter().zip(&mut self.impulses).skip(first) {
            if let Ok(at) = kept.binary_search_by_key(pair, |(found, _)| found.pair) {
                *impulse = kept[at].1;
            }
        }
    }

    /// Gives the pairs from number `first` on that have woken the impulses with which they slept, and takes those that have fallen
    /// asleep, of the pairs that were taken out.
    fn exchange_sleepers(
        &mut self,
        bodies: &Bodies,
        first: usize,
        kept: &[(Renumbered, StoredImpulse)],
    ) {
        let asleep = kept.iter().filter(|(found, _)| bodies.are_held(found.pair));
        let asleep = asleep.map(|&(found, impulse)| SleepingPair {
            pair: found.pair,
            impulse,
        });
        self.surfaces.exchange(bodies);
        self.sleeping.exchange(
            bodies,
            &self.pairs[first..],
            &mut self.impulses[first..],
            asleep.collect(),
            &self.surfaces,
        );
    }

    /// Makes constraints for the pairs that have none yet.
    fn add_constraints(
        &mut self,
        bodies: &Bodies,
        config: &CollisionConfig,
        partition: &Partition,
    ) {
        if self.handles.len() == self.pairs.len() {
            return;
        }
        self.handles
            .resize_with(self.pairs.len(), || AtomicU64::new(ConstraintHandle::NONE));
        let handles = &self.handles;
        let input = PackingInput {
            bodies,
            config,
            extensions: self.extensions,
            layout: &partition.layout,
            pairs: &self.pairs,
            impulses: &self.impulses,
        };
        let cells = self.cells.iter_mut().zip(partition.pairs.iter());
        for_each(cells.enumerate(), |(number, (cell, own))| {
            let first = cell.len();
            cell.add(&input, number, own);
            cell.write_handles(number, first, handles);
        });
    }

    /// The pairs of a cell, if they are the broad phase's present pairs: the groups of balls, and indices of the other pairs.
    pub(in crate::solver) fn pairs_of_cell(
        &self,
        broad_phase: &BroadPhase,
        cell: usize,
    ) -> Option<(impl Iterator<Item = BallGroup<'_>>, &[u32])> {
        let (revision, ..) = self.packed_for?;
        if revision != broad_phase.revision || self.pairs.len() != broad_phase.pairs.len() {
            return None;
        }
        let cell = self.cells.get(cell);
        Some((cell.ball_groups(), &cell.others))
    }

    /// The handle of pair `k`; a sleeping pair has none.
    pub(super) fn handle(&self, k: usize) -> Option<ConstraintHandle> {
        let packed = self.handles.get(k)?;
        ConstraintHandle::unpack(packed.load(Relaxed))
    }

    /// The present impulses of pair `k`. A sleeping pair keeps the impulses with which it fell asleep.
    pub(super) fn stored_impulse(&self, k: usize) -> StoredImpulse {
        match self.handle(k) {
            Some(handle) => self.cells.get(handle.cell).stored_impulse(handle.at),
            None if self.surfaces.is_empty() => self.impulses[k],
            None => {
                let (a, b) = self.pairs[k];
                let [a, b] = [a, b].map(|i| self.entities.get(i as usize).copied());
                match (a, b) {
                    (Some(a), Some(b)) => self.surfaces.sum_of_any((a, b), self.impulses[k]),
                    _ => self.impulses[k],
                }
            }
        }
    }

    /// The index of a pair of bodies, the lower first.
    pub(super) fn index_of_pair(&self, pair: (u32, u32)) -> Option<usize> {
        index_of_pair(&self.pairs, self.sorted, pair)
    }

    /// Makes the constraints with colliders anew.
    pub(super) fn find_surfaces(
        &mut self,
        bodies: &Bodies,
        config: &CollisionConfig,
        substep: &Substep,
        impacts: &Impacts,
        layout: &CellLayout,
    ) {
        let input = PackingInput {
            bodies,
            config,
            extensions: self.extensions,
            layout,
            pairs: &self.pairs,
            impulses: &[],
        };
        self.surface_search
            .run(&mut self.cells, &input, substep, impacts, &self.surfaces);
        self.turning.clear();
        let turning = self.cells.iter().flat_map(|cell| cell.turning(substep.h));
        let turning = turning.map(|(i, turning)| (bodies.whole_of(i as usize) as u32, turning));
        self.turning.extend(turning);
        self.turning
            .sort_unstable_by(|one, other| one.0.cmp(&other.0).then(other.1.total_cmp(&one.1)));
    }

    /// The acceleration in m/s² with which a curved surface turns body `i`.
    pub(super) fn turning_of(&self, i: usize) -> f32 {
        if self.turning.is_empty() {
            return 0.0;
        }
        let first = self
            .turning
            .partition_point(|&(body, _)| (body as usize) < i);
        let found = self
            .turning
            .get(first)
            .filter(|&&(body, _)| body as usize == i);
        found.map_or(0.0, |&(_, turning)| turning)
    }

    /// Sums for each body how much the constraints other than contacts have changed its velocity and its angular velocity.
    pub(super) fn list_given(&mut self, bodies: &Bodies, layout: &CellLayout) {
        self.given_to.clear();
        self.list_groups(bodies, layout);
        for (entity, impulse, angular) in self.given.iter().flat_map(Given::pushes) {
            if let Some(i) = bodies.index_of(entity).filter(|&i| bodies.responds(i)) {
                let dv = impulse.length() * bodies.inverse_mass[i];
                let dw = bodies.inverse_inertia[i].mul(bodies.flight_rotation[i], angular);
                self.given_to.push((i as u32, dv, dw.length()));
            }
        }
        for half in &self.halves {
            let lasting = self.lasting_part(half);
            // The second half is much the same.
            let [dv, dw] = (half.changes(bodies)).map(|dv| 2.0 * lasting * dv.length() as f32);
            self.given_to.push((half.body as u32, dv, dw));
        }
        self.given_to.sort_by_key(|&(body, ..)| body);
        self.given_to.dedup_by(|one, first| {
            let is_same = one.0 == first.0;
            if is_same {
                (first.1, first.2) = (first.1 + one.1, first.2 + one.2);
            }
            is_same
        });
    }

    /// Sums the contacts' impulses on each group of bodies that hold each other.
    fn list_groups(&mut self, bodies: &Bodies, layout: &CellLayout) {
        self.groups.clear();
        for half in &self.halves {
            let Some(group) = half.group else { continue };
            if self.groups.len() <= group {
                self.groups.resize(group + 1, HeldGroup::default());
            }
            let (impulse, _) = self.sum_of(layout, half.body).about(Vec3::ZERO);
            let mass = f64::from(bodies.mass[half.body]);
            let field = bodies.acceleration[half.body].length();
            let of = &mut self.groups[group];
            of.by_contacts += impulse;
            of.by_fields += mass * field * f64::from(bodies.h);
        }
    }

    /// The part of what a constraint gives a body that it may give in the next substep too. Contacts that stop a group of bodies
    /// press on them only now; those that bear their weight go on.
    fn lasting_part(&self, half: &HalfImpulse) -> f32 {
        let Some(group) = half.group else { return 1.0 };
        let HeldGroup {
            by_contacts,
            by_fields,
        } = self.groups[group];
        match half.is_sudden {
            true => 0.0,
            false => (MOST_LASTING * by_fields / by_contacts.length()).min(1.0) as f32,
        }
    }

    /// Takes the first half of what constraints give that act in halves of a substep.
    pub(super) fn take_halves(&mut self, constraints: &mut Constraints) {
        let halves = &mut self.halves;
        halves.clear();
        constraints.give_first_half(|half| halves.push(half));
        halves.sort_by_key(|half| half.body);
        halves.dedup_by(|one, first| {
            let is_same = one.body == first.body;
            if is_same {
                first.impulse += one.impulse;
                first.angular += one.angular;
            }
            is_same
        });
    }

    /// Gives it to the bodies.
    pub(super) fn give_halves(&self, bodies: &mut Bodies) {
        for half in &self.halves {
            let [dv, dw] = half.changes(bodies);
            bodies.velocity[half.body] += dv;
            bodies.angular_velocity[half.body] += dw;
        }
    }

    /// What constraints give body `i` in the first half of the substep.
    pub(super) fn half_of(&self, i: usize) -> Option<&HalfImpulse> {
        let found = self.halves.binary_search_by_key(&i, |half| half.body);
        found.ok().map(|at| &self.halves[at])
    }

    /// The bodies that constraints give something in halves.
    pub(super) fn halves(&self) -> &[HalfImpulse] {
        &self.halves
    }

    /// The same, to change.
    pub(super) fn halves_mut(&mut self) -> &mut [HalfImpulse] {
        &mut self.halves
    }

    /// How much constraints other than contacts have changed the velocity and the angular velocity of body `i`.
    pub(super) fn given_to(&self, i: usize) -> (f32, f32) {
        let found = self
            .given_to
            .binary_search_by_key(&(i as u32), |&(body, ..)| body);
        found.map_or((0.0, 0.0), |at| (self.given_to[at].1, self.given_to[at].2))
    }

    /// Corrects the velocities of balls that roll on a curved surface, and touch nothing else, so that each ends the substep on the
    /// surface. The bend of the surface was found for the friction of the last substep, which is not quite that of this one; the
    /// projection would push the ball out, and the ball would slow down.
    pub(super) fn correct_ends(&mut self, bodies: &mut Bodies, layout: &CellLayout) {
        let mut ends = std::mem::take(&mut self.ends);
        ends.clear();
        if !self.turning.is_empty() {
            ends.extend(
                self.cells
                    .iter()
                    .flat_map(ContactCell::surface_points)
                    .map(|contact| (contact, None)),
            );
        }
        let read: &Bodies = bodies;
        for_each(ends.chunks_mut(ENDS_PER_TASK), |ends| {
            for (contact, correction) in ends {
                *correction = self.end_correction(read, layout, contact);
            }
        });
        for (contact, correction) in &ends {
            if let Some(correction) = correction {
                let ball = bodies.whole_of(contact.a as usize);
                bodies.velocity[ball] += correction.as_dvec3();
            }
        }
        self.ends = ends;
    }

    /// The change of velocity that [`correct_ends`](Self::correct_ends) gives a ball.
    fn end_correction(
        &self,
        bodies: &Bodies,
        layout: &CellLayout,
        contact: &ContactPoint,
    ) -> Option<Vec3> {
        let (i, collider) = (contact.a as usize, contact.b as usize);
        if bodies.is_aside(i) {
            return None;
        }
        let is_alone = self.turning_of(bodies.whole_of(i)) > 0.0
            && contact.normal_impulse > 0.0
            && self.sum_of(layout, i).contacts() == 1.0;
        let (Shape::Particle { radius }, true) = (bodies.shape[i], bodies.is_static(collider))
        else {
            return None;
        };
        let geometry = bodies.geometry[collider].get().filter(|_| is_alone)?;
        let rotation = bodies.rotation[collider];
        let way = bodies.velocity[i] * f64::from(bodies.h);
        let end = bodies.position[i] + bodies.flight_shift[i].as_dvec3() + way;
        let frame = (bodies.position[collider].as_vec3(), rotation);
        let core = Core::in_frame((end, Vec3::ZERO), radius, frame);
        let normal = rotation.inverse() * contact.normal;
        let most = LARGEST_CORRECTION * radius;
        let gap = geometry.gap_along(&core, normal, most)?;
        let excess = gap + contact.depth.max(0.0);
        (excess.abs() < most).then(|| contact.normal * (-excess / bodies.h))
    }

    /// Keeps the impulses of the contacts with colliders for the next substep.
    pub(super) fn remember_surfaces(&mut self, bodies: &Bodies) {
        let cells = self.cells.iter();
        let contacts = cells.flat_map(|cell| cell.surface_contacts(bodies));
        self.surfaces.remember(contacts);
    }

    /// Brings all constraints up to date with the bodies.
    pub(super) fn prepare(
        &mut self,
        constraints: &mut Constraints,
        bodies: &Bodies,
        substep: Substep,
        impacts: &Impacts,
        layout: &CellLayout,
    ) {
        self.poses.update(bodies, PER_TASK, SolverPose::NONE, |i| {
            SolverPose::of(bodies, i, impacts.unresolved(i))
        });
        layout.fill(&mut self.velocities, SolverVelocity::GROUND, |i| {
            SolverVelocity::of(bodies, i)
        });
        if self.cells.iter().any(ContactCell::has_points) {
            (self.inertias).update(bodies, PER_TASK, SolverInertia::NONE, |i| {
                SolverInertia::of(bodies, i)
            });
        } else {
            self.inertias.clear();
        }
        self.growth_speeds.clear();
        if self.extensions.can_be() {
            self.extras.update(bodies, PER_TASK, BodyExtras::NONE, |i| {
                BodyExtras::of(bodies, i)
            });
            if bodies.growth.iter().any(|&growth| growth != Growing::NONE) {
                layout.fill(&mut self.growth_speeds, 0.0, |i| bodies.growth[i].speed);
            }
        } else {
            self.extras.clear();
        }
        if bodies.have_belts {
            self.belts.update(bodies, PER_TASK, Vec4::ZERO, |i| {
                bodies.belt_velocity(i).extend(0.0)
            });
        } else {
            self.belts.clear();
        }
        if bodies.parts.is_empty() {
            self.asides.clear();
        } else {
            (self.asides).update(bodies, PER_TASK, Aside::NONE, |i| Aside::of(bodies, i));
        }
        let input = RowInput {
            bodies,
            layout,
            substep,
            poses: &self.poses,
            inertias: &self.inertias,
            extras: &self.extras,
            belts: &self.belts,
            asides: &self.asides,
            velocities: &self.velocities,
            growth_speeds: &self.growth_speeds,
        };
        for_each(self.cells.iter_mut().enumerate(), |(number, cell)| {
            let first = layout.range(number).start;
            cell.prepare(&RowInput {
                velocities: &input.velocities[first..],
                growth_speeds: input.growth_speeds.get(first..).unwrap_or_default(),
                ..input
            });
        });
        constraints.prepare(&input);
    }

    /// Lists the pairs that touch.
    pub(super) fn list_touching(&mut self) {
        self.touching.list(&self.touches, &self.pairs, self.sorted);
    }

    /// Adds the awake pairs that touch to a list, sorted: indices of their bodies, the lower first. A pair may come twice.
    pub(crate) fn extend_with_touching(&self, list: &mut Vec<(u32, u32)>) {
        self.touching.add_to(list);
    }

    /// The contacts of the pairs that sleep.
    pub(crate) fn sleeping(&self) -> &SleepingContacts {
        &self.sleeping
    }

    /// Starts the sums anew, with no pair touching.
    pub(super) fn begin_sums(&mut self, bodies: &Bodies) {
        let none = ImpulseAccumulator::default();
        let count = self.velocities.len();
        fill_chunks(count, PER_TASK, &mut self.sums, none, |_| none);
        let index_of = |entity: &Entity| bodies.index_of(*entity);
        self.given.retain(|given| {
            let mut of = given.bodies.iter().filter_map(index_of);
            of.all(|i| !bodies.moves(i))
        });
        self.touches
            .resize_with(self.pairs.len(), AtomicBool::default);
        for_each(self.touches.chunks_mut(PER_TASK), |touches| {
            for touches in touches {
                *touches.get_mut() = false;
            }
        });
    }

    /// The sum of the impulses on a free body.
    pub(super) fn sum_of(&self, layout: &CellLayout, i: usize) -> ImpulseAccumulator {
        self.sums
            .get(layout.solver_index(i))
            .copied()
            .unwrap_or_default()
    }

    /// All active contact points.
    pub(super) fn active_points(&self) -> impl Iterator<Item = ContactPoint> {
        self.cells.iter().flat_map(ContactCell::active_points)
    }

    /// Lists all active contact points, each with the number of its cell.
    pub(super) fn collect_active_points(&self, points: &mut Vec<(usize, ContactPoint)>) {
        points.clear();
        for (number, cell) in self.cells.iter().enumerate() {
            points.extend(cell.active_points().map(|point| (number, point)));
        }
    }

    /// The active contact points of pair `k`, each with the number of its cell. Contacts with colliders are not among them.
    pub(super) fn points_of(&self, k: u32) -> impl Iterator<Item = (usize, ContactPoint)> {
        let handle = self.handle(k as usize);
        handle
            .into_iter()
            .flat_map(|ConstraintHandle { cell, at }| {
                let points = self.cells.get(cell).points_of(at);
                points.map(move |point| (cell, point))
            })
    }

    /// The number of active contact points of pair `k`. Contacts with colliders do not count.
    pub(super) fn count_points_of(&self, k: u32) -> usize {
        let handle = self.handle(k as usize);
        handle.map_or(0, |ConstraintHandle { cell, at }| {
            self.cells.get(cell).count_points_of(at)
        })
    }

    /// Sets the impulses of a contact point of a cell.
    pub(super) fn set_impulse(&mut self, cell: usize, point: &ContactPoint, new: &StoredImpulse) {
        let cell = self.cells.get_mut(cell);
        cell.set_impulse(point.at, point.feature, new);
    }

    /// The active contact points with the ground of balls that nothing else presses on.
    pub(super) fn lone_balls_on_ground<'a>(
        &'a self,
        layout: &'a CellLayout,
    ) -> impl Iterator<Item = ContactPoint> {
        let cells = self.cells.iter().enumerate();
        cells.flat_map(move |(number, cell)| {
            let first = layout.range(number).start;
            let sums = self.sums.get(first..).unwrap_or_default();
            let lone = cell.lone_balls_on_ground(sums);
            lone.filter(|point| {
                let of = [point.a, point.b];
                of.iter().all(|&i| self.half_of(i as usize).is_none())
            })
        })
    }

    /// The first contact point of a pair of bodies, the lower first, if it is active.
    pub(super) fn first_point_of(&self, pair: (u32, u32)) -> Option<ContactPoint> {
        match self.handle(self.index_of_pair(pair)?) {
            Some(handle) => self.cells.get(handle.cell).points_of(handle.at).next(),
            None => {
                let is_of =
                    |point: &ContactPoint| (point.a.min(point.b), point.a.max(point.b)) == pair;
                let mut surfaces = self.cells.iter().flat_map(ContactCell::surface_points);
                surfaces.find(is_of)
            }
        }
    }

    /// Greatest excess in m/s of a contact's closing speed over its allowed closing speed, with the present velocities.
    pub fn residual(&self, bodies: &Bodies) -> f32 {
        let closing = self.active_points().map(|contact| {
            let point = contact.point(&self.poses).point;
            let velocity = |i: u32| bodies.velocity_at(i as usize, point);
            let v = velocity(contact.a) - velocity(contact.b);
            v.dot(contact.normal) + contact.closing_allowed
        });
        -closing.fold(0.0, f32::min)
    }
}

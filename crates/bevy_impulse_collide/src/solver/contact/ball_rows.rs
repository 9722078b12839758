//! The constraints of balls of one cell: which of them are active, and the verbs over all of them.

use std::{ops::Range, sync::atomic::Ordering::Relaxed};

use fearless_simd::dispatch;

use super::{
    accumulator::ImpulseAccumulator,
    ball::{BallContacts, BallPairs, SIDE_BY_SIDE, sweep},
    entry::{BallGroup, EntryGroup, StoredImpulse},
    rows::{RowInput, RowSums, RowVelocities, Rows},
    view::ContactPoint,
};
use crate::solver::{simd::LANES, simd_limit::level};

/// Contacts of balls with balls, and of balls with planes.
#[derive(Debug, Default)]
pub(super) struct BallRows {
    contacts: Vec<BallContacts>,
    pairs: Vec<BallPairs>,
    /// Indices of the constraints with active contacts, and the runs of `active` that are swept side by side.
    active: Vec<u32>,
    side_by_side: Vec<Range<usize>>,
    /// Indices of the constraints that have a contact with the ground.
    on_ground: Vec<u32>,
    /// Number of colours.
    color_count: u32,
}

impl BallRows {
    /// Forgets all pairs.
    pub fn clear(&mut self) {
        self.color_count = 0;
        self.active.clear();
        self.on_ground.clear();
        self.contacts.clear();
        self.pairs.clear();
    }

    /// The number of constraints.
    pub fn len(&self) -> usize {
        self.contacts.len()
    }

    /// Adds a group of pairs; `is_new` if it begins another colour.
    pub fn add(&mut self, group: &EntryGroup, on_plane: bool, is_new: bool) {
        self.color_count += u32::from(is_new);
        let (contacts, of) = BallContacts::pack(group, on_plane, self.color_count);
        if of.has_ground() {
            self.on_ground.push(self.contacts.len() as u32);
        }
        self.contacts.push(contacts);
        self.pairs.push(of);
    }

    /// Takes the pair out of a lane.
    pub fn take_out(&mut self, group: usize, lane: usize) {
        self.contacts[group].take_out(&mut self.pairs[group], lane);
    }

    /// The pairs of each lane of the constraints from number `first` on.
    pub fn pairs_from(&self, first: usize) -> impl Iterator<Item = (usize, &[u32; LANES])> {
        let pairs = self.pairs.iter().enumerate().skip(first);
        pairs.map(|(group, pairs)| (group, &pairs.pair))
    }

    /// The constraints, for the projection stage.
    pub fn groups(&self) -> impl Iterator<Item = BallGroup<'_>> {
        let groups = self.pairs.iter().zip(&self.contacts);
        groups.map(|(pairs, contacts)| pairs.view(contacts))
    }

    /// The contact point of a lane, if it is active.
    pub fn point_of(&self, group: usize, lane: usize) -> Option<ContactPoint> {
        let (contacts, pairs) = (&self.contacts[group], &self.pairs[group]);
        (pairs.has_active(lane)).then(|| contacts.point(pairs, group, lane))
    }

    /// The impulses of a lane.
    pub fn stored_impulse(&self, group: usize, lane: usize) -> StoredImpulse {
        self.contacts[group].stored_impulse(&self.pairs[group], lane)
    }

    /// Sets the impulses of a lane.
    pub fn set_impulse(&mut self, group: usize, lane: usize, new: &StoredImpulse) {
        self.contacts[group].set_impulse(lane, new.normal, new.friction);
    }

    /// The active contact points of the pairs of bodies that are `wanted`.
    pub fn points_between(
        &self,
        wanted: impl Fn(u32, u32) -> bool + Copy,
    ) -> impl Iterator<Item = ContactPoint> {
        self.active.iter().flat_map(move |&k| {
            let group = k as usize;
            let (contacts, pairs) = (&self.contacts[group], &self.pairs[group]);
            let lanes = pairs.active();
            let lanes = lanes.filter(move |&lane| wanted(pairs.a[lane], pairs.b[lane]));
            lanes.map(move |lane| contacts.point(pairs, group, lane))
        })
    }

    /// The bodies of each active pair.
    pub fn touching_bodies(&self) -> impl Iterator<Item = (u32, u32)> {
        self.active.iter().flat_map(|&k| {
            let pairs = &self.pairs[k as usize];
            pairs.active().map(|lane| (pairs.a[lane], pairs.b[lane]))
        })
    }

    /// The active contact points with the ground of balls that nothing else presses on, by the `sums`.
    pub fn lone_on_ground<'a>(
        &'a self,
        sums: &'a [ImpulseAccumulator],
    ) -> impl Iterator<Item = ContactPoint> + 'a {
        let is_lone = |(a, b): (u32, u32)| sums[a.max(b) as usize].contacts() == 1.0;
        self.on_ground.iter().flat_map(move |&k| {
            let group = k as usize;
            let (contacts, pairs) = (&self.contacts[group], &self.pairs[group]);
            let lone = pairs
                .active()
                .filter(move |&lane| is_lone(contacts.slots(lane)));
            lone.map(move |lane| contacts.point(pairs, group, lane))
        })
    }
}

impl Rows for BallRows {
    fn prepare(&mut self, input: &RowInput) {
        let RowInput {
            substep,
            poses,
            velocities,
            ..
        } = input;
        self.active.clear();
        self.side_by_side.clear();
        let mut color = None;
        let groups = self.contacts.iter_mut().zip(&mut self.pairs);
        for (k, (contacts, pairs)) in groups.enumerate() {
            let is_active = dispatch!(level(), simd => if pairs.on_planes {
                contacts.prepare::<_, true>(simd, pairs, substep, poses, velocities)
            } else {
                contacts.prepare::<_, false>(simd, pairs, substep, poses, velocities)
            });
            if is_active {
                let at = self.active.len();
                self.active.push(k as u32);
                match self.side_by_side.last_mut() {
                    Some(some) if color == Some(pairs.color) && some.len() < SIDE_BY_SIDE => {
                        some.end = at + 1;
                    }
                    _ => self.side_by_side.push(at..at + 1),
                }
                color = Some(pairs.color);
            }
        }
    }

    fn warm_start(&mut self, velocities: &mut RowVelocities) {
        dispatch!(level(), simd => for &k in &self.active {
            self.contacts[k as usize].warm_start(simd, velocities.velocities);
        });
    }

    fn solve(&mut self, relaxation: f32, velocities: &mut RowVelocities) {
        dispatch!(level(), simd => for some in &self.side_by_side {
            let some = &self.active[some.clone()];
            sweep(simd, &mut self.contacts, some, relaxation, velocities.velocities);
        });
    }

    fn accumulate(&self, sums: &mut RowSums) {
        let RowSums {
            poses,
            sums,
            touches,
            ..
        } = sums;
        dispatch!(level(), simd => for &k in &self.active {
            let pairs = &self.pairs[k as usize];
            let touching = self.contacts[k as usize].accumulate(simd, pairs, poses, sums);
            for lane in touching.iter() {
                touches[pairs.pair[lane] as usize].store(true, Relaxed);
            }
        });
    }
}

//! The contacts of pairs that sleep. They have no constraint, and no stage visits them.

use bevy::prelude::*;
use smallvec::{SmallVec, smallvec};

use super::{
    class::{TOUCH, is_ground},
    entry::StoredImpulse,
    report::Contact,
    surface::{SurfaceMemory, take_nearest},
    view::are_touching,
};
use crate::{
    body::{Bodies, is_gone},
    collision::{ManifoldPoint, manifold},
    shape::smaller_radius,
};

/// A pair of which no body is moved by impulses, and the impulses with which it fell asleep.
#[derive(Clone, Copy, Debug)]
pub(super) struct SleepingPair {
    /// Indices of the bodies, the lower first.
    pub pair: (u32, u32),
    pub impulse: StoredImpulse,
}

/// A sleeping pair, its contacts, and the way to the other pairs of its bodies.
#[derive(Clone, Copy, Debug)]
struct Record {
    of: SleepingPair,
    is_gone: bool,
    touches: bool,
    /// Number of its first contact, and of its contacts.
    first: u32,
    count: u32,
    /// The record of each of its bodies before this one, or [`NONE`].
    before: [u32; 2],
}

/// No record.
const NONE: u32 = u32::MAX;

/// The records that are gone are thrown away when they are more than this, and more than the others.
const MOST_GONE: usize = 256;

/// The contacts of pairs that sleep. They do not change. A pair that falls asleep or wakes costs the same, however many others
/// sleep.
#[derive(Debug, Default)]
pub(crate) struct SleepingContacts {
    /// The pairs with an active contact.
    records: Vec<Record>,
    gone: usize,
    contacts: Vec<Contact>,
    /// The last record of each body, or [`NONE`].
    heads: Vec<u32>,
    /// Incremented when the pairs change.
    revision: u64,
}

impl SleepingContacts {
    pub(super) fn clear(&mut self) {
        if !self.records.is_empty() {
            *self = Self {
                revision: self.revision + 1,
                ..Self::default()
            };
        }
    }

    /// Whether no pair sleeps.
    pub(super) fn is_empty(&self) -> bool {
        self.records.len() == self.gone
    }

    fn records(&self) -> impl Iterator<Item = &Record> + Clone {
        self.records.iter().filter(|record| !record.is_gone)
    }

    fn contacts_of(&self, record: &Record) -> &[Contact] {
        &self.contacts[record.first as usize..][..record.count as usize]
    }

    /// The pairs with an active contact, sorted.
    pub(super) fn pairs(&self) -> Vec<SleepingPair> {
        let mut pairs: Vec<_> = self.records().map(|record| record.of).collect();
        // Stable: it is fast for a sorted list and a few more.
        pairs.sort_by_key(|sleeping| sleeping.pair);
        pairs
    }

    /// All contacts.
    pub(super) fn contacts(&self) -> impl Iterator<Item = &Contact> + Clone {
        self.records().flat_map(|record| self.contacts_of(record))
    }

    /// The pairs that touch, sorted: indices of their bodies, the lower first.
    pub(crate) fn touching(&self) -> Vec<(u32, u32)> {
        let touching = self.records().filter(|record| record.touches);
        let mut touching: Vec<_> = touching.map(|record| record.of.pair).collect();
        touching.sort();
        touching
    }

    /// Incremented when other pairs sleep.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// The numbers of the records of body `i`.
    fn of_body(&self, i: u32) -> impl Iterator<Item = usize> {
        let mut next = self.heads.get(i as usize).copied().unwrap_or(NONE);
        let all = std::iter::from_fn(move || {
            let k = next as usize;
            let record = self.records.get(k)?;
            next = record.before[usize::from(record.of.pair.1 == i)];
            Some(k)
        });
        all.filter(|&k| !self.records[k].is_gone)
    }

    /// The contacts of body `i`, with the indices of their bodies.
    pub(super) fn contacts_of_body(
        &self,
        i: u32,
    ) -> impl Iterator<Item = ((u32, u32), &[Contact])> {
        let records = self.of_body(i).map(|k| &self.records[k]);
        records.map(|record| (record.of.pair, self.contacts_of(record)))
    }

    /// The bodies that sleeping body `i` presses on.
    pub(crate) fn pressed_by(&self, i: u32) -> impl Iterator<Item = u32> {
        let presses = |contact: &Contact| contact.impulse != Vec3::ZERO;
        let of = self.contacts_of_body(i);
        let pressed = of.filter(move |(_, contacts)| contacts.iter().any(presses));
        pressed.map(move |((a, b), _)| if a == i { b } else { a })
    }

    fn find(&self, (a, b): (u32, u32)) -> Option<usize> {
        // Both lists are searched side by side, so it takes no longer than the shorter one.
        let (mut of_a, mut of_b) = (self.of_body(a), self.of_body(b));
        loop {
            let (one, other) = (of_a.next()?, of_b.next()?);
            let found = [one, other].into_iter();
            if let Some(k) = found
                .into_iter()
                .find(|&k| self.records[k].of.pair == (a, b))
            {
                return Some(k);
            }
        }
    }

    /// The contact with the ground of a ball, which has index `i` here, if it is its only one.
    pub(super) fn lone_contact_of(
        &self,
        bodies: &Bodies,
        ball: Entity,
        i: u32,
    ) -> Option<&Contact> {
        let contacts = self
            .of_body(i)
            .flat_map(|k| self.contacts_of(&self.records[k]));
        let mut pressing = contacts.filter(|contact| contact.impulse.dot(contact.normal) > 0.0);
        let contact = pressing.next()?;
        let is_lone = pressing.next().is_none();
        (is_lone && is_on_ground(bodies, ball, contact)).then_some(contact)
    }

    /// Takes these pairs, which are sorted, in place of all others.
    pub(super) fn replace(
        &mut self,
        bodies: &Bodies,
        pairs: Vec<SleepingPair>,
        surfaces: &SurfaceMemory,
    ) {
        *self = Self {
            revision: self.revision + 1,
            ..Self::default()
        };
        for sleeping in pairs {
            self.add(bodies, sleeping, surfaces);
        }
    }

    fn add(&mut self, bodies: &Bodies, of: SleepingPair, surfaces: &SurfaceMemory) {
        let (first, mut touches) = (self.contacts.len(), false);
        list_contacts(bodies, [of].into_iter(), surfaces, |_, contact| {
            touches |= contact.is_touching;
            self.contacts.push(contact);
        });
        self.push(Record {
            of,
            is_gone: false,
            touches,
            first: first as u32,
            count: (self.contacts.len() - first) as u32,
            before: [NONE; 2],
        });
    }

    fn push(&mut self, mut record: Record) {
        let (a, b) = record.of.pair;
        let bodies = a.max(b) as usize + 1;
        if self.heads.len() < bodies {
            self.heads.resize(bodies, NONE);
        }
        let k = self.records.len() as u32;
        for (i, before) in [a, b].into_iter().zip(&mut record.before) {
            *before = std::mem::replace(&mut self.heads[i as usize], k);
        }
        self.records.push(record);
    }

    fn take_out(&mut self, k: usize) {
        let is_gone = &mut self.records[k].is_gone;
        if !std::mem::replace(is_gone, true) {
            self.gone += 1;
        }
    }

    /// Throws the records away that are gone, if they are many, and sorts the others.
    fn tidy(&mut self) {
        if self.gone <= MOST_GONE.max(self.records.len() / 2) {
            return;
        }
        let mut records: Vec<Record> = self.records().copied().collect();
        records.sort_by_key(|record| record.of.pair);
        let contacts = std::mem::take(&mut self.contacts);
        *self = Self {
            revision: self.revision,
            ..Self::default()
        };
        for record in records {
            let of = &contacts[record.first as usize..][..record.count as usize];
            let first = self.contacts.len() as u32;
            self.contacts.extend_from_slice(of);
            self.push(Record { first, ..record });
        }
    }

    /// Gives the bodies the indices that they have now. The present indices are those of `entities`.
    pub(super) fn renumber(
        &mut self,
        bodies: &Bodies,
        entities: &[Entity],
        surfaces: &SurfaceMemory,
    ) {
        let before = self.pairs();
        let pairs = before.iter().map(|sleeping| sleeping.pair);
        let renumbered = bodies.renumber(entities, pairs).into_iter();
        let now = renumbered.map(|found| SleepingPair {
            pair: found.pair,
            impulse: before[found.before].impulse.renumbered(bodies, &found),
        });
        self.replace(bodies, now.collect(), surfaces);
    }

    /// Leaves out the pairs whose bodies have gone or come in other places. The present indices are those of `entities`.
    pub(super) fn leave_out_gone(
        &mut self,
        bodies: &Bodies,
        entities: &[Entity],
        surfaces: &SurfaceMemory,
    ) {
        let is_same = |i: u32| bodies.entity.get(i as usize) == Some(&entities[i as usize]);
        let are_same = |(a, b): (u32, u32)| is_same(a) && is_same(b);
        if !self.records().all(|record| are_same(record.of.pair)) {
            self.renumber(bodies, entities, surfaces);
        }
    }

    /// Gives each of the `awake` pairs that slept its impulses, and takes the pairs that have fallen asleep.
    pub(super) fn exchange(
        &mut self,
        bodies: &Bodies,
        awake: &[(u32, u32)],
        impulses: &mut [StoredImpulse],
        fallen_asleep: Vec<SleepingPair>,
        surfaces: &SurfaceMemory,
    ) {
        for (&pair, impulse) in awake
            .iter()
            .zip(impulses)
            .filter(|(pair, _)| !is_gone(**pair))
        {
            if let Some(k) = self.find(pair) {
                *impulse = self.records[k].of.impulse;
                if !bodies.are_held(pair) {
                    self.take_out(k);
                }
            }
        }
        for sleeping in fallen_asleep {
            if self.find(sleeping.pair).is_none() {
                self.add(bodies, sleeping, surfaces);
            }
        }
        self.tidy();
        self.revision += 1;
    }

    /// Leaves out the pairs that do not sleep any more.
    pub(super) fn leave_out_awake(&mut self, bodies: &Bodies) {
        for k in 0..self.records.len() {
            if !bodies.are_held(self.records[k].of.pair) {
                self.take_out(k);
            }
        }
    }
}

/// Calls `found` for each contact of pairs that have no constraint, where the bodies are.
pub(super) fn list_contacts(
    bodies: &Bodies,
    pairs: impl Iterator<Item = SleepingPair>,
    surfaces: &SurfaceMemory,
    mut found: impl FnMut((u32, u32), Contact),
) {
    for SleepingPair {
        pair: (a, b),
        impulse,
    } in pairs
    {
        let (i, j) = (a as usize, b as usize);
        // A constraint has the plane second, in both orders.
        let sign = if is_ground(bodies, i) { -1.0 } else { 1.0 };
        let radius = smaller_radius(&bodies.shape[i], &bodies.shape[j]);
        let points = manifold(&bodies.placed(i), &bodies.placed(j), TOUCH * radius);
        let shares = if bodies.has_collider(i, j) {
            shares_on_surface(bodies, (i, j), sign, &points, surfaces)
        } else if points.len() == 1 {
            smallvec![impulse]
        } else {
            SmallVec::from_slice(&impulse.shares())
        };
        for (feature, (point, share)) in points.iter().zip(shares).enumerate() {
            let is_touching = are_touching(radius, point.depth, share.normal);
            let of = (bodies.entity[i], bodies.entity[j]);
            let on_first = point.normal * share.normal + sign * share.friction;
            let contact = Contact::new(of, feature as u32, point, is_touching, on_first);
            found((a, b), contact);
        }
    }
}

/// The impulses of the points of a body on a collider, from the contacts with which it fell asleep. The points of one contact
/// follow one another.
fn shares_on_surface(
    bodies: &Bodies,
    (i, j): (usize, usize),
    sign: f32,
    points: &[ManifoldPoint],
    surfaces: &SurfaceMemory,
) -> SmallVec<[StoredImpulse; 2]> {
    let (body, collider) = if sign > 0.0 { (i, j) } else { (j, i) };
    let remembered = surfaces.of_pair((bodies.entity[body], bodies.entity[collider]));
    let mut taken = 0;
    let of_contacts = points.chunk_by(|one, other| one.normal == other.normal);
    let shares = of_contacts.flat_map(|points| {
        let normal = points[0].normal * sign;
        let impulse = take_nearest(remembered, normal, &mut taken).unwrap_or_default();
        match points.len() {
            1 => [impulse, StoredImpulse::default()].into_iter().take(1),
            _ => impulse.shares().into_iter().take(2),
        }
    });
    shares.collect()
}

/// Whether a contact of a body is that of a ball with the ground.
fn is_on_ground(bodies: &Bodies, body: Entity, contact: &Contact) -> bool {
    let other = if contact.a == body {
        contact.b
    } else {
        contact.a
    };
    let (Some(i), Some(ground)) = (bodies.index_of(body), bodies.index_of(other)) else {
        return false;
    };
    bodies.shape[i].is_ball()
        && bodies.is_by_itself(i)
        && bodies.is_dynamic(i)
        && bodies.is_static(ground)
}

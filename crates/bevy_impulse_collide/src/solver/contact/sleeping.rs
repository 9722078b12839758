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
    body::Bodies,
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

/// The contacts of pairs that sleep. They do not change.
#[derive(Debug, Default)]
pub(crate) struct SleepingContacts {
    /// The pairs with an active contact, sorted.
    pairs: Vec<SleepingPair>,
    pub(super) contacts: Vec<Contact>,
    /// The pairs that touch, sorted.
    touching: Vec<(u32, u32)>,
    /// The ball of each contact with the ground that is the only contact of its ball, and the index of the contact; sorted.
    lone: Vec<(Entity, u32)>,
    /// Incremented when the pairs change.
    revision: u64,
}

impl SleepingContacts {
    pub(super) fn clear(&mut self) {
        if !self.pairs.is_empty() {
            *self = Self {
                revision: self.revision + 1,
                ..Self::default()
            };
        }
    }

    /// Whether no pair sleeps.
    pub(super) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The pairs with an active contact, sorted.
    pub(super) fn pairs(&self) -> &[SleepingPair] {
        &self.pairs
    }

    /// Takes these pairs, which are sorted, in place of all others.
    pub(super) fn replace(
        &mut self,
        bodies: &Bodies,
        pairs: Vec<SleepingPair>,
        surfaces: &SurfaceMemory,
    ) {
        self.pairs = pairs;
        self.list_contacts(bodies, surfaces);
        self.revision += 1;
    }

    /// The pairs that touch, sorted: indices of their bodies, the lower first.
    pub(crate) fn touching(&self) -> &[(u32, u32)] {
        &self.touching
    }

    /// Incremented when other pairs sleep.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// The contact with the ground of a ball that touches nothing else.
    pub(super) fn lone_contact_of(&self, ball: Entity) -> Option<&Contact> {
        let at = self
            .lone
            .binary_search_by_key(&ball, |&(ball, _)| ball)
            .ok()?;
        self.contacts.get(self.lone[at].1 as usize)
    }

    /// Gives the bodies the indices that they have now. The present indices are those of `entities`.
    pub(super) fn renumber(&mut self, bodies: &Bodies, entities: &[Entity]) {
        let pairs = self.pairs.iter().map(|sleeping| sleeping.pair);
        let renumbered = bodies.renumber(entities, pairs).into_iter();
        self.pairs = renumbered
            .map(|found| SleepingPair {
                pair: found.pair,
                impulse: self.pairs[found.before].impulse.renumbered(bodies, &found),
            })
            .collect();
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
        if !self.pairs.iter().all(|sleeping| are_same(sleeping.pair)) {
            self.renumber(bodies, entities);
            self.list_contacts(bodies, surfaces);
            self.revision += 1;
        }
    }

    /// Gives each of the `awake` pairs that slept its impulses, and takes the pairs that have fallen asleep. Lists the contacts.
    pub(super) fn exchange(
        &mut self,
        bodies: &Bodies,
        awake: &[(u32, u32)],
        impulses: &mut [StoredImpulse],
        fallen_asleep: Vec<SleepingPair>,
        surfaces: &SurfaceMemory,
    ) {
        let of = |sleeping: &SleepingPair| sleeping.pair;
        for (pair, impulse) in awake.iter().zip(impulses) {
            if let Ok(at) = self.pairs.binary_search_by_key(pair, of) {
                *impulse = self.pairs[at].impulse;
            }
        }
        self.pairs.extend(fallen_asleep);
        self.pairs.retain(|sleeping| bodies.are_held(sleeping.pair));
        self.pairs.sort_by_key(of);
        self.pairs.dedup_by_key(|sleeping| sleeping.pair);
        self.list_contacts(bodies, surfaces);
        self.revision += 1;
    }

    fn list_contacts(&mut self, bodies: &Bodies, surfaces: &SurfaceMemory) {
        self.contacts.clear();
        self.touching.clear();
        self.lone.clear();
        let Self {
            contacts, touching, ..
        } = self;
        list_contacts(
            bodies,
            self.pairs.iter().copied(),
            surfaces,
            |pair, contact| {
                if contact.is_touching {
                    touching.push(pair);
                }
                contacts.push(contact);
            },
        );
        self.touching.dedup();
        self.list_lone(bodies);
    }

    fn list_lone(&mut self, bodies: &Bodies) {
        let presses = |contact: &Contact| contact.impulse.dot(contact.normal) > 0.0;
        let pressing = (0..).zip(&self.contacts).filter(|(_, c)| presses(c));
        self.lone
            .extend(pressing.flat_map(|(k, c)| [(c.a, k), (c.b, k)]));
        self.lone.sort_unstable();
        let of_ball = self.lone.chunk_by(|one, other| one.0 == other.0);
        let lone = of_ball.filter_map(|contacts| match *contacts {
            [(ball, k)] => {
                is_on_ground(bodies, ball, &self.contacts[k as usize]).then_some((ball, k))
            }
            _ => None,
        });
        self.lone = lone.collect();
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
    bodies.shape[i].is_ball() && bodies.is_dynamic(i) && bodies.is_static(ground)
}

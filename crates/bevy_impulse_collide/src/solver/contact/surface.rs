//! Contacts with colliders. A pair has one for each direction in which the surface is near, so they are found anew in every
//! substep.

use bevy::prelude::*;
use fearless_simd::{f32x8, prelude::*};
use smallvec::SmallVec;

use super::{
    class::PairClass,
    closest_points::{ClosestPoint, WideSegments},
    coloring::Coloring,
    entry::{EntryGroup, PairEntry, StoredImpulse},
    point::PointContacts,
    substep::Substep,
};
use crate::{
    body::Bodies,
    collision::Joined,
    shape::geometry::{Core, Geometry, SurfaceContact},
    solver::{
        impact::Unresolved,
        simd::{LANES, LaneMask, Numbers, Vectors},
    },
};

/// Least cosine of the angle between the normals of a contact and of the same contact in the substep before.
const SAME_CONTACT: f32 = 0.9;

/// The same of contacts with surfaces that lie flush.
const SAME_SURFACE: f32 = 0.999;

/// The surface contact of each lane of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct SurfaceTerms {
    normal: Vectors,
    /// For each of two points: where on the core, from −1 to 1, and the overlap in m.
    t: [Numbers; 2],
    depth: [Numbers; 2],
    /// The bend of the surface at each point, in m: [`Geometry::bend`](crate::shape::Geometry).
    pub bend: [Numbers; 2],
    pub is_double: LaneMask,
}

impl SurfaceTerms {
    /// Of up to [`LANES`] contacts.
    fn new(contacts: &[&FoundContact]) -> Self {
        let lane = |lane: usize| contacts.get(lane);
        let vector = |of: &dyn Fn(&FoundContact) -> Vec3| {
            Vectors::from_lanes(std::array::from_fn(|k| {
                lane(k).map_or(Vec3::Y, |found| of(found))
            }))
        };
        let number = |of: &dyn Fn(&FoundContact) -> f32| {
            Numbers(std::array::from_fn(|k| {
                lane(k).map_or(0.0, |found| of(found))
            }))
        };
        let point = |found: &FoundContact, k: usize| {
            let points = &found.contact.points;
            points[k.min(points.len() - 1)]
        };
        Self {
            normal: vector(&|found| found.normal),
            t: [0, 1].map(|k| number(&|found| point(found, k).t)),
            depth: [0, 1].map(|k| number(&|found| point(found, k).depth)),
            bend: [0, 1]
                .map(|k| number(&|found| found.bend[k.min(found.contact.points.len() - 1)])),
            is_double: LaneMask::of(std::array::from_fn(|k| {
                lane(k).is_some_and(|found| found.contact.points.len() > 1)
            })),
        }
    }

    /// The one or two points of each lane.
    #[inline(always)]
    pub fn points<S: Simd>(&self, simd: S, segments: &WideSegments<S>) -> [ClosestPoint<S>; 2] {
        let normal = self.normal.load(simd);
        [0, 1].map(|k| {
            let t: f32x8<S> = self.t[k].load(simd);
            let arm_a = segments.half_a.scaled(t).add_scaled(normal, -segments.r_a);
            ClosestPoint {
                normal,
                depth: self.depth[k].load(simd),
                arm_a,
                arm_b: segments.x_ab + arm_a,
            }
        })
    }
}

/// A contact of a pair of a body and a collider.
#[derive(Clone, Debug)]
pub(super) struct FoundContact {
    pub entry: PairEntry,
    pub class: PairClass,
    pub contact: SurfaceContact,
    /// Unit vector from the collider to the body, in world coordinates.
    pub normal: Vec3,
    pub bend: [f32; 2],
}

/// A ball or a capsule near a collider.
pub(super) struct NearSurface<'a> {
    bodies: &'a Bodies,
    i: usize,
    collider: usize,
    geometry: Option<&'a Geometry>,
    core: Core,
    joined: Joined<'a>,
    /// From the centre to an end of the core, in world coordinates.
    half: Vec3,
    h: f32,
}

impl<'a> NearSurface<'a> {
    pub fn new(bodies: &'a Bodies, h: f32, (i, collider): (usize, usize)) -> Self {
        let (radius, half) = (
            bodies.shape[i].radius(),
            bodies.shape[i].core_half(bodies.axis[i]),
        );
        let frame = (
            bodies.position[collider].as_vec3(),
            bodies.rotation[collider],
        );
        Self {
            bodies,
            i,
            collider,
            geometry: bodies.geometry[collider].get(),
            core: Core::in_frame((bodies.position[i], half), radius, frame),
            joined: Joined::new(bodies, i, collider),
            half,
            h,
        }
    }

    /// Whether the collider touches others.
    pub fn is_joined(&self) -> bool {
        self.joined.is_joined()
    }

    /// Velocity of the point of the core at `t`, relative to the point of the collider that is there.
    fn velocity_at(&self, t: f32) -> Vec3 {
        let Self { bodies, i, .. } = *self;
        let arm = self.half * t;
        let from_collider =
            bodies.position[i].as_vec3() + arm - bodies.position[self.collider].as_vec3();
        bodies.point_velocity(i, arm) - bodies.point_velocity(self.collider, from_collider)
    }

    /// The contacts that may press in this substep, their shares in contacts with joined colliders, and their normals in world
    /// coordinates.
    pub fn contacts(
        &self,
        substep: &Substep,
        unresolved: Unresolved,
    ) -> impl Iterator<Item = (SurfaceContact, f32, Vec3)> + use<> {
        let speeds = [-1.0, 1.0].map(|t| self.velocity_at(t).length());
        // The same limit as in the kernel.
        let slow = match unresolved {
            Unresolved::ToContacts | Unresolved::Joined => f32::INFINITY,
            Unresolved::Nothing | Unresolved::Paused => {
                let field = self.bodies.flight_acceleration(self.i);
                substep.resting_speed + field.length() * self.h
            }
        };
        let approach = speeds[0].max(speeds[1]).min(slow);
        let reach = self.core.radius * substep.margin + self.h * approach;
        let place = (self.bodies.position[self.i], self.half);
        let contacts = self.joined.own_contacts(place, self.core.radius, reach);
        let rotation = self.bodies.rotation[self.collider];
        contacts.into_iter().map(move |(contact, share)| {
            let normal = rotation * contact.normal;
            (contact, share, normal)
        })
    }

    /// The bend of the surface at the points of a contact on the way of this substep, with the friction of the last one. With it,
    /// the body ends the substep on the curved surface, while the impulse has the normal from its start: that is SHAKE (J.
    /// Ryckaert, G. Ciccotti, H. Berendsen, 1977), which gains and loses no energy over time.
    pub fn bend(&self, contact: &SurfaceContact, friction: Vec3) -> [f32; 2] {
        let (Some(geometry), true) = (self.geometry, contact.curvature > 0.0) else {
            return [0.0; 2];
        };
        let back = self.bodies.rotation[self.collider].inverse();
        let slowed = friction * self.bodies.inverse_mass[self.i];
        let bend = |k: usize| {
            let point = contact.points[k.min(contact.points.len() - 1)];
            let way = back * (self.velocity_at(point.t) + slowed) * self.h;
            geometry.bend(&self.core, (contact, point), way)
        };
        [bend(0), bend(1)]
    }
}

/// Makes constraints of contacts.
pub(super) fn pack(
    found: &[FoundContact],
    coloring: &mut Coloring,
    slots: usize,
    into: &mut PointContacts,
) {
    for class in PairClass::ALL {
        coloring.begin(slots);
        for (k, found) in (0..).zip(found) {
            if found.class == class {
                coloring.add(found.entry.coloring(k));
            }
        }
        coloring.each_group(|group, _| {
            let lanes: SmallVec<[&FoundContact; LANES]> = group
                .iter()
                .map(|entry| &found[entry.pair as usize])
                .collect();
            let entries = EntryGroup::new(lanes.iter().map(|found| found.entry));
            into.add(&entries, class, Some(SurfaceTerms::new(&lanes)));
        });
    }
}

/// The impulses of the contacts with colliders in the last substep, and of sleeping ones when they fell asleep.
#[derive(Debug, Default)]
pub(super) struct SurfaceMemory {
    awake: Vec<RememberedContact>,
    asleep: Vec<RememberedContact>,
}

/// A contact of an earlier substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct RememberedContact {
    /// The body and the collider.
    pub of: (Entity, Entity),
    pub normal: Vec3,
    /// Its number among the contacts of the substep.
    pub order: u32,
    /// On the body.
    pub impulse: StoredImpulse,
}

impl SurfaceMemory {
    /// These contacts, in their orders.
    pub fn of(
        awake: impl Iterator<Item = RememberedContact>,
        asleep: impl Iterator<Item = RememberedContact>,
    ) -> Self {
        let mut memory = Self {
            awake: awake.collect(),
            asleep: asleep.collect(),
        };
        for contacts in [&mut memory.awake, &mut memory.asleep] {
            contacts.sort_by_key(|contact| contact.of);
        }
        memory
    }

    pub fn clear(&mut self) {
        self.awake.clear();
        self.asleep.clear();
    }

    /// The contacts of bodies that are awake.
    pub fn awake(&self) -> &[RememberedContact] {
        &self.awake
    }

    /// The contacts of bodies that sleep.
    pub fn asleep(&self) -> &[RememberedContact] {
        &self.asleep
    }

    /// Takes the contacts of this substep.
    pub fn remember(&mut self, contacts: impl Iterator<Item = RememberedContact>) {
        self.awake.clear();
        self.awake.extend(contacts);
        for (order, contact) in (0..).zip(&mut self.awake) {
            contact.order = order;
        }
        // A stable sort would take memory.
        let key = |contact: &RememberedContact| (contact.of, contact.order);
        self.awake.sort_unstable_by_key(key);
    }

    /// Keeps the contacts of pairs that have fallen asleep, and forgets those of pairs that have woken.
    pub fn exchange(&mut self, bodies: &Bodies) {
        let index_of = |entity| bodies.index_of(entity).map(|i| i as u32);
        let sleeps = |contact: &RememberedContact| {
            let (body, collider) = contact.of;
            match (index_of(body), index_of(collider)) {
                (Some(body), Some(collider)) => bodies.are_held((body, collider)),
                _ => false,
            }
        };
        // A contact that wakes starts with its impulses.
        let woken = self.asleep.extract_if(.., |contact| !sleeps(contact));
        self.awake.extend(woken);
        self.awake.sort_by_key(|contact| contact.of);
        let known = self.asleep.len();
        for contact in self.awake.iter().filter(|contact| sleeps(contact)) {
            let (old, _) = self.asleep.split_at(known);
            if old.binary_search_by_key(&contact.of, |old| old.of).is_err() {
                self.asleep.push(*contact);
            }
        }
        self.asleep.sort_by_key(|contact| contact.of);
    }

    /// The contacts of a pair.
    pub fn of_pair(&self, pair: (Entity, Entity)) -> &[RememberedContact] {
        let within = |contacts: &'_ [RememberedContact]| {
            let start = contacts.partition_point(|contact| contact.of < pair);
            let count = contacts[start..].partition_point(|contact| contact.of == pair);
            start..start + count
        };
        let awake = within(&self.awake);
        if !awake.is_empty() {
            return &self.awake[awake];
        }
        &self.asleep[within(&self.asleep)]
    }

    /// The impulses of the contacts with these normals that a body has had with other colliders than one, which it has left or
    /// shares its contact with: with colliders that touch this one; if there is no impulse of its `own`, with any.
    pub fn of_joined(
        &self,
        bodies: &Bodies,
        near: &NearSurface,
        normal: Vec3,
        own: Option<StoredImpulse>,
    ) -> Option<StoredImpulse> {
        let (body, collider) = (bodies.entity[near.i], bodies.entity[near.collider]);
        let start = self.awake.partition_point(|contact| contact.of.0 < body);
        let all = self.awake[start..].iter();
        let of_body = all.take_while(|contact| contact.of.0 == body);
        let others = of_body.filter(|contact| {
            let touches = || {
                let other = bodies.index_of(contact.of.1);
                other.is_some_and(|other| near.joined.touches(other))
            };
            contact.of.1 != collider
                && contact.normal.dot(normal) > SAME_SURFACE
                && (own.is_none() || touches())
        });
        let mut sum = None;
        for contact in others {
            let sum = sum.get_or_insert(StoredImpulse {
                second_share: 0.0,
                ..StoredImpulse::INACTIVE
            });
            sum.join(&contact.impulse);
        }
        sum
    }

    /// Whether there are no contacts.
    pub fn is_empty(&self) -> bool {
        self.awake.is_empty() && self.asleep.is_empty()
    }

    /// The sum of the impulses of a pair, in any order of its two; `other` if it has no contact.
    pub fn sum_of_any(&self, (a, b): (Entity, Entity), other: StoredImpulse) -> StoredImpulse {
        let contacts = match self.of_pair((a, b)) {
            [] => self.of_pair((b, a)),
            contacts => contacts,
        };
        if contacts.is_empty() {
            return other;
        }
        let mut sum = StoredImpulse::INACTIVE;
        for contact in contacts {
            sum.normal += contact.impulse.normal;
            sum.friction += contact.impulse.friction;
            sum.couple += contact.impulse.couple;
            sum.second_share = 0.0;
        }
        sum
    }
}

/// The remembered contact whose normal is nearest to `normal`, and that no other contact has taken: each has a mark in `taken`.
pub(super) fn take_nearest(
    remembered: &[RememberedContact],
    normal: Vec3,
    taken: &mut u32,
) -> Option<StoredImpulse> {
    let free = |&(k, _): &(usize, &RememberedContact)| k < 32 && *taken & 1 << k == 0;
    let cosine = |contact: &RememberedContact| contact.normal.dot(normal);
    let (k, nearest) = remembered
        .iter()
        .enumerate()
        .filter(free)
        .max_by(|(_, one), (_, other)| cosine(one).total_cmp(&cosine(other)))?;
    if cosine(nearest) < SAME_CONTACT {
        return None;
    }
    *taken |= 1 << k;
    Some(nearest.impulse)
}

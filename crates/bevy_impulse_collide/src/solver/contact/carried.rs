//! Contacts without constraints: what a snapshot keeps of them, and what a step needs to go on from them.

use std::sync::Arc;

use bevy::prelude::*;
use glam::DVec3;

use super::{
    entry::StoredImpulse,
    graph::{ContactGraph, PER_TASK},
    report::Contact,
    result::Contacts,
    sleeping::{SleepingPair, list_contacts},
    solver::ContactSolver,
    surface::{RememberedContact, SurfaceMemory},
};
use crate::{body::Bodies, collision::manifold, parallel::map_chunks, shape::smaller_radius};

/// The impulses of a pair in the last substep.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct CarriedPair {
    /// Indices of the bodies, the lower first.
    pub pair: (u32, u32),
    pub normal: f32,
    pub friction: Vec3,
    pub couple: Vec3,
    pub second_share: f32,
}

impl CarriedPair {
    fn new(pair: (u32, u32), impulse: &StoredImpulse) -> Self {
        let StoredImpulse {
            normal,
            friction,
            couple,
            second_share,
        } = *impulse;
        Self {
            pair,
            normal,
            friction,
            couple,
            second_share,
        }
    }

    fn impulse(&self) -> StoredImpulse {
        StoredImpulse {
            normal: self.normal,
            friction: self.friction,
            couple: self.couple,
            second_share: self.second_share,
        }
    }

    fn sleeping(&self) -> SleepingPair {
        SleepingPair {
            pair: self.pair,
            impulse: self.impulse(),
        }
    }

    /// The number of its points that press.
    fn pressing(&self) -> u8 {
        let has_two = self.second_share > 0.0 && self.second_share < 1.0;
        if self.normal > 0.0 {
            1 + u8::from(has_two)
        } else {
            0
        }
    }
}

/// A contact of a body with a collider: the pair has one for each direction in which the surface is near.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct CarriedSurface {
    /// Its pair has the body first, and the collider second.
    pub of: CarriedPair,
    pub normal: Vec3,
}

/// The contacts of the last substep, by the indices of their bodies.
#[derive(Reflect, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct CarriedContacts {
    /// Sorted.
    pub awake: Vec<CarriedPair>,
    /// Sorted.
    pub asleep: Vec<CarriedPair>,
    pub surfaces: Vec<CarriedSurface>,
    pub surfaces_asleep: Vec<CarriedSurface>,
    /// Length of the last substep in s.
    pub h_before: f32,
}

impl CarriedContacts {
    /// Gives the bodies the indices that `index_of` finds. Leaves out contacts of bodies without one.
    pub fn renumber(&mut self, index_of: impl Fn(u32) -> Option<u32>) {
        for pairs in [&mut self.awake, &mut self.asleep] {
            pairs.retain_mut(|carried| {
                let (a, b) = carried.pair;
                let found = index_of(a).zip(index_of(b));
                carried.pair = found.unwrap_or_default();
                found.is_some()
            });
        }
        for surfaces in [&mut self.surfaces, &mut self.surfaces_asleep] {
            surfaces.retain_mut(|carried| {
                let (a, b) = carried.of.pair;
                let found = index_of(a).zip(index_of(b));
                carried.of.pair = found.unwrap_or_default();
                found.is_some()
            });
        }
    }
}

/// The only contact of a ball, which is one with the ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoneContact {
    pub ball: Entity,
    pub ground: Entity,
    /// Unit vector to the ball.
    pub normal: Vec3,
    /// On the ball.
    pub impulse: StoredImpulse,
}

/// What a graph of carried contacts has in place of constraints, until the next substep makes these.
#[derive(Debug, Default)]
pub(super) struct Carried {
    /// Where the bodies are, to list the contacts when they are read.
    bodies: Bodies,
    pub lone: Vec<LoneContact>,
}

impl ContactSolver {
    /// The contacts of the last substep. A body has its index in [`Bodies`]. For a body that has come since, by division,
    /// `index_of` finds an index.
    pub(crate) fn carried(
        &mut self,
        bodies: &Bodies,
        contacts: &mut Contacts,
        index_of: impl Fn(Entity) -> Option<u32>,
    ) -> CarriedContacts {
        contacts.clear();
        let splits = std::mem::take(&mut self.splits);
        if let Some(graph) = Arc::get_mut(&mut self.graph) {
            graph.divide(&splits);
        }
        let graph = &*self.graph;
        if !graph.entities.starts_with(&bodies.entity) {
            // The contact stage has not run with these bodies.
            return CarriedContacts {
                h_before: self.h_before,
                ..default()
            };
        }
        let (mut lists, count) = (Vec::new(), graph.pairs.len());
        let lists = map_chunks(count, PER_TASK, &mut lists, |range, list: &mut Vec<_>| {
            list.reserve(range.len());
            for k in range {
                let impulse = graph.stored_impulse(k);
                if impulse.is_active() {
                    list.push(CarriedPair::new(graph.pairs[k], &impulse));
                }
            }
        });
        let mut awake = lists.concat();
        if !awake.is_sorted_by_key(|carried| carried.pair) {
            awake.sort_by_key(|carried| carried.pair);
        }
        let asleep = graph.sleeping.pairs().into_iter();
        let asleep = asleep.map(|sleeping| CarriedPair::new(sleeping.pair, &sleeping.impulse));
        let surface = |contact: &RememberedContact| {
            let (body, collider) = contact.of;
            let pair = (bodies.index_of(body)?, bodies.index_of(collider)?);
            let pair = (pair.0 as u32, pair.1 as u32);
            Some(CarriedSurface {
                of: CarriedPair::new(pair, &contact.impulse),
                normal: contact.normal,
            })
        };
        let mut carried = CarriedContacts {
            awake,
            asleep: asleep.collect(),
            surfaces: graph.surfaces.awake().iter().filter_map(surface).collect(),
            surfaces_asleep: graph.surfaces.asleep().iter().filter_map(surface).collect(),
            h_before: self.h_before,
        };
        if graph.entities.len() > bodies.len() {
            carried.renumber(|i| match i as usize {
                i if i < bodies.len() => Some(i as u32),
                i => index_of(graph.entities[i]),
            });
        }
        carried
    }

    /// Goes on from these contacts: the next substep finds all pairs anew, and starts with their impulses. The first `entities`
    /// are those of the bodies; the others have still to be enlisted. With the contacts come the bodies that stood elsewhere then.
    pub(crate) fn carry(
        &mut self,
        bodies: &Bodies,
        entities: &[Entity],
        contacts: &mut Contacts,
        (carried, stood): (&CarriedContacts, &[(u32, DVec3, Quat)]),
    ) {
        contacts.clear();
        self.splits.clear();
        self.h_before = carried.h_before;
        let graph = Arc::try_unwrap(std::mem::take(&mut self.graph));
        let mut graph = graph.unwrap_or_default();
        graph.carry(bodies.places(stood), entities, carried);
        self.graph = Arc::new(graph);
        contacts.show(&self.graph);
    }
}

impl ContactGraph {
    fn carry(&mut self, bodies: Bodies, entities: &[Entity], carried: &CarriedContacts) {
        self.clear();
        self.entities.clear();
        self.entities.extend_from_slice(entities);
        self.pairs
            .extend(carried.awake.iter().map(|carried| carried.pair));
        self.sorted = self.pairs.len();
        self.impulses
            .extend(carried.awake.iter().map(CarriedPair::impulse));
        let remembered = |(order, carried): (u32, &CarriedSurface)| {
            let (body, collider) = carried.of.pair;
            RememberedContact {
                of: (entities[body as usize], entities[collider as usize]),
                normal: carried.normal,
                order,
                impulse: carried.of.impulse(),
            }
        };
        self.surfaces = SurfaceMemory::of(
            (0..).zip(&carried.surfaces).map(remembered),
            (0..).zip(&carried.surfaces_asleep).map(remembered),
        );
        let asleep = carried.asleep.iter().map(CarriedPair::sleeping).collect();
        (self.sleeping).replace(&bodies, asleep, &self.surfaces);
        let lone = lone_contacts(&bodies, carried);
        self.carried = Some(Carried { bodies, lone });
    }

    /// Lists the carried contacts where their bodies are, and without constraints; `None` if the graph has constraints.
    pub(super) fn list_carried(&self) -> Option<Vec<Contact>> {
        let Carried { bodies, .. } = self.carried.as_ref()?;
        let pairs = self.pairs.iter().zip(&self.impulses);
        let pairs = pairs.map(|(&pair, &impulse)| SleepingPair { pair, impulse });
        let pairs = pairs.filter(|listed| are_listed(bodies, listed.pair));
        let mut contacts = Vec::new();
        list_contacts(bodies, pairs, &self.surfaces, |_, contact| {
            contacts.push(contact)
        });
        Some(contacts)
    }
}

/// Whether both bodies are in the arrays already.
fn are_listed(bodies: &Bodies, (a, b): (u32, u32)) -> bool {
    a.max(b) < bodies.len() as u32
}

/// The contacts with static bodies of balls that nothing else presses on.
fn lone_contacts(bodies: &Bodies, carried: &CarriedContacts) -> Vec<LoneContact> {
    let mut pressing = vec![0u8; bodies.len()];
    let on_surface = |pair: (u32, u32)| bodies.has_collider(pair.0 as usize, pair.1 as usize);
    let pairs = carried.awake.iter();
    let pairs = pairs.filter(|pair| are_listed(bodies, pair.pair) && !on_surface(pair.pair));
    let surfaces = carried.surfaces.iter();
    let surfaces = surfaces.filter(|surface| are_listed(bodies, surface.of.pair));
    let of_surfaces = surfaces.clone().map(|surface| &surface.of);
    for carried in pairs.clone().chain(of_surfaces) {
        let (a, b) = carried.pair;
        for i in [a, b] {
            let pressing = &mut pressing[i as usize];
            *pressing = pressing.saturating_add(carried.pressing());
        }
    }
    let lone = |carried: &CarriedPair, normal: Option<Vec3>| {
        let (a, b) = (carried.pair.0 as usize, carried.pair.1 as usize);
        let (ball, _) = bodies.free_on_held(a, b)?;
        let ground = if ball == a { b } else { a };
        // A part may not be the only one that touches.
        let is_lone = bodies.shape[ball].is_ball()
            && bodies.is_by_itself(ball)
            && bodies.is_dynamic(ball)
            && pressing[ball] == 1
            && carried.normal > 0.0;
        if !is_lone {
            return None;
        }
        let normal = normal.or_else(|| {
            let radius = smaller_radius(&bodies.shape[ball], &bodies.shape[ground]);
            let points = manifold(&bodies.placed(ball), &bodies.placed(ground), radius);
            points.first().map(|point| point.normal)
        })?;
        let mut impulse = carried.impulse();
        // A constraint has the plane second, in both orders.
        if ball == b && !bodies.has_ground(a, b) {
            impulse.friction = -impulse.friction;
            impulse.couple = -impulse.couple;
        }
        Some(LoneContact {
            ball: bodies.entity[ball],
            ground: bodies.entity[ground],
            normal,
            impulse,
        })
    };
    let of_pairs = pairs.filter_map(|pair| lone(pair, None));
    let of_surfaces = surfaces.filter_map(|surface| lone(&surface.of, Some(surface.normal)));
    of_pairs.chain(of_surfaces).collect()
}

impl Bodies {
    /// The shapes of the bodies and where they were, without the rest: some `stood` elsewhere than they are.
    fn places(&self, stood: &[(u32, DVec3, Quat)]) -> Self {
        let mut places = Self {
            entity: self.entity.clone(),
            flags: self.flags.clone(),
            shape: self.shape.clone(),
            geometry: self.geometry.clone(),
            position: self.position.clone(),
            rotation: self.rotation.clone(),
            axis: self.axis.clone(),
            ..default()
        };
        for &(i, position, rotation) in stood {
            let i = i as usize;
            (places.position[i], places.rotation[i]) = (position, rotation);
            places.axis[i] = places.shape[i].axis_at(rotation, self.local_axis[i]);
        }
        places
    }
}

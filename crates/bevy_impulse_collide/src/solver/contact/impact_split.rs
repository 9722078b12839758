//! Contacts that an impact interrupts.

use bevy::prelude::*;

use super::{entry::StoredImpulse, graph::ContactGraph, view::ContactPoint};
use crate::{
    body::Bodies,
    solver::{impact::Impacts, partition::CellLayout},
};

/// Greatest friction after the impact, over the normal impulse before it, that is taken for that of the time after the impact.
const MOST_CHANGE: f32 = 10.0;

/// Impact-split correction of the contacts with the ground that balls had until an impact in this substep.
///
/// A substep gives the impulse of the time from t−h/2 to t+h/2. The solver finds it as if all that time the contact had been as it
/// is after the impacts. But a ball that is hit while it rolls on a table slides only from then on, and a ball that is knocked off
/// the table lay on it until then. With the impact at s, contacts should give p_before·(h/2 + s)/h + p·(h/2 − s)/h, with the
/// impulses p_before of the last substep and p of this one. For an impact in the second half, the second term is negative and takes
/// back impulse, so that the velocity after the impact is right at its own time.
///
/// A ball that also touches other bodies, as in a heap, gets no correction: the impulse that one contact gave, another took.
#[derive(Debug, Default)]
pub(super) struct ImpactSplit {
    contacts: Vec<InterruptedContact>,
    /// The index of each body's interrupted contact, plus one. Zero between two uses.
    contact_of: Vec<u32>,
}

/// The contact with the ground of a ball that an impact has hit in this substep.
#[derive(Clone, Copy, Debug)]
struct InterruptedContact {
    ball: usize,
    ground: usize,
    /// Seconds from the start of the substep to the ball's last impact; NaN until it is found.
    time: f32,
    /// Unit vector to the ball.
    normal: Vec3,
    /// Impulses and couple on the ball in the last substep.
    given: StoredImpulse,
}

/// The impulses of a contact point on its body a for a `sign` of 1, on its body b for −1.
fn impulse_on(contact: &ContactPoint, sign: f32) -> StoredImpulse {
    StoredImpulse {
        normal: contact.normal_impulse,
        friction: contact.friction_impulse * sign,
        couple: contact.couple * sign,
        ..StoredImpulse::default()
    }
}

impl ImpactSplit {
    /// Finds the interrupted contacts. The `graph` and the `layout` are still those of the last substep.
    pub fn find(
        &mut self,
        bodies: &Bodies,
        graph: &ContactGraph,
        layout: &CellLayout,
        impacts: &Impacts,
    ) {
        self.contacts.clear();
        if impacts.resolved.is_empty() {
            return;
        }
        let contacts = graph.lone_balls_on_ground(layout).filter_map(|contact| {
            let [a, b] =
                [contact.a, contact.b].map(|i| bodies.index_of(graph.entities[i as usize]));
            let (ball, sign) = bodies.free_on_held(a?, b?)?;
            // A new motion is v(t): the contact's impulses before t are in it.
            let presses = contact.normal_impulse > 0.0 && !bodies.is_fresh(ball);
            let ground = if sign > 0.0 { b? } else { a? };
            (presses && impacts.has_changed(ball)).then(|| InterruptedContact {
                ball,
                ground,
                time: f32::NAN,
                normal: contact.normal * sign,
                given: impulse_on(&contact, sign),
            })
        });
        self.contacts.extend(contacts);
        self.contacts
            .extend(sleeping_contacts(bodies, graph, impacts));
        self.contacts
            .extend(carried_contacts(bodies, graph, impacts));
        self.find_times(bodies, impacts);
    }

    fn find_times(&mut self, bodies: &Bodies, impacts: &Impacts) {
        if self.contacts.is_empty() {
            return;
        }
        self.contact_of.resize(bodies.len(), 0);
        for (k, contact) in (1..).zip(&self.contacts) {
            self.contact_of[contact.ball] = k;
        }
        let impacts = impacts.resolved.iter().rev();
        for impact in impacts.take_while(|impact| impact.time >= bodies.time) {
            let hit = [impact.a, impact.b].map(|entity| bodies.index_of(entity));
            for ball in hit.into_iter().flatten() {
                let Some(k) = self.contact_of[ball].checked_sub(1) else {
                    continue;
                };
                let contact = &mut self.contacts[k as usize];
                // The loop meets a ball's last impact first.
                if contact.time.is_nan() {
                    contact.time = impact.time - bodies.time;
                }
            }
        }
        for contact in &self.contacts {
            self.contact_of[contact.ball] = 0;
        }
        self.contacts.retain(|contact| !contact.time.is_nan());
    }

    /// Gives the difference to the balls, once the solver has found this substep's impulses.
    pub fn apply(&self, bodies: &mut Bodies, graph: &ContactGraph) {
        let h = bodies.h;
        for before in &self.contacts {
            let i = before.ball;
            let pair = (i.min(before.ground) as u32, i.max(before.ground) as u32);
            let now = graph
                .first_point_of(pair)
                .map_or_else(StoredImpulse::default, |contact| {
                    let sign = if contact.a as usize == i { 1.0 } else { -1.0 };
                    impulse_on(&contact, sign)
                });
            let given = &before.given;
            // Other contacts that the ball has by now may jam it. Their impulses and this one's then have no limit.
            let most = MOST_CHANGE * given.normal;
            let friction = given.friction - now.friction.clamp_length_max(most);
            // If the contact presses harder now than before, the solver's impulse stays: less would let the ball sink in.
            let normal = before.normal * (given.normal - now.normal).max(0.0);
            let radius = bodies.shape[i].radius();
            let now_couple = now.couple.clamp_length_max(most * radius);
            let couple = given.couple - now_couple - radius * before.normal.cross(friction);
            let part = 0.5 + before.time / h;
            let dv = (normal + friction) * bodies.inverse_mass[i];
            let whole = bodies.whole_of(i);
            bodies.velocity[whole] += (dv * part).as_dvec3();
            let turned = bodies.inverse_inertia[i].mul(bodies.rotation[i], couple) * part;
            bodies.columns().add_spin(whole, turned);
            // The start of the flight moves to where a flight with the change of acceleration Δa would have started: x − Δa·s²/2.
            bodies.flight_shift[whole] -= dv * (0.5 * before.time * before.time / h);
        }
    }
}

/// The contacts that have no constraints because the world goes on from a snapshot.
fn carried_contacts(
    bodies: &Bodies,
    graph: &ContactGraph,
    impacts: &Impacts,
) -> impl Iterator<Item = InterruptedContact> {
    let lone = graph.carried.iter().flat_map(|carried| &carried.lone);
    lone.filter_map(|contact| {
        let ball = bodies.index_of(contact.ball)?;
        let ground = bodies.index_of(contact.ground)?;
        (!bodies.is_fresh(ball) && impacts.has_changed(ball)).then(|| InterruptedContact {
            ball,
            ground,
            time: f32::NAN,
            normal: contact.normal,
            given: StoredImpulse {
                second_share: StoredImpulse::default().second_share,
                ..contact.impulse
            },
        })
    })
}

/// The contacts of balls that slept on the ground, and touched nothing else, until an impact. These contacts have no constraint.
fn sleeping_contacts(
    bodies: &Bodies,
    graph: &ContactGraph,
    impacts: &Impacts,
) -> impl Iterator<Item = InterruptedContact> {
    impacts.changed().iter().filter_map(|&ball| {
        let ball = ball as usize;
        let entity = bodies.entity[ball];
        let before = match graph.entities.get(ball) {
            Some(&then) if then == entity => ball,
            // It has another index now.
            _ => graph.entities.iter().position(|&then| then == entity)?,
        };
        let contact = graph
            .sleeping
            .lone_contact_of(bodies, entity, before as u32)?;
        let [a, b] = [contact.a, contact.b].map(|entity| bodies.index_of(entity));
        let (a, b) = (a?, b?);
        let (_, sign) = bodies.free_on_held(a, b)?;
        let (normal, impulse) = (contact.normal * sign, contact.impulse * sign);
        let pressed = impulse.dot(normal);
        (!bodies.is_fresh(ball)).then(|| InterruptedContact {
            ball,
            ground: if sign > 0.0 { b } else { a },
            time: f32::NAN,
            normal,
            given: StoredImpulse {
                normal: pressed,
                friction: impulse - normal * pressed,
                ..StoredImpulse::default()
            },
        })
    })
}

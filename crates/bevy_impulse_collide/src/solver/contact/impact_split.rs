//! Contacts that an impact interrupts.

use bevy::prelude::*;

use super::{entry::StoredImpulse, graph::ContactGraph, view::ContactPoint};
use crate::{
    body::Bodies,
    shape::Shape,
    solver::{impact::Impacts, partition::CellLayout},
};

/// Impact-split correction: of the contacts with the ground that balls had until an impact in this substep.
///
/// A substep gives the impulse of the time from t−h/2 to t+h/2, and the solver finds it as if the contact had been the same for
/// all that time as it is after the impacts. But a ball that another hits as it rolls on a table rolls until then and slides
/// from then on, and a ball that is knocked off the table lay on it until then. With the impact at s, contacts should give
/// p_before·(h/2 + s)/h + p·(h/2 − s)/h for the impulses p_before of the last substep and p of this one. The second term, negative for
/// an impact in the second half, takes back impulse, so that the velocity after the impact is right at its own time.
///
/// A ball that touches other bodies too, as in a heap, gets no correction: what one contact gave it, another took.
#[derive(Debug, Default)]
pub(super) struct ImpactSplit {
    contacts: Vec<InterruptedContact>,
    /// Balls that impacts have hit in this substep, sorted by index.
    hit: Vec<HitBall>,
    /// Of each body of the last substep: its place in `hit`, plus one. Zero between two uses.
    hit_of: Vec<u32>,
}

/// A ball that an impact has hit in this substep.
#[derive(Clone, Copy, Debug)]
struct HitBall {
    body: usize,
    /// Index of the body in the last substep.
    index_before: u32,
    /// Seconds from the start of the substep to its last impact.
    time: f32,
    /// The contact that it had in the last substep, if it had one alone, with the ground.
    on_ground: Option<InterruptedContact>,
}

/// What a contact with the ground gave a ball in the last substep.
#[derive(Clone, Copy, Debug)]
struct InterruptedContact {
    ball: usize,
    /// The other body.
    ground: Entity,
    time: f32,
    /// Unit vector to the ball.
    normal: Vec3,
    radius: f32,
    /// Impulses and couple on the ball.
    given: StoredImpulse,
}

/// The impulses of a contact point on body `a`, or on body `b`.
fn impulse_on(contact: &ContactPoint, sign: f32) -> StoredImpulse {
    StoredImpulse {
        normal: contact.normal_impulse,
        friction: contact.friction_impulse * sign,
        couple: contact.couple * sign,
        ..StoredImpulse::default()
    }
}

impl ImpactSplit {
    /// Finds them in the `graph`. Both it and `layout` are still those of the last substep.
    pub fn find(
        &mut self,
        bodies: &Bodies,
        graph: &ContactGraph,
        layout: &CellLayout,
        impacts: &Impacts,
    ) {
        self.contacts.clear();
        self.find_hit(bodies, graph, impacts);
        if self.hit.is_empty() {
            return;
        }
        self.hit_of.resize(graph.entities.len(), 0);
        for (k, hit) in (1..).zip(&self.hit) {
            self.hit_of[hit.index_before as usize] = k;
        }
        self.find_ground_contacts(bodies, graph, layout);
        let found = self.hit.iter().filter_map(|hit| hit.on_ground);
        self.contacts.extend(found);
        for hit in &self.hit {
            self.hit_of[hit.index_before as usize] = 0;
        }
    }

    fn find_hit(&mut self, bodies: &Bodies, graph: &ContactGraph, impacts: &Impacts) {
        self.hit.clear();
        let now = impacts
            .resolved
            .iter()
            .rev()
            .take_while(|impact| impact.time >= bodies.time);
        for impact in now {
            for entity in [impact.a, impact.b] {
                let Some(body) = bodies.index_of(entity) else {
                    continue;
                };
                let index_before = match graph.entities.get(body) {
                    Some(&before) if before == entity => Some(body),
                    _ => graph.entities.iter().position(|&before| before == entity),
                };
                let is_ball = matches!(bodies.shape[body], Shape::Particle { .. });
                if let (Some(index_before), true) = (index_before, is_ball && bodies.is_free(body))
                {
                    self.hit.push(HitBall {
                        body,
                        index_before: index_before as u32,
                        time: impact.time - bodies.time,
                        on_ground: None,
                    });
                }
            }
        }
        // Of a body's impacts the last one comes first, and stays.
        self.hit.sort_by_key(|hit| hit.body);
        self.hit.dedup_by_key(|hit| hit.body);
    }

    fn find_ground_contacts(&mut self, bodies: &Bodies, graph: &ContactGraph, layout: &CellLayout) {
        for (contact, sums) in graph.ground_points(layout) {
            let sides = [
                (contact.a, contact.slots.0, contact.b, 1.0),
                (contact.b, contact.slots.1, contact.a, -1.0),
            ];
            for (body, slot, other, sign) in sides {
                let Some(k) = self.hit_of[body as usize].checked_sub(1) else {
                    continue;
                };
                if sums[slot as usize].contacts() != 1.0 || contact.normal_impulse == 0.0 {
                    continue;
                }
                let hit = &mut self.hit[k as usize];
                hit.on_ground = Some(InterruptedContact {
                    ball: hit.body,
                    ground: graph.entities[other as usize],
                    time: hit.time,
                    normal: contact.normal * sign,
                    radius: bodies.shape[hit.body].radius(),
                    given: impulse_on(&contact, sign),
                });
            }
        }
    }

    /// Gives the difference to the balls, once the solver has found this substep's impulses.
    pub fn apply(&self, bodies: &mut Bodies, graph: &ContactGraph) {
        let h = bodies.h;
        for before in &self.contacts {
            let i = before.ball;
            let Some(ground) = bodies.index_of(before.ground) else {
                continue;
            };
            let pair = (i.min(ground) as u32, i.max(ground) as u32);
            let now = graph
                .first_point_of(pair)
                .map_or_else(StoredImpulse::default, |contact| {
                    let sign = if contact.a as usize == i { 1.0 } else { -1.0 };
                    impulse_on(&contact, sign)
                });
            let given = &before.given;
            let friction = given.friction - now.friction;
            // A contact that presses harder now than before is the solver's own: less would let the ball in.
            let normal = before.normal * (given.normal - now.normal).max(0.0);
            let couple = given.couple - now.couple - before.radius * before.normal.cross(friction);
            let part = 0.5 + before.time / h;
            let dv = (normal + friction) * bodies.inverse_mass[i];
            bodies.add_velocity(i, (dv * part).as_dvec3());
            bodies.angular_velocity[i] += couple * (bodies.inverse_inertia[i].transverse * part);
            // The launch goes back along the parabola on which the ball would have come: x − Δa·s²/2.
            bodies.launch_position[i] -= dv * (0.5 * before.time * before.time / h);
        }
    }
}

//! Slip prediction: the impulse of a sliding contact in the next substep.

use bevy::prelude::*;

use super::{
    graph::ContactGraph,
    kick::{contact_rate, field_kick},
    tangents::tangents,
    view::ContactPoint,
};
use crate::{body::Bodies, solver::partition::CellLayout};

/// Bodies that slide on the ground and touch nothing else.
#[derive(Debug, Default)]
pub(super) struct SlipPrediction {
    sliding: Vec<SlidingContact>,
}

#[derive(Clone, Copy, Debug)]
struct SlidingContact {
    contact: ContactPoint,
    body: usize,
    /// Sign of the impulse on the free body, relative to the impulse on the constraint's first body.
    sign: f32,
    /// From the body's centre to the contact point.
    arm: Vec3,
}

impl SlipPrediction {
    /// Finds the sliding contacts. The bodies still have the velocities from before the solver; the `graph` has the solver's
    /// impulses. In a heap there is no prediction: the impulse that one contact gives a body, another takes.
    pub fn find(&mut self, bodies: &Bodies, graph: &ContactGraph, layout: &CellLayout) {
        self.sliding.clear();
        let sliding = graph.lone_ground_points(layout).filter_map(|contact| {
            let (body, sign) = bodies.free_on_held(contact.a as usize, contact.b as usize)?;
            let point = contact.point(&graph.poses).point;
            let arm = point - bodies.position[body];
            let (kick, angular_kick) = field_kick(bodies, body);
            let before = bodies.point_velocity(body, arm) - kick - angular_kick.cross(arm);
            let stop = stopping_impulse(bodies, body, contact.normal, arm, before);
            let limit = contact.friction * contact.normal_impulse;
            let slides = bodies.is_pushed(body) && stop.length() > 1e-3 * limit && limit > 0.0;
            slides.then_some(SlidingContact {
                contact,
                body,
                sign,
                arm,
            })
        });
        self.sliding.extend(sliding);
    }

    /// Corrects the contact accelerations of the bodies that slide but will stop sliding in the next substep. Its flights start
    /// with these accelerations. The bodies have their new velocities.
    ///
    /// A contact that rests, rolls or slides on gives the same impulse in the next substep as in this one. But a contact that stops
    /// sliding gives only the impulse that stops it, at most Coulomb's μ·N. Without the correction, a ball hit at that moment would
    /// be hit at a velocity changed by friction that has ended.
    pub fn apply(&self, bodies: &mut Bodies) {
        for sliding in &self.sliding {
            let SlidingContact {
                contact,
                body,
                sign,
                arm,
            } = *sliding;
            let limit = contact.friction * contact.normal_impulse;
            let velocity = bodies.point_velocity(body, arm);
            let next = stopping_impulse(bodies, body, contact.normal, arm, velocity);
            let change = next.clamp_length_max(limit) - sign * contact.friction_impulse;
            let rate = contact_rate(bodies.steps[body], bodies.h);
            let turn = bodies.inverse_inertia[body].mul(bodies.axis[body], arm.cross(change));
            bodies.contact_acceleration[body] += change * (bodies.inverse_mass[body] * rate);
            bodies.contact_angular_acceleration[body] += turn * rate;
        }
    }
}

/// The impulse across `n` in N·s, at `arm` from the centre of body `i`, that stops the sliding of that point with `velocity`. It
/// uses the inverse of the tangential part of K = 1/m + [r]ᵀ·I⁻¹·[r].
fn stopping_impulse(bodies: &Bodies, i: usize, n: Vec3, arm: Vec3, velocity: Vec3) -> Vec3 {
    let (t, s) = tangents(n);
    let (inertia, axis) = (bodies.inverse_inertia[i], bodies.axis[i]);
    let k = |u: Vec3, v: Vec3| {
        let turned = inertia.mul(axis, arm.cross(v));
        bodies.inverse_mass[i] * u.dot(v) + arm.cross(u).dot(turned)
    };
    let (tt, ts, ss) = (k(t, t), k(t, s), k(s, s));
    let determinant = tt * ss - ts * ts;
    let (v_t, v_s) = (velocity.dot(t), velocity.dot(s));
    (t * (ts * v_s - ss * v_t) + s * (ts * v_t - tt * v_s)) / determinant
}

//! Slip prediction: the impulse of a sliding contact in the next substep.

use bevy::prelude::*;

use super::{
    graph::ContactGraph,
    kick::{contact_rate, field_kick, prediction_limits},
    view::ContactPoint,
};
use crate::{body::Bodies, solver::partition::CellLayout};

/// Balls that slide on the ground and touch nothing else.
///
/// A capsule gets no prediction. Friction at one end changes the normal impulses at both, and a prediction that leaves the normal
/// impulses as they are keeps the capsule swinging: 1,000 capsules in a box then rest at 1.4e-3 m/s instead of 2.3e-4 m/s.
#[derive(Debug, Default)]
pub(super) struct SlipPrediction {
    sliding: Vec<SlidingContact>,
}

#[derive(Clone, Copy, Debug)]
struct SlidingContact {
    contact: ContactPoint,
    ball: usize,
    /// Sign of the impulse on the ball, relative to the impulse on the constraint's first body.
    sign: f32,
    /// From the ball's centre to the contact point.
    arm: Vec3,
    /// Acceleration in m/s² with which a curved surface turns the ball.
    turning: f32,
}

impl SlipPrediction {
    /// Finds the sliding contacts. The bodies still have the velocities from before the solver; the `graph` has the solver's
    /// impulses. In a heap there is no prediction: the impulse that one contact gives a body, another takes.
    pub fn find(&mut self, bodies: &Bodies, graph: &ContactGraph, layout: &CellLayout) {
        self.sliding.clear();
        let sliding = graph.lone_balls_on_ground(layout).filter_map(|contact| {
            let (ball, sign) = bodies.free_on_held(contact.a as usize, contact.b as usize)?;
            let whole = bodies.whole_of(ball);
            if !bodies.is_plain_ball(ball) || !bodies.is_plain_ball(whole) {
                return None;
            }
            let ball = whole;
            let point = contact.point(&graph.poses).point;
            let arm = point - bodies.position[ball].as_vec3();
            let (kick, angular_kick) = field_kick(bodies, ball);
            let before = bodies.point_velocity(ball, arm) - kick - angular_kick.cross(arm);
            let before = slide_velocity(bodies, &contact, sign, before);
            let stop = stopping_impulse(bodies, ball, contact.normal, before);
            let limit = contact.friction * contact.normal_impulse;
            let slides = bodies.is_dynamic(ball) && stop.length() > 1e-3 * limit && limit > 0.0;
            slides.then_some(SlidingContact {
                contact,
                ball,
                sign,
                arm,
                turning: graph.turning_of(ball),
            })
        });
        self.sliding.extend(sliding);
    }

    /// Corrects the contact accelerations of the balls that slide but will stop sliding in the next substep. Its flights start
    /// with these accelerations. The balls have their new velocities.
    ///
    /// A contact that rests, rolls or slides on gives the same impulse in the next substep as in this one. But a contact that stops
    /// sliding gives only the impulse that stops it, at most Coulomb's μ·N. Without the correction, a ball hit at that moment would
    /// be hit at a velocity changed by friction that has ended.
    pub fn apply(&self, bodies: &mut Bodies) {
        for sliding in &self.sliding {
            let SlidingContact {
                contact,
                ball,
                sign,
                arm,
                ..
            } = *sliding;
            let limit = contact.friction * contact.normal_impulse;
            let velocity = bodies.point_velocity(ball, arm);
            let velocity = slide_velocity(bodies, &contact, sign, velocity);
            let next = stopping_impulse(bodies, ball, contact.normal, velocity);
            let change = next.clamp_length_max(limit) - sign * contact.friction_impulse;
            let rate = contact_rate(bodies.is_fresh(ball), bodies.h);
            let turn = bodies.inverse_inertia[ball].mul(bodies.rotation[ball], arm.cross(change));
            let radius = bodies.shape[ball].radius();
            let (most, most_angular) =
                prediction_limits(bodies.acceleration[ball], sliding.turning, radius);
            let linear = &mut bodies.contact_acceleration[ball];
            *linear =
                (*linear + change * (bodies.inverse_mass[ball] * rate)).clamp_length_max(most);
            let angular = &mut bodies.contact_angular_acceleration[ball];
            *angular = (*angular + turn * rate).clamp_length_max(most_angular);
        }
    }
}

/// The velocity at which the ball's surface slides over the ground's, from the velocity of the ball's contact point.
fn slide_velocity(bodies: &Bodies, contact: &ContactPoint, sign: f32, velocity: Vec3) -> Vec3 {
    let pair = (contact.a as usize, contact.b as usize);
    sign * bodies.sliding_of_surfaces(pair, contact.normal, sign * velocity)
}

/// The impulse across `n` in N·s that stops the sliding of a ball's contact point with `velocity`: −u_t/(1/m + r²/I).
fn stopping_impulse(bodies: &Bodies, ball: usize, n: Vec3, velocity: Vec3) -> Vec3 {
    let radius = bodies.shape[ball].radius();
    let inverse_mass =
        bodies.inverse_mass[ball] + radius * radius * bodies.inverse_inertia[ball].across();
    -velocity.reject_from_normalized(n) / inverse_mass
}

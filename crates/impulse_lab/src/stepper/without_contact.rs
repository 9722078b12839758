//! Leapfrog with impulses and half-step correction, without a treatment of contacts.
//!
//! 1. half-step correction: v = v − g·h/2
//! 2. impact: if x ≤ 0 and v < 0, v = −e·v
//! 3. the other half: v = v − g·h/2
//! 4. integrate: x = x + h·v
//!
//! With e = 1 a bounce runs the same steps back up, and keeps its height. With less, impacts alone cannot carry the ball: it creeps
//! into the plane.
//!
//! Source: as of [`HalfStepCorrected`](super::HalfStepCorrected).

use bevy::prelude::*;
use bevy_impulse_collide::{collision::BroadPhase, prelude::*};

use super::stages::{first_half_kick, show_velocities, stop_approach};
use crate::{
    contact::find_contacts,
    replace::{drift, kick, replace_step},
};

/// Impacts alone: neither v = 0 nor x = 0 in a contact.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default)]
#[reflect(Resource)]
pub struct WithoutContact;

impl Plugin for WithoutContact {
    fn build(&self, app: &mut App) {
        app.insert_resource(*self).register_type::<Self>();
        replace_step(app, step);
    }
}

fn step(
    mut bodies: ResMut<Bodies>,
    pairs: Res<BroadPhase>,
    config: Res<CollisionConfig>,
    gravity: Res<Gravity>,
) {
    let bodies = &mut *bodies;
    let h = bodies.substep();
    let half = 0.5 * h;
    let points = find_contacts(bodies, &pairs, &config);
    first_half_kick(bodies, gravity.0);
    stop_approach(bodies, &points, None);
    kick(bodies, gravity.0, half);
    drift(bodies, h);
    show_velocities(bodies, gravity.0, &[]);
}

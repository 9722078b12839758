//! Time of impact: the exact model for one ball and one plane.
//!
//! 1. v = v − g·h
//! 2. x = x + h·v
//! 3. if x < 0, step back to the impact, reflect, and step on to the end of the step:
//!    v′ = −e·v − ½·(1 − e)·g·h·(1 − 2·x/(v·h)),  x′ = −e·x·(1 − g·h/(2·v) + g·x/v²)
//!
//! It conserves the energy of a single elastic ball at any step. For many bodies the times of impact are those of single contacts, each
//! taken as if there were no others: a second impact in the same step sees a wrong place. The physics crate makes the queue of impacts
//! that this method lacks.
//!
//! Source: the lecture named in [`Leapfrog`](super::Leapfrog).

use bevy::prelude::*;
use bevy_impulse_collide::{collision::BroadPhase, prelude::*};

use crate::{
    contact::find_contacts,
    replace::{drift, kick, replace_step},
};

/// Steps back to the impact of each contact, and on again.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default)]
#[reflect(Resource)]
pub struct TimeOfImpact;

impl Plugin for TimeOfImpact {
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
    kick(bodies, gravity.0, h);
    drift(bodies, h);
    for point in find_contacts(bodies, &pairs, &config) {
        let v = point.velocity(bodies).dot(point.normal);
        if point.depth <= 0.0 || v >= 0.0 {
            continue;
        }
        let (x, e) = (-point.depth, point.restitution);
        // Gravity pulls both bodies of a pair in the same way.
        let felt = |i: usize| {
            if bodies.get(i).is_dynamic() {
                gravity.0 * bodies.get(i).gravity_scale()
            } else {
                Vec3::ZERO
            }
        };
        let g = -(felt(point.a) - felt(point.b)).dot(point.normal);
        // Deeper than one step: the body was inside before. It is brought to the surface.
        let inside = (x / (v * h)).min(1.0);
        let v_after = -e * v - 0.5 * (1.0 - e) * g * h * (1.0 - 2.0 * inside);
        let x_after = -e * x * (1.0 - g * h / (2.0 * v) + g * x / (v * v));
        let impulse = (v_after - v) * point.effective_mass(bodies, point.normal);
        point.push(bodies, impulse * point.normal);
        point.rub(bodies, point.friction * impulse);
        point.move_apart(bodies, x_after.max(0.0) - x);
    }
}

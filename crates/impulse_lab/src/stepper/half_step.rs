//! Leapfrog with impulses and half-step correction.
//!
//! 1. half-step correction: v = v − g·h/2
//! 2. impact: if x ≤ 0 and v < 0, v = −e·v
//! 3. the other half: v = v − g·h/2
//! 4. contact: if x ≤ 0 and v < 0, v = 0
//! 5. integrate: x = x + h·v
//! 6. project: if x < 0, x = 0
//!
//! The impact sees v(t), so gravity is balanced. The remaining error is that of the projection: it lifts the ball, and so gives it
//! energy.
//!
//! Source: as of [`Leapfrog`](super::Leapfrog); the correction is of the same lecture.

use bevy::prelude::*;
use bevy_impulse_collide::{collision::BroadPhase, prelude::*};

use super::stages::{first_half_kick, project, show_velocities, stop_approach};
use crate::{
    contact::find_contacts,
    replace::{drift, kick, replace_step},
};

/// Leapfrog with impulses that see the velocity of their own time.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default)]
#[reflect(Resource)]
pub struct HalfStepCorrected;

impl Plugin for HalfStepCorrected {
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
    let find = |bodies: &Bodies| find_contacts(bodies, &pairs, &config);
    let points = find(bodies);
    first_half_kick(bodies, gravity.0);
    stop_approach(bodies, &points, None);
    kick(bodies, gravity.0, half);
    stop_approach(bodies, &points, Some(0.0));
    drift(bodies, h);
    project(bodies, find);
    show_velocities(bodies, gravity.0, &find(bodies));
}

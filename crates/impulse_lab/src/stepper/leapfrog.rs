//! Leapfrog with impulses.
//!
//! 1. impact: if x ≤ 0 and v < 0, v = −e·v
//! 2. gravity: v = v − g·h
//! 3. contact: if x ≤ 0 and v < 0, v = 0
//! 4. integrate: x = x + h·v
//! 5. project: if x < 0, x = 0
//!
//! The impact sees v(t−h/2), not the velocity of its own time. So gravity is not balanced in it, and an elastic ball loses or gains
//! height, of the first order in h.
//!
//! Source: E. Guendelman, R. Bridson, R. Fedkiw, "Nonconvex rigid bodies with stacking", ACM Trans. Graph. 22 (2003) 871, in the
//! form of a lecture on contacts: simplified, linear in time.

use bevy::prelude::*;
use bevy_impulse_collide::{collision::BroadPhase, prelude::*};

use super::stages::{kick_of_substep, project, show_velocities, stop_approach};
use crate::{
    contact::find_contacts,
    replace::{drift, replace_step},
};

/// Leapfrog with impulses, whose impacts see the velocity of half a step before.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default)]
#[reflect(Resource)]
pub struct Leapfrog;

impl Plugin for Leapfrog {
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
    let find = |bodies: &Bodies| find_contacts(bodies, &pairs, &config);
    let points = find(bodies);
    stop_approach(bodies, &points, None);
    kick_of_substep(bodies, gravity.0);
    stop_approach(bodies, &points, Some(0.0));
    drift(bodies, h);
    project(bodies, find);
    show_velocities(bodies, gravity.0, &find(bodies));
}

//! Contacts as damped springs.
//!
//! 1. force: F = −k·x − b·v while x < 0; it only pushes
//! 2. v = v + (F/m − g)·h
//! 3. x = x + h·v
//!
//! An impact is a half oscillation, so the step must be short beside π·√(m/k). Above h = 2·√(m/k) each oscillation gains energy. A
//! ball at rest sinks by m·g/k. There is no parameter for the restitution: with ζ = b/(2·√(k·m)) it comes out as
//! exp(−π·ζ/√(1 − ζ²)), if the force may pull.
//!
//! Source: P. A. Cundall, O. D. L. Strack, "A discrete numerical model for granular assemblies", Géotechnique 29 (1979) 47, with a
//! linear spring.

use bevy::prelude::*;
use bevy_impulse_collide::{collision::BroadPhase, prelude::*};

use crate::{
    contact::find_contacts,
    replace::{drift, kick, replace_step},
};

/// A spring and a damper in each contact.
#[derive(Resource, Reflect, Clone, Copy, Debug)]
#[reflect(Resource)]
pub struct Springs {
    /// k in N/m, above 0. Default: 1e4.
    pub stiffness: f32,
    /// b in N·s/m, 0 or more. Default: 10.
    pub damping: f32,
}

impl Default for Springs {
    fn default() -> Self {
        Self {
            stiffness: 1e4,
            damping: 10.0,
        }
    }
}

impl Plugin for Springs {
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
    springs: Res<Springs>,
) {
    let bodies = &mut *bodies;
    let h = bodies.substep();
    // All forces are those of the same moment: the velocities change only after the last one.
    let points = find_contacts(bodies, &pairs, &config);
    let forces: Vec<f32> = points
        .iter()
        .map(|point| {
            let closing = -point.velocity(bodies).dot(point.normal);
            (springs.stiffness * point.depth + springs.damping * closing).max(0.0)
        })
        .collect();
    for (point, force) in points.iter().zip(forces) {
        point.push(bodies, h * force * point.normal);
        point.rub(bodies, point.friction * h * force);
    }
    kick(bodies, gravity.0, h);
    drift(bodies, h);
}

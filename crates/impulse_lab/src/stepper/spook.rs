//! SPOOK: impacts by impulses, contacts as regularised and stabilised constraints.
//!
//! With the gap x, its velocity v, and the force f of all fields, the impulse λ ≥ 0 of a contact solves
//!
//! (G·M⁻¹·Gᵀ + ε)·λ = −a·x − b·v − h·G·M⁻¹·f,
//!
//! a = 4/(h·(1 + 4·d)), b = 4·d/(1 + 4·d), ε = 4/(h²·k·(1 + 4·d)),
//!
//! with the stiffness k of the contact in N/m and the relaxation d, the number of steps in which an overlap vanishes. The regularisation
//! ε stands on the diagonal as an additional inverse mass. So the equations have one solution for every set of contacts, and all
//! parameters are physical. Many contacts are solved by projected Gauss–Seidel sweeps.
//!
//! Source: C. Lacoursière, "Ghosts and machines: regularized variational methods for interactive simulations of multibodies with dry
//! frictional contacts", thesis, Umeå (2007).

use bevy::prelude::*;
use bevy_impulse_collide::{collision::BroadPhase, prelude::*};

use super::stages::stop_approach;
use crate::{
    contact::find_contacts,
    replace::{drift, kick, replace_step},
};

/// Regularised and stabilised contacts.
#[derive(Resource, Reflect, Clone, Copy, Debug)]
#[reflect(Resource)]
pub struct Spook {
    /// k in N/m, above 0. Default: 1e6.
    pub stiffness: f32,
    /// d in steps, 0 or more. Default: 3.
    pub relaxation: f32,
    /// Approach in m/s above which a contact is an impact first. Default: 0.5.
    pub impact_speed: f32,
    /// Sweeps over all contacts. Default: 20.
    pub iterations: u32,
}

impl Default for Spook {
    fn default() -> Self {
        Self {
            stiffness: 1e6,
            relaxation: 3.0,
            impact_speed: 0.5,
            iterations: 20,
        }
    }
}

impl Plugin for Spook {
    fn build(&self, app: &mut App) {
        app.insert_resource(*self).register_type::<Self>();
        replace_step(app, step);
    }
}

/// A row of the equations.
struct Row {
    /// Right-hand side before the impulses of this substep, in m/s: what G·M⁻¹·Gᵀ·λ + ε·λ must become.
    target: f32,
    /// v of the row with all fields and without λ, in m/s.
    free: f32,
    effective_mass: f32,
    impulse: f32,
}

fn step(
    mut bodies: ResMut<Bodies>,
    pairs: Res<BroadPhase>,
    config: Res<CollisionConfig>,
    gravity: Res<Gravity>,
    spook: Res<Spook>,
) {
    let bodies = &mut *bodies;
    let h = bodies.substep();
    let points = find_contacts(bodies, &pairs, &config);
    let impacts: Vec<_> = points
        .iter()
        .filter(|point| point.velocity(bodies).dot(point.normal) < -spook.impact_speed)
        .copied()
        .collect();
    stop_approach(bodies, &impacts, None);

    let stretch = 1.0 + 4.0 * spook.relaxation;
    let a = 4.0 / (h * stretch);
    let b = 4.0 * spook.relaxation / stretch;
    let regularisation = 4.0 / (h * h * spook.stiffness * stretch);
    let before: Vec<f32> = points
        .iter()
        .map(|point| point.velocity(bodies).dot(point.normal))
        .collect();
    kick(bodies, gravity.0, h);
    let mut rows: Vec<Row> = points
        .iter()
        .zip(before)
        .map(|(point, v)| {
            let free = point.velocity(bodies).dot(point.normal);
            // free − v = h·G·M⁻¹·f
            Row {
                target: a * point.depth - b * v - (free - v),
                free,
                effective_mass: point.effective_mass(bodies, point.normal),
                impulse: 0.0,
            }
        })
        .collect();
    for _ in 0..spook.iterations {
        for (point, row) in points.iter().zip(&mut rows) {
            let gained = point.velocity(bodies).dot(point.normal) - row.free;
            let rest = row.target - gained - regularisation * row.impulse;
            let change = rest / (1.0 / row.effective_mass + regularisation);
            let impulse = (row.impulse + change).max(0.0);
            point.push(bodies, (impulse - row.impulse) * point.normal);
            row.impulse = impulse;
        }
    }
    for (point, row) in points.iter().zip(&rows) {
        point.rub(bodies, point.friction * row.impulse);
    }
    drift(bodies, h);
}

//! Soft constraints with small steps.
//!
//! A step is cut into n substeps of length h. In each one the normal impulse is that of a damped spring, taken implicitly:
//!
//! P ← max(0, P − m·a₂·a₃·(n·v + ω/a₁·gap) − a₃·P),  a₁ = 2·ζ + h·ω, a₂ = h·ω·a₁, a₃ = 1/(1 + a₂)
//!
//! Bodies move, and a second solve without the spring takes away the speed that it gave (relaxation). Restitution comes at the end of
//! the step, for the speeds before it.
//!
//! One sweep in each of n substeps does far more than n sweeps in one step. Stiffness is a frequency ω, so it does not depend on the
//! masses. It is bounded by the substeps: with a quarter of their rate a contact is stiff, but a heavy ball on a light one still sinks.
//!
//! Source: E. Catto, "Solver2D" (2024), method "Soft Step", as in Box2D 3; M. Macklin and others, "Small steps in physics simulation"
//! (SCA 2019).

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_impulse_collide::{collision::BroadPhase, prelude::*};

use super::{
    rows::{Memory, Row, rows},
    small_steps::Moves,
};
use crate::{
    contact::find_coming_contacts,
    replace::{drift, kick, replace_step},
};

/// Soft contacts in small steps.
#[derive(Resource, Reflect, Clone, Copy, Debug)]
#[reflect(Resource)]
pub struct SoftSteps {
    /// n. Default: 4.
    pub substeps: u32,
    /// ω/2π in Hz; at most a quarter of the substeps' rate counts. Default: 30.
    pub frequency: f32,
    /// ζ. Default: 10.
    pub damping_ratio: f32,
    /// Speed in m/s at most with which overlapping bodies are pushed apart. Default: 3.
    pub push_speed: f32,
}

impl Default for SoftSteps {
    fn default() -> Self {
        Self {
            substeps: 4,
            frequency: 30.0,
            damping_ratio: 10.0,
            push_speed: 3.0,
        }
    }
}

impl Plugin for SoftSteps {
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
    method: Res<SoftSteps>,
    mut memory: Local<Memory>,
) {
    let bodies = &mut *bodies;
    let points = find_coming_contacts(bodies, &pairs, &config);
    let mut rows = rows(bodies, &points, &config, 0.0);
    let bounces: Vec<f32> = rows.iter().map(|row| row.target).collect();
    let whole = bodies.substep();
    let h = whole / method.substeps.max(1) as f32;
    let omega = TAU * method.frequency.min(0.25 / h);
    let a1 = 2.0 * method.damping_ratio + h * omega;
    let a2 = h * omega * a1;
    let a3 = 1.0 / (1.0 + a2);
    let moves = Moves::from(bodies);
    for k in 0..method.substeps.max(1) {
        kick(bodies, gravity.0, h);
        if k == 0 {
            memory.warm_start(bodies, &mut rows, 1.0);
        } else {
            for row in &rows {
                row.point.push(bodies, row.impulse());
            }
        }
        for row in &mut rows {
            let gap = moves.gap(bodies, &row.point);
            if gap > 0.0 {
                // It may close in this substep, and no more.
                row.target = -gap / h;
                row.solve(bodies, 1.0);
            } else {
                row.target = (-omega / a1 * gap).min(method.push_speed);
                spring(row, bodies, a2 * a3, a3);
            }
        }
        drift(bodies, h);
        for row in &mut rows {
            row.target = -(moves.gap(bodies, &row.point).max(0.0)) / h;
            row.solve(bodies, 1.0);
        }
    }
    memory.keep(bodies, &rows);
    for (row, bounce) in rows.iter_mut().zip(bounces) {
        if bounce > 0.0 && row.normal_impulse > 0.0 {
            row.target = bounce;
            row.solve(bodies, 1.0);
        }
    }
}

/// A row whose normal impulse is a spring's.
fn spring(row: &mut Row, bodies: &mut Bodies, mass_scale: f32, impulse_scale: f32) {
    let (_, friction) = row.wanted(bodies, 1.0);
    let v = row.point.velocity(bodies).dot(row.point.normal);
    let change =
        mass_scale * (row.target - v) * row.normal_mass - impulse_scale * row.normal_impulse;
    let normal = (row.normal_impulse + change).max(0.0);
    let limit = row.point.friction * normal;
    row.set(bodies, (normal, friction.clamp_length_max(limit)));
}

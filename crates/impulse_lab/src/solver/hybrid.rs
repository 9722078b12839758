//! A hybrid: normal impulses by a direct solve, friction by sweeps.
//!
//! In turns, the normal impulses are found for all contacts at once with friction as it is, and friction row after row with the
//! normal impulses as they are. A column does not sink, as with the direct solve, and fewer matrices are factorised. Friction is as
//! exact as the sweeps: a tall heap that stands by friction alone creeps.
//!
//! Source: C. Lacoursière, "Splitting methods for dry frictional contact problems in rigid multibody systems: preliminary
//! performance results", SIGRAD (2003), 11.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{contact_system::ContactSystem, rows::Row, sweep_step::SweepStep};
use crate::replace::replace_step;

/// Most rounds of multipliers for the normal impulses.
const NORMAL_ROUNDS: u32 = 60;

/// Speed in m/s of an approach at which the rounds end.
const TOLERANCE: f64 = 1e-8;

/// Normal impulses at once, friction row after row.
#[derive(Resource, Reflect, Clone, Copy, Debug)]
#[reflect(Resource)]
pub struct Hybrid {
    /// Turns of a direct solve and sweeps. Default: 3.
    pub turns: u32,
    /// Sweeps over the friction of all rows, in each turn. Default: 10.
    pub iterations: u32,
    /// β, the fraction of an overlap that a substep takes out, 0 to 1. Default: 0.1.
    pub bias: f32,
    /// The fraction of the last substep's impulses to start from, 0 to 1. Default: 1.
    pub warm_start: f32,
}

impl Default for Hybrid {
    fn default() -> Self {
        Self {
            turns: 3,
            iterations: 10,
            bias: 0.1,
            warm_start: 1.0,
        }
    }
}

impl Plugin for Hybrid {
    fn build(&self, app: &mut App) {
        app.insert_resource(*self).register_type::<Self>();
        replace_step(app, step);
    }
}

fn step(step: SweepStep, method: Res<Hybrid>) {
    step.run(method.bias, method.warm_start, |bodies, rows| {
        let Some(mut system) = ContactSystem::new(bodies, rows) else {
            return;
        };
        let mut solve_normals = |bodies: &mut Bodies, rows: &mut [Row]| {
            system.start_from(rows);
            system.solve_normals(NORMAL_ROUNDS, TOLERANCE);
            system.finish(bodies, rows);
        };
        for _ in 0..method.turns {
            solve_normals(bodies, rows);
            for _ in 0..method.iterations {
                for row in &mut *rows {
                    let (_, friction) = row.wanted(bodies, 1.0);
                    let limit = row.point.friction * row.normal_impulse;
                    row.set(
                        bodies,
                        (row.normal_impulse, friction.clamp_length_max(limit)),
                    );
                }
            }
        }
        // Nothing approaches in the end.
        solve_normals(bodies, rows);
    });
}

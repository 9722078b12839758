//! Jacobi: all rows are solved for the same velocities, and then all impulses change at once.
//!
//! P ← max(0, P + ω·(v_wanted − n·v)·m)
//!
//! Rows of one body do not see each other's change. With ω = 1 two rows that push the same body push twice as far as they should, and
//! the impulses grow from sweep to sweep. A small ω is stable and slow. The order of the rows does not matter, so all rows can be
//! solved at the same time by many threads, and a symmetric scene stays symmetric.
//!
//! Source: Y. Saad, "Iterative methods for sparse linear systems" (2003), 4.1, with the projection of K. G. Murty, "Linear
//! complementarity" (1988).

use bevy::prelude::*;

use super::sweep_step::SweepStep;
use crate::replace::replace_step;

/// All rows at once.
#[derive(Resource, Reflect, Clone, Copy, Debug)]
#[reflect(Resource)]
pub struct Jacobi {
    /// Sweeps over all rows. Default: 20.
    pub iterations: u32,
    /// ω, 0 to 1. Default: 0.4.
    pub relaxation: f32,
    /// β, the fraction of an overlap that a substep takes out, 0 to 1. Default: 0.1.
    pub bias: f32,
    /// The fraction of the last substep's impulses to start from, 0 to 1. Default: 1.
    pub warm_start: f32,
}

impl Default for Jacobi {
    fn default() -> Self {
        Self {
            iterations: 20,
            relaxation: 0.4,
            bias: 0.1,
            warm_start: 1.0,
        }
    }
}

impl Plugin for Jacobi {
    fn build(&self, app: &mut App) {
        app.insert_resource(*self).register_type::<Self>();
        replace_step(app, step);
    }
}

fn step(step: SweepStep, method: Res<Jacobi>) {
    step.run(method.bias, method.warm_start, |bodies, rows| {
        for _ in 0..method.iterations {
            let wanted: Vec<_> = rows
                .iter()
                .map(|row| row.wanted(bodies, method.relaxation))
                .collect();
            for (row, wanted) in rows.iter_mut().zip(wanted) {
                row.set(bodies, wanted);
            }
        }
    });
}

//! Projected Gauss–Seidel, with over-relaxation: row after row is solved, each for the velocities that the rows before it have left.
//!
//! P ← max(0, P + ω·(v_wanted − n·v)·m)
//!
//! A sweep costs as much as Jacobi's and gets about twice as far. The result depends on the order of the rows, so a symmetric scene
//! loses its symmetry. Information goes from body to body, once a sweep. So a column of n balls needs of the order of n² sweeps, and a
//! heavy ball on a light one as many as their ratio. With ω between 1 and 2 each row goes further than it should, which is what its
//! neighbours will ask for anyway.
//!
//! Source: E. Catto, "Iterative dynamics with temporal coherence" (GDC 2005), there called sequential impulses; D. M. Young,
//! "Iterative solution of large linear systems" (1971) for ω.

use bevy::prelude::*;

use super::sweep_step::SweepStep;
use crate::replace::replace_step;

/// Row after row.
#[derive(Resource, Reflect, Clone, Copy, Debug)]
#[reflect(Resource)]
pub struct GaussSeidel {
    /// Sweeps over all rows. Default: 20.
    pub iterations: u32,
    /// ω, above 0 and below 2. Default: 1.
    pub relaxation: f32,
    /// β, the fraction of an overlap that a substep takes out, 0 to 1. Default: 0.1.
    pub bias: f32,
    /// The fraction of the last substep's impulses to start from, 0 to 1. Default: 1.
    pub warm_start: f32,
}

impl Default for GaussSeidel {
    fn default() -> Self {
        Self {
            iterations: 20,
            relaxation: 1.0,
            bias: 0.1,
            warm_start: 1.0,
        }
    }
}

impl Plugin for GaussSeidel {
    fn build(&self, app: &mut App) {
        app.insert_resource(*self).register_type::<Self>();
        replace_step(app, step);
    }
}

fn step(step: SweepStep, method: Res<GaussSeidel>) {
    step.run(method.bias, method.warm_start, |bodies, rows| {
        for _ in 0..method.iterations {
            for row in &mut *rows {
                row.solve(bodies, method.relaxation);
            }
        }
    });
}

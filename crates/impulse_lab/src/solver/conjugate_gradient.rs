//! Nonsmooth nonlinear conjugate gradients: Gauss–Seidel's steps, along directions that do not undo each other.
//!
//! With one sweep P′ = GS(P) and the gradient ∇ = P − P′, the direction is p = β·p_before − ∇ with β = |∇|²/|∇_before|² (Fletcher and
//! Reeves), and P ← P′ + β·p_before. Where β > 1 the search starts anew.
//!
//! A sweep costs little more than Gauss–Seidel's. On long chains, where Gauss–Seidel creeps, it gets to the same error in far fewer
//! sweeps. Friction's limit depends on the normal impulse, so no energy is minimised, and nothing proves that it converges.
//!
//! Source: M. Silcowitz, S. Niebe, K. Erleben, "A nonsmooth nonlinear conjugate gradient method for interactive contact force
//! problems", Vis. Comput. 26 (2010) 893.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{rows::Row, sweep_step::SweepStep};
use crate::replace::replace_step;

/// Gauss–Seidel with conjugate directions.
#[derive(Resource, Reflect, Clone, Copy, Debug)]
#[reflect(Resource)]
pub struct ConjugateGradient {
    /// Sweeps over all rows. Default: 20.
    pub iterations: u32,
    /// β of Baumgarte: the fraction of an overlap that a substep takes out, 0 to 1. Default: 0.1.
    pub bias: f32,
    /// The fraction of the last substep's impulses to start from, 0 to 1. Default: 1.
    pub warm_start: f32,
}

impl Default for ConjugateGradient {
    fn default() -> Self {
        Self {
            iterations: 20,
            bias: 0.1,
            warm_start: 1.0,
        }
    }
}

impl Plugin for ConjugateGradient {
    fn build(&self, app: &mut App) {
        app.insert_resource(*self).register_type::<Self>();
        replace_step(app, step);
    }
}

fn step(step: SweepStep, method: Res<ConjugateGradient>) {
    step.run(method.bias, method.warm_start, |bodies, rows| {
        search(bodies, rows, method.iterations);
    });
}

fn search(bodies: &mut Bodies, rows: &mut [Row], iterations: u32) {
    let mut direction = vec![Vec3::ZERO; rows.len()];
    let mut length_before = 0.0;
    for k in 0..iterations {
        let before: Vec<Vec3> = rows.iter().map(Row::impulse).collect();
        for row in &mut *rows {
            row.solve(bodies, 1.0);
        }
        let descent = rows
            .iter()
            .zip(&before)
            .map(|(row, before)| row.impulse() - before);
        let descent: Vec<Vec3> = descent.collect();
        let length: f32 = descent.iter().map(|d| d.length_squared()).sum();
        let beta = if k == 0 {
            f32::MAX
        } else {
            length / length_before
        };
        length_before = length;
        if length == 0.0 {
            break;
        }
        // The last sweep must end in impulses that push and that friction allows.
        if beta > 1.0 || !beta.is_finite() || k + 1 == iterations {
            direction.fill(Vec3::ZERO);
        }
        for ((row, direction), descent) in rows.iter_mut().zip(&mut direction).zip(descent) {
            let along = beta.min(1.0) * *direction;
            if along != Vec3::ZERO {
                let n = row.point.normal;
                let normal = row.normal_impulse + along.dot(n);
                let friction = row.friction_impulse + along.reject_from_normalized(n);
                row.set(bodies, (normal, friction));
            }
            *direction = along + descent;
        }
    }
}

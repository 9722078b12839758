//! The error of self-gravity against the direct sum.

use super::{
    gravity_solver::GravitySolver,
    self_gravity::{GravityMethod, SelfGravity},
};
use crate::{body::Bodies, parallel::compute_pool};

/// The error of self-gravity against the direct sum, |a − a_direct|/|a_direct|, over all free bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForceError {
    /// Half of the bodies have a smaller error.
    pub median: f64,
    /// 99 of 100 bodies have a smaller error.
    pub percentile_99: f64,
}

impl SelfGravity {
    /// Measures the error of this field's [`method`](Self::method) against [`GravityMethod::Direct`]. `None` if no free body is
    /// attracted. The time is quadratic in the number of bodies.
    pub fn force_error(&self, bodies: &Bodies) -> Option<ForceError> {
        let radius: Vec<f32> = bodies.shape.iter().map(|shape| shape.radius()).collect();
        let mass: Vec<f32> = (0..bodies.len()).map(|i| bodies.own_mass(i)).collect();
        let accelerations = |field: &Self| {
            let mut solver = GravitySolver::default();
            solver.solve(field, &bodies.position, &mass, &radius, compute_pool());
            solver.accelerations
        };
        let found = accelerations(self);
        let direct = accelerations(&Self {
            method: GravityMethod::Direct,
            ..*self
        });
        let mut errors: Vec<f64> = (0..bodies.len())
            .filter(|&i| {
                bodies.is_dynamic(i) && !bodies.is_part(i) && direct[i].length_squared() > 0.0
            })
            .map(|i| found[i].distance(direct[i]) / direct[i].length())
            .collect();
        errors.sort_unstable_by(f64::total_cmp);
        let last = errors.len().checked_sub(1)?;
        Some(ForceError {
            median: errors[last / 2],
            percentile_99: errors[last * 99 / 100],
        })
    }
}

use bevy::prelude::*;
use glam::DVec3;

use crate::bodies::Bodies;

/// Gravity of the bodies themselves, summed over all pairs. Insert this resource to switch it on, remove it to switch it off.
///
/// Two bodies attract with G·m_a·m_b/s², s² = d² + ε². Nearer than the sum of their radii the force falls linearly to zero,
/// as inside a homogeneous ball, so no close encounter throws a body out. Each pair gets opposite forces, so linear and
/// angular momentum hold to round-off.
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Resource, Debug, PartialEq, Clone, Default)]
pub struct SelfGravity {
    /// G in m³/(kg·s²). Default 1; nature's is 6.674e-11.
    pub constant: f32,
    /// Softening ε in metres, 0 or more. Default 0.
    pub softening: f32,
}

impl Default for SelfGravity {
    fn default() -> Self {
        Self {
            constant: 1.0,
            softening: 0.0,
        }
    }
}

impl SelfGravity {
    /// Adds the field to the accelerations of all bodies. `sums` is scratch space.
    ///
    /// Summed in f64: of many pulls that nearly cancel, f32 would leave a rest that drives the whole heap.
    pub(crate) fn accelerate(&self, bodies: &mut Bodies, sums: &mut Vec<DVec3>) {
        let constant = f64::from(self.constant);
        let softening_squared = self.softening * self.softening;
        sums.clear();
        sums.resize(bodies.len(), DVec3::ZERO);
        for i in 0..bodies.len() {
            if bodies.mass[i] == 0.0 {
                continue;
            }
            let (x_i, reach_i) = (bodies.position[i], bodies.shape[i].radius());
            let mass_i = constant * f64::from(bodies.mass[i]);
            let mut sum_i = DVec3::ZERO;
            for (j, sum_j) in sums.iter_mut().enumerate().skip(i + 1) {
                let d = bodies.position[j] - x_i;
                let reach = reach_i + bodies.shape[j].radius();
                let s_squared = d.length_squared().max(reach * reach) + softening_squared;
                let pull = (d / (s_squared * s_squared.sqrt())).as_dvec3();
                sum_i += pull * (constant * f64::from(bodies.mass[j]));
                *sum_j -= pull * mass_i;
            }
            sums[i] += sum_i;
        }
        for (acceleration, sum) in bodies.acceleration.iter_mut().zip(sums) {
            *acceleration += *sum;
        }
    }

    /// Potential energy of a pair in joules: −G·m_a·m_b/s outside; inside, the parabola of the linear force, joined smoothly.
    pub fn pair_energy(&self, mass_a: f64, mass_b: f64, x_ab: DVec3, reach: f64) -> f64 {
        let softening_squared = f64::from(self.softening).powi(2);
        let s_squared = x_ab.length_squared() + softening_squared;
        let edge_squared = reach * reach + softening_squared;
        let gmm = f64::from(self.constant) * mass_a * mass_b;
        if s_squared >= edge_squared {
            -gmm / s_squared.sqrt()
        } else {
            -gmm * (3.0 * edge_squared - s_squared) / (2.0 * edge_squared * edge_squared.sqrt())
        }
    }
}

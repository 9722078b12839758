//! The potential energy of self-gravity, for diagnostics.

use multiversion::multiversion;

use super::self_gravity::SelfGravity;
use crate::{body::Bodies, parallel::for_each};

/// Number of partial sums. It does not depend on the vectors of the processor.
const LANES: usize = 8;

/// Rows of pairs for one task. The sum is taken row by row, so the tasks do not change it.
const ROWS: usize = 64;

/// Bodies with mass, one array a quantity.
#[derive(Default)]
struct Masses {
    x: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>,
    mass: Vec<f64>,
    radius: Vec<f64>,
}

impl SelfGravity {
    /// Sum of [`pair_energy`](Self::pair_energy) over all pairs with a free body, in J. The time is quadratic in the number of
    /// bodies.
    pub fn potential_energy(&self, bodies: &Bodies) -> f64 {
        let (mut all, mut fixed) = (Masses::default(), Masses::default());
        for i in (0..bodies.len()).filter(|&i| bodies.own_mass(i) > 0.0) {
            all.push(bodies, i);
            if bodies.is_static(i) {
                fixed.push(bodies, i);
            }
        }
        self.energy_of_all_pairs(&all) - self.energy_of_all_pairs(&fixed)
    }

    fn energy_of_all_pairs(&self, masses: &Masses) -> f64 {
        let mut rows = vec![0.0; masses.mass.len()];
        for_each(rows.chunks_mut(ROWS).enumerate(), |(task, rows)| {
            sum_rows(self, masses, task * ROWS, rows);
        });
        rows.iter().sum()
    }
}

impl Masses {
    fn push(&mut self, bodies: &Bodies, i: usize) {
        let x = bodies.position[i];
        self.x.push(x.x);
        self.y.push(x.y);
        self.z.push(x.z);
        self.mass.push(bodies.mass[i].into());
        self.radius.push(bodies.shape[i].radius().into());
    }
}

/// The energies of each body from number `first` on with all later ones.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw+avx2", "x86_64+avx2"))]
fn sum_rows(field: &SelfGravity, masses: &Masses, first: usize, rows: &mut [f64]) {
    for (i, row) in (first..).zip(rows) {
        let pair = |j: usize| {
            let x_ab = glam::DVec3::new(
                masses.x[j] - masses.x[i],
                masses.y[j] - masses.y[i],
                masses.z[j] - masses.z[i],
            );
            let reach = masses.radius[i] + masses.radius[j];
            field.pair_energy(masses.mass[i], masses.mass[j], x_ab, reach)
        };
        let mut lanes = [0.0; LANES];
        let mut j = i + 1;
        while j + LANES <= masses.mass.len() {
            for (l, lane) in lanes.iter_mut().enumerate() {
                *lane += pair(j + l);
            }
            j += LANES;
        }
        *row = lanes.iter().sum::<f64>() + (j..masses.mass.len()).map(pair).sum::<f64>();
    }
}

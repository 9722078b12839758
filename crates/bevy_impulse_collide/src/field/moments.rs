//! The mass moments of a cell.

use glam::Vec3;

const PAIRS: [[usize; 2]; 6] = [[0, 0], [0, 1], [0, 2], [1, 1], [1, 2], [2, 2]];

const TRIPLES: [[usize; 3]; 10] = [
    [0, 0, 0],
    [0, 0, 1],
    [0, 0, 2],
    [0, 1, 1],
    [0, 1, 2],
    [0, 2, 2],
    [1, 1, 1],
    [1, 1, 2],
    [1, 2, 2],
    [2, 2, 2],
];

/// Index of the component of a tensor of rank 2 with these indices.
const PAIR_AT: [[usize; 3]; 3] = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];

/// Σm, Σm·y·y and Σm·y·y·y about the centre of mass.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moments {
    pub mass: f32,
    pub second: [f32; 6],
    pub third: [f32; 10],
}

impl Moments {
    /// Adds moments about another centre, at `x` from this centre.
    pub fn add(&mut self, other: &Self, x: Vec3) {
        let x = x.to_array();
        let m = other.mass;
        self.mass += m;
        for ((sum, q), [i, j]) in self.second.iter_mut().zip(other.second).zip(PAIRS) {
            *sum += q + m * x[i] * x[j];
        }
        for ((sum, o), [i, j, k]) in self.third.iter_mut().zip(other.third).zip(TRIPLES) {
            let q = |i: usize, j: usize| other.second[PAIR_AT[i][j]];
            *sum += o + q(i, j) * x[k] + q(i, k) * x[j] + q(j, k) * x[i] + m * x[i] * x[j] * x[k];
        }
    }
}

//! The sparse matrix of a step of Newton's method, and its factorisation.

use std::collections::HashMap;

use bevy::math::{DMat3, DVec3};
use faer::{
    Side,
    col::ColMut,
    linalg::solvers::Solve,
    sparse::{
        Argsort, Pair, SparseColMat, SymbolicSparseColMat,
        linalg::solvers::{Llt, Lu, SymbolicLlt, SymbolicLu},
    },
};

use super::contact::Contact;

/// Velocities of a body: three of its centre, three of its rotation.
pub const DOFS: usize = 6;

pub type Block = [[f64; DOFS]; DOFS];

/// Whether a matrix is symmetric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// Only its lower triangle is kept.
    Symmetric,
    General,
}

/// Where the entries of the matrix are: a block for each body, and one or two for each pair of bodies in contact.
pub struct Pattern {
    /// The row and the column of the blocks beside the diagonal, and their numbers.
    pairs: HashMap<(usize, usize), usize>,
    count: usize,
    /// The block and the place in it of each entry.
    entries: Vec<(usize, usize, usize)>,
    structure: SymbolicSparseColMat<usize>,
    order: Argsort<usize>,
    factor: Factor,
}

/// The order of the elimination, and where the factor has entries.
enum Factor {
    /// A = L·Lᵀ.
    Cholesky(SymbolicLlt<usize>),
    /// P·A·Q = L·U.
    Lu(SymbolicLu<usize>),
}

impl Pattern {
    /// `None` if there is no memory for it.
    pub fn new(count: usize, contacts: &[Contact], symmetry: Symmetry) -> Option<Self> {
        let mut pairs: HashMap<(usize, usize), usize> = HashMap::new();
        let mut places: Vec<(usize, usize)> = (0..count).map(|block| (block, block)).collect();
        for contact in contacts {
            if let [Some((a, _)), Some((b, _))] = contact.ends {
                let lower = (a.max(b), a.min(b));
                let upper = (lower.1, lower.0);
                let blocks = match symmetry {
                    Symmetry::Symmetric => &[lower][..],
                    Symmetry::General => &[lower, upper],
                };
                for &place in blocks {
                    pairs.entry(place).or_insert_with(|| {
                        places.push(place);
                        places.len() - 1
                    });
                }
            }
        }
        let (mut entries, mut indices) = (Vec::new(), Vec::new());
        for (number, &(row, column)) in places.iter().enumerate() {
            for i in 0..DOFS {
                let is_cut = row == column && symmetry == Symmetry::Symmetric;
                let columns = if is_cut { i + 1 } else { DOFS };
                for k in 0..columns {
                    entries.push((number, i, k));
                    indices.push(Pair::new(row * DOFS + i, column * DOFS + k));
                }
            }
        }
        let size = count * DOFS;
        let (structure, order) =
            SymbolicSparseColMat::try_new_from_indices(size, size, &indices).ok()?;
        let factor = match symmetry {
            Symmetry::Symmetric => {
                Factor::Cholesky(SymbolicLlt::try_new(structure.as_ref(), Side::Lower).ok()?)
            }
            Symmetry::General => Factor::Lu(SymbolicLu::try_new(structure.as_ref()).ok()?),
        };
        Some(Self {
            pairs,
            count: places.len(),
            entries,
            structure,
            order,
            factor,
        })
    }

    /// The blocks of the unit matrix.
    pub fn identity(&self) -> Vec<Block> {
        let mut blocks = vec![[[0.0; DOFS]; DOFS]; self.count];
        for block in &mut blocks[..self.count - self.pairs.len()] {
            for (k, row) in block.iter_mut().enumerate() {
                row[k] = 1.0;
            }
        }
        blocks
    }

    /// Adds (J·L)ᵀ·`slope`·J·L of a contact.
    pub fn add(&self, contact: &Contact, slope: &DMat3, blocks: &mut [Block]) {
        if *slope == DMat3::ZERO {
            return;
        }
        let ends = contact.ends.iter().flatten();
        for (k, (one, rows)) in ends.clone().enumerate() {
            // Row i of (J·L)ᵀ·slope.
            let sloped: [DVec3; DOFS] = std::array::from_fn(|i| {
                slope.transpose() * DVec3::new(rows[0][i], rows[1][i], rows[2][i])
            });
            for (l, (other, others)) in ends.clone().enumerate() {
                let number = if k == l {
                    *one
                } else if let Some(&number) = self.pairs.get(&(*one, *other)) {
                    number
                } else {
                    continue;
                };
                for (row, sloped) in blocks[number].iter_mut().zip(sloped) {
                    for (j, entry) in row.iter_mut().enumerate() {
                        let column = DVec3::new(others[0][j], others[1][j], others[2][j]);
                        *entry += sloped.dot(column);
                    }
                }
            }
        }
    }

    /// Solves matrix·x = x. `None` if the matrix has no factor: a value is not finite.
    pub fn solve(&self, blocks: &[Block], x: &mut [f64]) -> Option<()> {
        let entries = self.entries.iter();
        let values: Vec<f64> = entries.map(|&(block, i, k)| blocks[block][i][k]).collect();
        let matrix =
            SparseColMat::new_from_argsort(self.structure.clone(), &self.order, &values).ok()?;
        let x = ColMut::from_slice_mut(x);
        match &self.factor {
            Factor::Cholesky(symbolic) => {
                Llt::try_new_with_symbolic(symbolic.clone(), matrix.as_ref(), Side::Lower)
                    .ok()?
                    .solve_in_place(x);
            }
            Factor::Lu(symbolic) => {
                Lu::try_new_with_symbolic(symbolic.clone(), matrix.as_ref())
                    .ok()?
                    .solve_in_place(x);
            }
        }
        Some(())
    }
}

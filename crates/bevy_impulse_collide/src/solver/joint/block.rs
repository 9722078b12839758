//! Blocks of up to six rows and six columns: the entries of a [`BlockMatrix`](super::block_matrix::BlockMatrix).

use glam::{DMat3, DVec3};

use crate::kernel::principal_moments;

/// Most rows of a block: a body has six freedoms, and a joint takes six at most.
pub(super) const MOST: usize = 6;

/// A block, row by row. Rows and columns that it does not have are zero.
pub(super) type Block = [[f64; MOST]; MOST];

/// The values of one node.
pub(super) type Values = [f64; MOST];

pub(super) const ZERO: Block = [[0.0; MOST]; MOST];

/// Aᵀ.
pub(super) fn transposed(a: &Block) -> Block {
    std::array::from_fn(|r| std::array::from_fn(|c| a[c][r]))
}

/// A·B, of the first `rows` rows of A and the first `columns` columns.
pub(super) fn product(a: &Block, b: &Block, rows: usize, columns: usize) -> Block {
    let mut c = ZERO;
    for (row, out) in a.iter().zip(&mut c).take(rows) {
        for (factor, row_of_b) in row.iter().zip(b).take(columns) {
            for (out, x) in out.iter_mut().zip(row_of_b) {
                *out += factor * x;
            }
        }
    }
    c
}

/// A − B·C, of as many rows and columns of B.
pub(super) fn subtract_product(a: &mut Block, b: &Block, c: &Block, rows: usize, columns: usize) {
    for (row, out) in b.iter().zip(a).take(rows) {
        for (factor, row_of_c) in row.iter().zip(c).take(columns) {
            for (out, x) in out.iter_mut().zip(row_of_c) {
                *out -= factor * x;
            }
        }
    }
}

/// A·x.
pub(super) fn times(a: &Block, x: &Values) -> Values {
    a.map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum())
}

/// Aᵀ·x.
pub(super) fn transposed_times(a: &Block, x: &Values) -> Values {
    let mut y = [0.0; MOST];
    for (row, x) in a.iter().zip(x) {
        for (y, a) in y.iter_mut().zip(row) {
            *y += a * x;
        }
    }
    y
}

/// The inverse of the first `size` rows and columns of a symmetric block that is positive definite, or negative definite, by
/// Gauss's and Jordan's method. A pivot of zero gives a row of zeros: nothing is known of it.
pub(super) fn inverse(a: &Block, size: usize, inverse: &mut Block) {
    let mut left = *a;
    *inverse = ZERO;
    for (k, row) in inverse.iter_mut().enumerate().take(size) {
        row[k] = 1.0;
    }
    for k in 0..size {
        let pivot = left[k][k];
        let by = if pivot == 0.0 { 0.0 } else { pivot.recip() };
        left[k] = left[k].map(|x| x * by);
        inverse[k] = inverse[k].map(|x| x * by);
        let (row, inverse_row) = (left[k], inverse[k]);
        for r in (0..size).filter(|&r| r != k) {
            let factor = left[r][k];
            for c in 0..MOST {
                left[r][c] -= factor * row[c];
                inverse[r][c] -= factor * inverse_row[c];
            }
        }
    }
}

/// The block of a body with this matrix from angular velocities to angular momenta.
pub(super) fn about_axes(turning: &DMat3) -> Block {
    let mut block = ZERO;
    for (k, row) in turning.transpose().to_cols_array_2d().iter().enumerate() {
        block[3 + k][3..].copy_from_slice(row);
    }
    block
}

/// The part of a symmetric matrix with positive eigenvalues.
pub(super) fn positive_part(a: DMat3) -> DMat3 {
    let (values, axes) = principal_moments(a);
    let axes = DMat3::from_quat(axes);
    axes * DMat3::from_diagonal(values.max(DVec3::ZERO)) * axes.transpose()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A = P − N with P and N positive semidefinite, and P·N = 0.
        #[test]
        fn the_positive_part_is_what_is_left_without_the_negative_one(
            numbers in prop::array::uniform6(-1.0..1.0f64),
            x in prop::array::uniform3(-1.0..1.0f64),
        ) {
            let [a, b, c, d, e, f] = numbers;
            let of = DMat3::from_cols(DVec3::new(a, d, e), DVec3::new(d, b, f), DVec3::new(e, f, c));
            let positive = positive_part(of);
            let negative = positive - of;
            let x = DVec3::from(x);
            prop_assert!(x.dot(positive * x) > -1e-12 && x.dot(negative * x) > -1e-12);
            prop_assert!((positive * negative).abs_diff_eq(DMat3::ZERO, 1e-12));
        }
    }
}

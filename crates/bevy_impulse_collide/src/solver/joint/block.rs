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

/// Sets the first `columns` rows of `out` to those of Aᵀ.
#[inline(always)]
pub(super) fn transpose(a: &Block, columns: usize, out: &mut Block) {
    for (c, out) in out.iter_mut().enumerate().take(columns) {
        *out = std::array::from_fn(|r| a[r][c]);
    }
}

/// A·B, of the first `rows` rows of A and the first `columns` columns.
pub(super) fn product(a: &Block, b: &Block, rows: usize, columns: usize) -> Block {
    let mut product = ZERO;
    for (out, row) in product.iter_mut().zip(a).take(rows) {
        for (factor, row_of_b) in row.iter().zip(b).take(columns) {
            for (sum, x) in out.iter_mut().zip(row_of_b) {
                *sum += factor * x;
            }
        }
    }
    product
}

/// A − B·C, of as many rows and columns of B.
#[inline(always)]
pub(super) fn subtract_product(a: &mut Block, b: &Block, c: &Block, rows: usize, columns: usize) {
    for (row, out) in b.iter().zip(a).take(rows) {
        let mut left = *out;
        for (factor, row_of_c) in row.iter().zip(c).take(columns) {
            for (left, x) in left.iter_mut().zip(row_of_c) {
                *left -= factor * x;
            }
        }
        *out = left;
    }
}

/// A·x.
#[inline(always)]
pub(super) fn times(a: &Block, x: &Values) -> Values {
    a.map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum())
}

/// Aᵀ·x.
#[inline(always)]
pub(super) fn transposed_times(a: &Block, x: &Values) -> Values {
    let mut y = [0.0; MOST];
    for (row, x) in a.iter().zip(x) {
        for (y, a) in y.iter_mut().zip(row) {
            *y += a * x;
        }
    }
    y
}

/// Sets `inverse` to that of the first `size` rows and columns of a symmetric block that is positive definite, or negative definite, by
/// Gauss's and Jordan's method, in place. A pivot of zero gives a row of zeros: nothing is known of it.
pub(super) fn invert(a: &Block, size: usize, inverse: &mut Block) {
    let mut out = *a;
    for k in 0..size {
        let pivot = out[k][k];
        let by = if pivot == 0.0 { 0.0 } else { pivot.recip() };
        let mut row = out[k];
        row[k] = 1.0;
        let row = row.map(|x| x * by);
        for r in (0..size).filter(|&r| r != k) {
            let mut other = out[r];
            let factor = other[k];
            other[k] = 0.0;
            for (x, of_row) in other.iter_mut().zip(row) {
                *x -= factor * of_row;
            }
            out[r] = other;
        }
        out[k] = row;
    }
    *inverse = out;
}

/// Sets `out` to the factors of the first `size` rows and columns of a symmetric block: L below the diagonal, 1/D on it. A pivot of zero
/// gives zeros: nothing is known of its row.
#[inline(always)]
pub(super) fn decompose(a: &Block, size: usize, out: &mut Block) {
    let mut left = *a;
    for k in 0..size {
        let row = left[k];
        let by = if row[k] == 0.0 { 0.0 } else { row[k].recip() };
        for other in left.iter_mut().take(size).skip(k + 1) {
            let factor = other[k] * by;
            for (x, of_row) in other.iter_mut().zip(row).skip(k + 1) {
                *x -= factor * of_row;
            }
            other[k] = factor;
        }
        left[k][k] = by;
    }
    *out = left;
}

/// Sets `columns` from Aᵀ to L⁻¹·Aᵀ, and `out` to A·L⁻ᵀ·D⁻¹, with the factors of a diagonal block.
#[inline(always)]
pub(super) fn divide(columns: &mut Block, out: &mut Block, size: usize, pivots: &Block) {
    for k in 0..size {
        let mut own = columns[k];
        for (factor, before) in pivots[k].iter().zip(&*columns).take(k) {
            for (x, of_before) in own.iter_mut().zip(before) {
                *x -= factor * of_before;
            }
        }
        columns[k] = own;
        for (row, x) in out.iter_mut().zip(own) {
            row[k] = x * pivots[k][k];
        }
    }
}

/// L⁻¹·x.
#[inline(always)]
pub(super) fn reduce(x: &mut Values, pivots: &Block) {
    for k in 1..MOST {
        for j in 0..k {
            x[k] -= pivots[k][j] * x[j];
        }
    }
}

/// L⁻ᵀ·x.
#[inline(always)]
pub(super) fn restore(x: &mut Values, pivots: &Block) {
    for k in (1..MOST).rev() {
        for j in 0..k {
            x[j] -= pivots[k][j] * x[k];
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
    let DMat3 {
        x_axis: x,
        y_axis: y,
        ..
    } = a;
    if x.x > 0.0 && x.x * y.y > x.y * y.x && a.determinant() > 0.0 {
        return a;
    }
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

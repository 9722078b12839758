//! Blocks of up to six rows and six columns: the entries of a [`BlockMatrix`](super::block_matrix::BlockMatrix).

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

/// A·B.
pub(super) fn product(a: &Block, b: &Block) -> Block {
    let mut c = ZERO;
    for (row, out) in a.iter().zip(&mut c) {
        for (factor, row_of_b) in row.iter().zip(b) {
            for (out, x) in out.iter_mut().zip(row_of_b) {
                *out += factor * x;
            }
        }
    }
    c
}

/// A − B·C.
pub(super) fn subtract_product(a: &mut Block, b: &Block, c: &Block) {
    for (row, out) in b.iter().zip(a) {
        for (factor, row_of_c) in row.iter().zip(c) {
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
pub(super) fn inverse(a: &Block, size: usize) -> Block {
    let mut left = *a;
    let mut inverse = ZERO;
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
    inverse
}

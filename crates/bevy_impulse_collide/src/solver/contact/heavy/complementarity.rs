//! The linear complementarity problem of the normal impulses of a group.
//!
//!   A·λ + b ≥ 0,  λ ≥ 0,  λᵀ(A·λ + b) = 0,
//!
//! with A = J·M⁻¹·Jᵀ, and b the approach that is too much without them: normal velocity plus allowed closing speed. An active set
//! of points that press is changed point by point until all conditions hold (Lawson, Hanson: Solving Least Squares Problems, 1974).

use super::row::Row;

/// Added to the diagonal of A, as a fraction: points of one body can be redundant.
const REGULARISATION: f64 = 1e-10;

/// Changes of the set in which all wrong points change at once. It is faster than point by point, but need not end (Júdice, Pires:
/// Computers & Operations Research 21, 1994).
const BLOCK_CHANGES: usize = 8;

/// Most multiplications of all factorisations, so that the time is bounded. A group that has found its impulses once takes far
/// fewer.
const MAX_WORK: usize = 2_000_000;

/// Speed at which a contact may close with the impulses found, over the greatest speed without them.
const MAX_CLOSING: f64 = 1e-3;

/// A linear complementarity problem with a symmetric, positive matrix.
#[derive(Debug, Default)]
pub(super) struct Complementarity {
    matrix: Vec<f64>,
    excess: Vec<f64>,
    impulses: Vec<f64>,
    presses: Vec<bool>,
    factor: Vec<f64>,
    trial: Vec<f64>,
    /// The points that press.
    set: Vec<usize>,
    /// Multiplications so far.
    work: usize,
    /// Of each row of the factor, the first column that is not zero: bodies in contact form chains, so most columns are.
    starts: Vec<usize>,
    /// The bodies of the rows, each with the row and the side, sorted.
    sides: Vec<(u32, usize, usize)>,
}

impl Complementarity {
    /// The normal impulses of a group; `None` if there are none with which no contact closes, as moving walls can jam a group, or no
    /// time to find them.
    pub fn solve(&mut self, rows: &[Row]) -> Option<&[f64]> {
        self.assemble(rows);
        self.presses.clear();
        self.presses.extend(rows.iter().map(|row| row.start > 0.0));
        (self.change_set() && self.is_solved()).then_some(&self.impulses)
    }

    /// Finds A and b. Points act on each other where they have a body in common.
    fn assemble(&mut self, rows: &[Row]) {
        let n = rows.len();
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        self.excess.clear();
        self.excess.extend(rows.iter().map(|row| row.excess));
        self.sides.clear();
        for (i, row) in (0..).zip(rows) {
            let moved = (0..).zip(&row.sides).filter(|(_, side)| side.is_moved());
            self.sides.extend(moved.map(|(k, side)| (side.body, i, k)));
        }
        self.sides.sort_unstable();
        for sides in self.sides.chunk_by(|one, other| one.0 == other.0) {
            for &(_, i, k) in sides {
                let side = &rows[i].sides[k];
                for &(_, j, l) in sides {
                    let other = &rows[j];
                    self.matrix[i * n + j] += side.felt((other.sides[l].dv, other.sides[l].dw));
                    self.excess[i] += side.felt(other.friction[l]);
                }
            }
        }
        for i in 0..n {
            self.matrix[i * n + i] *= 1.0 + REGULARISATION;
        }
    }

    /// Whether no contact closes with the impulses, without the help of the regularisation.
    fn is_solved(&self) -> bool {
        let n = self.excess.len();
        let scale = self.scale();
        (0..n).all(|i| {
            let own = REGULARISATION * self.matrix[i * n + i] * self.impulses[i];
            // False for what is no number.
            self.parting(i) - own >= -MAX_CLOSING * scale
        })
    }

    /// The greatest speed in m/s at which a contact would close or part.
    fn scale(&self) -> f64 {
        self.excess.iter().fold(0f64, |most, b| most.max(b.abs()))
    }

    /// The speed in m/s at which contact `i` parts with the impulses.
    fn parting(&self, i: usize) -> f64 {
        let n = self.excess.len();
        let row = &self.matrix[i * n..(i + 1) * n];
        let change: f64 = row.iter().zip(&self.impulses).map(|(a, l)| a * l).sum();
        self.excess[i] + change
    }

    /// Changes the set of points that press until all conditions hold. Whether they do.
    fn change_set(&mut self) -> bool {
        let n = self.excess.len();
        self.impulses.clear();
        self.impulses.resize(n, 0.0);
        let scale = self.scale();
        // An impulse does nothing at a point whose row is zero.
        let can_press = |matrix: &[f64], i: usize| matrix[i * n + i] > 0.0;
        for i in 0..n {
            self.presses[i] &= can_press(&self.matrix, i);
        }
        self.work = 0;
        for change in 0..3 * n + 3 {
            let is_block = change < BLOCK_CHANGES;
            if !self.solve_pressing() {
                return false;
            }
            // A point must not pull: the worst one leaves the set.
            let pulls = |&i: &usize| self.presses[i] && self.trial[i] < 0.0;
            let worst = (0..n)
                .filter(pulls)
                .min_by(|&i, &j| self.trial[i].total_cmp(&self.trial[j]));
            if let Some(worst) = worst {
                for i in 0..n {
                    self.presses[i] &= !(i == worst || is_block && self.trial[i] < 0.0);
                }
                continue;
            }
            self.impulses.clone_from(&self.trial);
            // A point must not approach: the worst one joins the set.
            let mut worst = None;
            for i in 0..n {
                if self.presses[i] || !can_press(&self.matrix, i) {
                    continue;
                }
                let parting = self.parting(i);
                if parting < -1e-9 * scale {
                    self.presses[i] |= is_block;
                    if worst.is_none_or(|(least, _)| parting < least) {
                        worst = Some((parting, i));
                    }
                }
            }
            match worst {
                Some((_, i)) => self.presses[i] = true,
                None => return true,
            }
        }
        false
    }

    /// Solves A·λ = −b for the points that press, with λ = 0 for the others, by a Cholesky factorisation within the envelope of the
    /// matrix. Whether there was time for it.
    fn solve_pressing(&mut self) -> bool {
        let Self {
            matrix,
            excess,
            presses,
            factor,
            trial,
            set,
            starts,
            work,
            ..
        } = self;
        let all = excess.len();
        set.clear();
        set.extend((0..all).filter(|&i| presses[i]));
        let n = set.len();
        trial.clear();
        trial.resize(all, 0.0);
        factor.clear();
        factor.resize(n * n, 0.0);
        starts.clear();
        let dot =
            |one: &[f64], other: &[f64]| -> f64 { one.iter().zip(other).map(|(a, b)| a * b).sum() };
        // Forwards: L·y = −b. The solution is kept in the places of the points.
        for (i, &row) in set.iter().enumerate() {
            let entries = &matrix[row * all..(row + 1) * all];
            let start = (0..i).find(|&j| entries[set[j]] != 0.0).unwrap_or(i);
            starts.push(start);
            *work += (i - start).pow(2) / 2;
            if *work > MAX_WORK {
                return false;
            }
            for j in start..i {
                let from = start.max(starts[j]);
                let known = dot(&factor[i * n + from..i * n + j], &factor[j * n + from..]);
                factor[i * n + j] = (entries[set[j]] - known) / factor[j * n + j];
            }
            let own = &factor[i * n + start..i * n + i];
            let least = REGULARISATION * entries[row];
            let diagonal = (entries[row] - dot(own, own)).max(least).sqrt();
            let known: f64 = (start..i).map(|k| factor[i * n + k] * trial[set[k]]).sum();
            factor[i * n + i] = diagonal;
            trial[row] = (-excess[row] - known) / diagonal;
        }
        // Backwards: Lᵀ·λ = y.
        for i in (0..n).rev() {
            let impulse = trial[set[i]] / factor[i * n + i];
            trial[set[i]] = impulse;
            for k in starts[i]..i {
                trial[set[k]] -= factor[i * n + k] * impulse;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A = J·Jᵀ of a random J, with more rows than columns in some cases: some rows are redundant then.
        #[test]
        fn all_conditions_of_the_problem_hold(
            columns in 3..12usize,
            rows in prop::collection::vec((prop::collection::vec(-1.0..1.0f64, 12), -1.0..1.0f64), 1..10),
            presses in prop::collection::vec(any::<bool>(), 10),
        ) {
            let dot = |a: &[f64], b: &[f64]| -> f64 {
                a[..columns].iter().zip(b).map(|(a, b)| a * b).sum()
            };
            // b = J·v: then there are velocities at which nothing approaches, and the problem has a solution.
            let v: Vec<f64> = (0..12).map(|k| (k as f64).sin()).collect();
            let mut problem = Complementarity::default();
            for (one, _) in &rows {
                problem.matrix.extend(rows.iter().map(|(other, _)| dot(one, other)));
                problem.excess.push(dot(one, &v));
            }
            problem.presses.extend_from_slice(&presses[..rows.len()]);
            let n = rows.len();
            for i in 0..n {
                problem.matrix[i * n + i] *= 1.0 + REGULARISATION;
            }
            // Rows that are redundant but for rounding may leave no way on. Then nothing is claimed, and the sweeps start as before.
            prop_assume!(problem.change_set());
            for i in 0..rows.len() {
                let row = &problem.matrix[i * rows.len()..][..rows.len()];
                let change: f64 = row.iter().zip(&problem.impulses).map(|(a, l)| a * l).sum();
                let (parting, impulse) = (problem.excess[i] + change, problem.impulses[i]);
                prop_assert!(parting > -1e-6 && impulse >= 0.0, "{parting} {impulse}");
                // Nearly redundant rows have large impulses that cancel; the sum rounds, and the regularisation is felt.
                let terms: f64 = row.iter().zip(&problem.impulses).map(|(a, l)| (a * l).abs()).sum();
                let exact = 1e-8 * (problem.excess[i].abs() + terms);
                prop_assert!(impulse == 0.0 || parting.abs() <= exact, "{parting} {impulse} {exact}");
            }
        }
    }
}

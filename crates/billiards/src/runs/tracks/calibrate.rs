//! Finds the constants of a table from tracked shots.
//!
//! All strokes and all constants change together (Gauss, Newton, Levenberg, Marquardt). The errors of a shot depend on its own
//! stroke and on the constants alone, so each stroke is eliminated in its shot, and a small system for the constants is left
//! (variable projection: G. H. Golub and V. Pereyra, Inverse Problems 19 (2003) R1).

use nalgebra::{Cholesky, Const, SMatrix, SVector};
use scene_kit::headless::progress_bar;

use super::{
    constants::{self, Constants},
    fit::{Fitted, Search, Target, slopes},
    stroke::{self, Stroke},
};
use crate::{
    table::spec::TableSpec,
    threads::{cores, for_all},
};

/// Searches for all strokes without a hint. With better constants, other strokes may be better.
const SEARCHES: usize = 4;
/// Steps of all constants between two of them.
const STEPS: usize = 12;
/// An error that counts as none, in m. Errors count by their logarithm, so that no shot that went wrong outweighs the others.
const FLOOR: f64 = 0.01;
/// Effort for a stroke that is nearly right.
const PATIENCE: usize = 4;
/// Damping of the first step, and the damping at which the search gives up.
const DAMPING: f64 = 0.01;
const DAMPED: f64 = 1e3;
/// A constant changes at most by so many of its units at once.
const FARTHEST: f64 = 3.0;
/// Step of the derivatives, in the units of a stroke's numbers and of the constants.
const DIFFERENCE: f64 = 0.1;

type Numbers = SVector<f64, { constants::COUNT }>;
type Square = SMatrix<f64, { constants::COUNT }, { constants::COUNT }>;

/// Constants and strokes found together.
#[derive(Clone, Debug)]
pub struct Calibrated {
    /// The constants.
    pub constants: Constants,
    /// One stroke a shot.
    pub strokes: Vec<Fitted>,
}

/// Finds the constants with which the strokes explain `targets` best, beginning with `constants`.
pub fn calibrate(table: &TableSpec, constants: Constants, targets: &[Target]) -> Calibrated {
    let search = Search::new(constants.on(table));
    let strokes = for_all(cores(), targets.len(), |i| search.find(&targets[i]));
    let mut best = Calibrated { constants, strokes };
    let progress = progress_bar(SEARCHES as u64, "searches for constants");
    for _ in 0..SEARCHES {
        best.descend(table, targets);
        best.search_again(table, targets);
        progress.inc(1);
    }
    progress.finish_and_clear();
    best
}

/// What a shot says of the constants, after its stroke has followed them: the normal equations without the stroke.
struct Share {
    slope: Numbers,
    curvature: Square,
}

impl Calibrated {
    /// Mean logarithm of the errors.
    fn score(&self) -> f64 {
        let sum: f64 = self
            .strokes
            .iter()
            .map(|fitted| (fitted.rmse + FLOOR).ln())
            .sum();
        sum / self.strokes.len() as f64
    }

    /// Goes downhill.
    fn descend(&mut self, table: &TableSpec, targets: &[Target]) {
        let mut damping = DAMPING;
        for _ in 0..STEPS {
            let shares = for_all(cores(), targets.len(), |i| {
                share(table, self.constants, &targets[i], &self.strokes[i])
            });
            let mut slope = Numbers::zeros();
            let mut curvature = Square::zeros();
            for share in shares.into_iter().flatten() {
                slope += share.slope;
                curvature += share.curvature;
            }
            loop {
                if damping > DAMPED {
                    return;
                }
                let changed = damped_step(curvature, slope, damping)
                    .and_then(|step| self.with_step(table, targets, step));
                if let Some(changed) = changed {
                    *self = changed;
                    damping *= 0.2;
                    break;
                }
                damping *= 6.0;
            }
        }
    }

    /// With all constants changed by `step`, and strokes that have followed, if that is better.
    fn with_step(&self, table: &TableSpec, targets: &[Target], step: Numbers) -> Option<Self> {
        let constants = self.constants.changed(step.as_slice()).possible();
        let search = Search::new(constants.on(table));
        let strokes = for_all(cores(), targets.len(), |i| {
            search.refine(&targets[i], self.strokes[i].stroke, PATIENCE)
        });
        let changed = Self { constants, strokes };
        (changed.score() < self.score()).then_some(changed)
    }

    /// Searches for all strokes without a hint.
    fn search_again(&mut self, table: &TableSpec, targets: &[Target]) {
        let search = Search::new(self.constants.on(table));
        let found = for_all(cores(), targets.len(), |i| search.find(&targets[i]));
        for (old, new) in self.strokes.iter_mut().zip(found) {
            if new.rmse < old.rmse {
                *old = new;
            }
        }
    }
}

/// The share of one shot; none if its stroke does not tell where to go.
///
/// The slope of ln(ε + floor) is that of the squares, ε², over 2·ε·(ε + floor): the weight of the shot.
fn share(
    table: &TableSpec,
    constants: Constants,
    target: &Target,
    fitted: &Fitted,
) -> Option<Share> {
    let residuals = |constants: Constants, stroke: Stroke| {
        Search::new(constants.on(table)).residuals(target, stroke)
    };
    let here = residuals(constants, fitted.stroke);
    let count = here.len() as f64;
    let weight = 1.0 / (count * fitted.rmse * (fitted.rmse + FLOOR));

    let errors = |stroke| residuals(constants, stroke);
    let by_stroke = slopes(errors, fitted.stroke, &here, DIFFERENCE);
    let by_constant: [_; constants::COUNT] = std::array::from_fn(|k| {
        let step = constants.room(k, DIFFERENCE);
        let mut change = [0.0; constants::COUNT];
        change[k] = step;
        (residuals(constants.changed(&change), fitted.stroke) - &here) / step
    });

    let mut strokes: SMatrix<f64, { stroke::COUNT }, { stroke::COUNT }> =
        SMatrix::from_fn(|i, j| by_stroke[i].dot(&by_stroke[j]));
    for k in 0..stroke::COUNT {
        strokes[(k, k)] *= 1.0 + DAMPING;
    }
    let mixed: SMatrix<f64, { stroke::COUNT }, { constants::COUNT }> =
        SMatrix::from_fn(|i, k| by_stroke[i].dot(&by_constant[k]));
    let along: SVector<f64, { stroke::COUNT }> = SVector::from_fn(|i, _| by_stroke[i].dot(&here));
    let own = Square::from_fn(|i, j| by_constant[i].dot(&by_constant[j]));
    let slope = Numbers::from_fn(|k, _| by_constant[k].dot(&here));

    let strokes: Cholesky<f64, Const<{ stroke::COUNT }>> = strokes.cholesky()?;
    Some(Share {
        slope: weight * (slope - mixed.transpose() * strokes.solve(&along)),
        curvature: weight * (own - mixed.transpose() * strokes.solve(&mixed)),
    })
}

/// The step downhill, with every diagonal made greater.
fn damped_step(mut curvature: Square, slope: Numbers, damping: f64) -> Option<Numbers> {
    for k in 0..constants::COUNT {
        curvature[(k, k)] = curvature[(k, k)].max(f64::MIN_POSITIVE) * (1.0 + damping);
    }
    let step = curvature.cholesky()?.solve(&-slope);
    Some(step * (FARTHEST / step.amax()).min(1.0))
}

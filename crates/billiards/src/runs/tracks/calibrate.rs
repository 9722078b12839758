//! Finds the constants of a table from tracked shots.

use scene_kit::headless::progress_bar;

use super::{
    constants::Constants,
    fit::{Fitted, Search, Target, for_all},
};
use crate::table::spec::TableSpec;

/// Rounds over all constants.
const ROUNDS: usize = 8;
/// An error that counts as none, in m. Errors count by their logarithm, so that no shot that went wrong outweighs the others.
const FLOOR: f64 = 0.01;
/// Effort for a stroke that is nearly right.
const PATIENCE: usize = 4;

/// Constants and strokes found together.
#[derive(Clone, Debug)]
pub struct Calibrated {
    /// The constants.
    pub constants: Constants,
    /// One stroke a shot.
    pub strokes: Vec<Fitted>,
}

/// Finds the constants with which the strokes explain `targets` best, beginning with `constants`.
///
/// One constant after another goes a step up or down. All strokes follow, and the step stays if the errors shrink.
pub fn calibrate(table: &TableSpec, constants: Constants, targets: &[Target]) -> Calibrated {
    let search = Search::new(constants.on(table));
    let strokes = for_all(targets, |i| search.find(&targets[i]));
    let mut best = Calibrated { constants, strokes };
    let mut steps = Constants::first_steps();
    let progress = progress_bar((ROUNDS * steps.len()) as u64, "tries of a constant");
    for round in 1..=ROUNDS {
        for (k, size) in steps.iter_mut().enumerate() {
            progress.inc(1);
            let better = [*size, -*size]
                .into_iter()
                .find_map(|step| best.with_step(table, targets, k, step));
            match better {
                Some(better) => {
                    best = better;
                    *size *= 1.3;
                }
                None => *size *= 0.5,
            }
        }
        if round == ROUNDS / 2 {
            best.search_again(table, targets);
        }
    }
    progress.finish_and_clear();
    best.search_again(table, targets);
    best
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

    /// With constant `k` changed by `step`, if that is better.
    fn with_step(
        &self,
        table: &TableSpec,
        targets: &[Target],
        k: usize,
        step: f64,
    ) -> Option<Self> {
        let mut numbers = self.constants.to_array();
        numbers[k] += step;
        let constants = Constants::from_array(numbers);
        constants.check().ok()?;
        let search = Search::new(constants.on(table));
        let strokes = for_all(targets, |i| {
            search.refine(&targets[i], self.strokes[i].stroke, PATIENCE)
        });
        let changed = Self { constants, strokes };
        (changed.score() < self.score()).then_some(changed)
    }

    /// Searches for all strokes without a hint: with better constants, other ones may be better.
    fn search_again(&mut self, table: &TableSpec, targets: &[Target]) {
        let search = Search::new(self.constants.on(table));
        let found = for_all(targets, |i| search.find(&targets[i]));
        for (old, new) in self.strokes.iter_mut().zip(found) {
            if new.rmse < old.rmse {
                *old = new;
            }
        }
    }
}

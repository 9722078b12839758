//! Finds the constants of a table from tracked shots.

use bevy::prelude::*;

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
    for round in 1..=ROUNDS {
        for k in 0..steps.len() {
            let better = [steps[k], -steps[k]]
                .into_iter()
                .find_map(|step| best.with_step(table, targets, k, step));
            match better {
                Some(better) => {
                    best = better;
                    steps[k] *= 1.3;
                }
                None => steps[k] *= 0.5,
            }
        }
        info!(
            "round {round} of {ROUNDS}: mean error {:.4} m, {:?}",
            best.score().exp() - FLOOR,
            best.constants
        );
        if round == ROUNDS / 2 {
            best.search_again(table, targets);
        }
    }
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

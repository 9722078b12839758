//! The walks of marbles down Galton's board: to the left or to the right at each row of pegs.
//!
//! If each peg decides anew, with equal chances, then the bins under n rows get binomial numbers of marbles: their standard deviation
//! is √n/2 bins. If a marble keeps its side from one row to the next, with a correlation ρ, it is nearly √((1 + ρ)/(1 − ρ)) times as
//! large. So the correlation tells whether the binomial law may be expected.

use bevy::prelude::*;

use super::course::{Board, ROWS};

/// Gaps under the last row, or places where the binomial law has marbles.
pub(super) const BINS: usize = ROWS as usize + 1;

/// The gaps through which a marble has fallen, row by row, in half pitches from the middle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Walk {
    rows: usize,
    gaps: [i32; ROWS as usize],
}

impl Walk {
    /// Follows a marble in a step from one point to another. Whether that ends the walk.
    pub fn go_on(&mut self, board: &Board, from: Vec3, to: Vec3) -> bool {
        let before = self.rows;
        while self.rows < self.gaps.len()
            && let Some(gap) = board.gap(self.rows as u32, from, to)
        {
            self.gaps[self.rows] = gap;
            self.rows += 1;
        }
        self.rows > before && self.rows == self.gaps.len()
    }

    /// The gap of the last row, counted from the left. Marbles at the sides are in the outermost ones.
    fn bin(&self) -> usize {
        let last = self.gaps[self.gaps.len() - 1];
        ((last + ROWS as i32) / 2).clamp(0, ROWS as i32) as usize
    }
}

/// All walks that have ended.
#[derive(Clone, Debug, Default)]
pub(super) struct Walks {
    /// Marbles in each bin.
    pub bins: [u32; BINS],
    /// Decisions to the side of the decision before, and to the other side.
    kept: u32,
    turned: u32,
}

impl Walks {
    pub fn add(&mut self, walk: &Walk) {
        self.bins[walk.bin()] += 1;
        for gaps in walk.gaps.windows(3) {
            if (gaps[1] - gaps[0]) * (gaps[2] - gaps[1]) > 0 {
                self.kept += 1;
            } else {
                self.turned += 1;
            }
        }
    }

    pub fn count(&self) -> u32 {
        self.bins.iter().sum()
    }

    /// The correlation of decisions at neighbouring rows: 0 if each peg decides anew, 1 if a marble never changes its side.
    pub fn correlation(&self) -> Option<f64> {
        let (kept, turned) = (f64::from(self.kept), f64::from(self.turned));
        (kept + turned > 0.0).then(|| (kept - turned) / (kept + turned))
    }

    /// The standard deviation of the marbles' places, in bins.
    pub fn spread(&self) -> Option<f64> {
        let count = f64::from(self.count());
        let moment = |power: i32| -> f64 {
            let bins = self.bins.iter().enumerate();
            let terms = bins.map(|(bin, &count)| f64::from(count) * (bin as f64).powi(power));
            terms.sum::<f64>() / count
        };
        (count > 1.0).then(|| (moment(2) - moment(1).powi(2)).max(0.0).sqrt())
    }

    /// The standard deviation by the binomial law, in bins.
    pub fn binomial_spread() -> f64 {
        0.5 * f64::from(ROWS).sqrt()
    }

    /// So many marbles as have fallen, by the binomial law: N·C(n, k)/2ⁿ.
    pub fn binomial(&self) -> [f64; BINS] {
        let mut expected = [f64::from(self.count()) * 0.5f64.powi(ROWS as i32); BINS];
        for k in 1..BINS {
            expected[k] = expected[k - 1] * (BINS - k) as f64 / k as f64;
        }
        expected
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(decide: impl Fn(usize) -> i32) -> Walk {
        let mut gaps = [0; ROWS as usize];
        let mut gap = 0;
        for (row, at) in gaps.iter_mut().enumerate() {
            gap += decide(row);
            *at = gap;
        }
        let rows = gaps.len();
        Walk { rows, gaps }
    }

    #[test]
    fn all_ways_down_are_binomial_and_do_not_depend_on_each_other() {
        let mut walks = Walks::default();
        for way in 0..1 << ROWS {
            walks.add(&walk(|row| 2 * ((way >> row) & 1) - 1));
        }
        assert_eq!(walks.bins.map(f64::from), walks.binomial());
        assert_eq!(walks.correlation(), Some(0.0));
        let spread = walks.spread().unwrap();
        assert!((spread - Walks::binomial_spread()).abs() < 1e-9, "{spread}");
    }

    #[test]
    fn a_marble_that_keeps_its_side_has_the_correlation_one() {
        let mut walks = Walks::default();
        walks.add(&walk(|_| 1));
        walks.add(&walk(|_| -1));
        assert_eq!(walks.correlation(), Some(1.0));
        assert_eq!([walks.bins[0], walks.bins[BINS - 1]], [1, 1]);
    }
}

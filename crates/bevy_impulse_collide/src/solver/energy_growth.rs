//! Tells whether bodies gain kinetic energy.

use crate::parallel::map_chunks;

/// Sums over bodies, kept between calls.
#[derive(Debug, Default)]
pub(super) struct EnergyGrowth {
    /// By task: the energy before, and the sum of the changes of all bodies whose energy grows, in J.
    totals: Vec<(f64, f64)>,
}

impl EnergyGrowth {
    /// Whether the bodies that gain energy gain more than the fraction `rounding` of the energy of all. `of` gives the energy of a body
    /// before, and its change, both in J; `None` for a body that does not count.
    ///
    /// No group of the bodies can gain more than its bodies that gain. One that loses must not hide another one that gains.
    pub fn exceeds(
        &mut self,
        rounding: f64,
        bodies: usize,
        per_task: usize,
        of: impl Fn(usize) -> Option<(f64, f64)> + Sync,
    ) -> bool {
        let totals = map_chunks(bodies, per_task, &mut self.totals, |range, total| {
            *total = (0.0, 0.0);
            for (before, growth) in range.filter_map(&of) {
                total.0 += before;
                // A growth that is no number counts.
                total.1 += if growth <= 0.0 { 0.0 } else { growth };
            }
        });
        let sum = |(before, growth), &(b, g): &(f64, f64)| (before + b, growth + g);
        let (before, growth) = totals.iter().fold((0.0, 0.0), sum);
        // False for a growth that is no number.
        let is_rounding = growth <= rounding * before;
        !is_rounding
    }
}

//! Tells whether bodies gain kinetic energy.

use crate::parallel::map_chunks;

/// Whether bodies gain energy, by task; kept between calls.
#[derive(Debug, Default)]
pub(super) struct EnergyGrowth {
    gains: Vec<bool>,
}

impl EnergyGrowth {
    /// Whether any body gains more than the fraction `rounding` of its energy. `of` gives the energy of a body before, and its change,
    /// both in J; `None` for a body that does not count.
    ///
    /// If none does, no group of bodies does. Each body counts for itself: one that loses, or has much, must not hide another one
    /// that gains.
    pub fn exceeds(
        &mut self,
        rounding: f64,
        bodies: usize,
        per_task: usize,
        of: impl Fn(usize) -> Option<(f64, f64)> + Sync,
    ) -> bool {
        let gains = map_chunks(bodies, per_task, &mut self.gains, |range, gains| {
            // A growth that is no number counts.
            let is_rounding = |(before, growth): (f64, f64)| growth <= rounding * before;
            *gains = !range.filter_map(&of).all(is_rounding);
        });
        gains.contains(&true)
    }
}

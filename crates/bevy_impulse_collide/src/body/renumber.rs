//! Pairs of an earlier step, found again after bodies have come, gone or moved in memory.

use bevy::prelude::*;

use super::store::Bodies;

/// A pair of an earlier step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Renumbered {
    /// Indices of its bodies now, the lower first.
    pub pair: (u32, u32),
    /// Its index among the earlier pairs.
    pub before: usize,
    /// Whether the body that was first is second now.
    pub is_swapped: bool,
}

impl Bodies {
    /// The pairs of an earlier step, in which the bodies were `entities`. They get the present indices of their bodies, and are
    /// sorted. Pairs with a body that is gone are left out.
    pub(crate) fn renumber(
        &self,
        entities: &[Entity],
        pairs: impl Iterator<Item = (u32, u32)>,
    ) -> Vec<Renumbered> {
        let index_of = |i: u32| self.index_of(entities[i as usize]).map(|i| i as u32);
        let mut renumbered: Vec<Renumbered> = pairs
            .enumerate()
            .filter_map(|(before, (a, b))| {
                let (a, b) = (index_of(a)?, index_of(b)?);
                Some(Renumbered {
                    pair: (a.min(b), a.max(b)),
                    before,
                    is_swapped: a > b,
                })
            })
            .collect();
        if !renumbered.is_sorted_by_key(|found| found.pair) {
            // Stable: the points of one pair stay in their order.
            renumbered.sort_by_key(|found| found.pair);
        }
        renumbered
    }
}

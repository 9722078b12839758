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

/// Whether a pair is gone: it then has its first body twice, so that all other pairs keep their numbers.
pub(crate) fn is_gone((a, b): (u32, u32)) -> bool {
    a == b
}

impl Bodies {
    /// The pairs of an earlier step, in which the bodies were `entities`. They get the present indices of their bodies, and are
    /// sorted. Pairs that are gone, or whose bodies are, are left out.
    pub(crate) fn renumber(
        &self,
        entities: &[Entity],
        pairs: impl Iterator<Item = (u32, u32)>,
    ) -> Vec<Renumbered> {
        let renumbered = pairs.enumerate();
        let mut renumbered: Vec<Renumbered> = renumbered
            .filter_map(|(before, pair)| self.renumbered(entities, before, pair))
            .collect();
        if !renumbered.is_sorted_by_key(|found| found.pair) {
            // Stable: the points of one pair stay in their order.
            renumbered.sort_by_key(|found| found.pair);
        }
        renumbered
    }

    /// A pair of an earlier step, in which the bodies were `entities`, and it had this index; `None` if it is gone, or a body of it.
    pub(crate) fn renumbered(
        &self,
        entities: &[Entity],
        before: usize,
        pair: (u32, u32),
    ) -> Option<Renumbered> {
        // Most bodies are where they were.
        let index_of = |i: u32| match (entities[i as usize], self.entity.get(i as usize)) {
            (then, Some(now)) if then == *now => Some(i),
            (then, _) => self.index_of(then).map(|i| i as u32),
        };
        if is_gone(pair) {
            return None;
        }
        let (a, b) = (index_of(pair.0)?, index_of(pair.1)?);
        Some(Renumbered {
            pair: (a.min(b), a.max(b)),
            before,
            is_swapped: a > b,
        })
    }
}

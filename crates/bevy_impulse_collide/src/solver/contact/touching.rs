//! The pairs that touch.

use std::{
    ops::Range,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use crate::parallel::map_chunks;

/// Pairs that one task works on.
const PER_TASK: usize = 2048;

/// The pairs that touch and are awake: indices of the bodies, the lower first.
#[derive(Debug, Default)]
pub(super) struct Touching {
    /// Base pairs, sorted from list to list.
    base: Vec<Vec<(u32, u32)>>,
    /// Incremental pairs, sorted.
    incremental: Vec<(u32, u32)>,
}

impl Touching {
    pub fn clear(&mut self) {
        self.base.clear();
        self.incremental.clear();
    }

    /// Lists the `pairs` that touch, of which the first `sorted` are sorted.
    pub fn list(&mut self, touches: &[AtomicBool], pairs: &[(u32, u32)], sorted: usize) {
        let list = |range: Range<usize>, list: &mut Vec<(u32, u32)>| {
            list.clear();
            let touches = touches[range.clone()].iter().zip(&pairs[range]);
            let touching = touches.filter(|(touches, _)| touches.load(Relaxed));
            list.extend(touching.map(|(_, pair)| *pair));
        };
        let Self { base, incremental } = self;
        base.truncate(sorted.div_ceil(PER_TASK));
        map_chunks(sorted, PER_TASK, base, list);
        list(sorted..pairs.len(), incremental);
        incremental.sort_unstable();
    }

    /// Adds the pairs that touch to a list, sorted. A pair may come twice.
    pub fn add_to(&self, list: &mut Vec<(u32, u32)>) {
        let base = self.base.iter().map(Vec::as_slice);
        merge(list, base, &self.incremental);
    }
}

/// Merges the pairs of the `runs`, sorted from run to run, with the sorted pairs `beside`, and adds them to the list.
fn merge<'a>(
    list: &mut Vec<(u32, u32)>,
    runs: impl IntoIterator<Item = &'a [(u32, u32)]>,
    mut beside: &[(u32, u32)],
) {
    for mut run in runs {
        while let (Some(&next), Some(&last)) = (beside.first(), run.last())
            && next < last
        {
            let (before, after) = run.split_at(run.partition_point(|&pair| pair < next));
            list.extend_from_slice(before);
            list.push(next);
            (beside, run) = (&beside[1..], after);
        }
        list.extend_from_slice(run);
    }
    list.extend_from_slice(beside);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sorted_pairs() -> impl Strategy<Value = Vec<(u32, u32)>> {
        let pairs = prop::collection::btree_set((0..9u32, 0..9u32), 0..40);
        pairs.prop_map(|pairs| pairs.into_iter().collect())
    }

    proptest! {
        #[test]
        fn merged_lists_are_sorted_and_whole(
            pairs in sorted_pairs(),
            run in 1..9usize,
            beside in sorted_pairs(),
        ) {
            let mut list = Vec::new();
            merge(&mut list, pairs.chunks(run), &beside);
            let mut expected = [pairs, beside].concat();
            expected.sort_unstable();
            prop_assert_eq!(list, expected);
        }
    }
}

//! The pairs that touch, and the contacts of pairs that sleep.

use std::{
    ops::Range,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use bevy::prelude::*;

use super::{class::is_plane, entry::StoredImpulse, report::Contact, view::are_touching};
use crate::{body::Bodies, collision::manifold, parallel::map_chunks, shape::smaller_radius};

/// Pairs that one task works on.
const PER_TASK: usize = 2048;

/// The pairs that touch and are awake: indices of the bodies, the lower first.
#[derive(Debug, Default)]
pub(super) struct Touching {
    /// Base pairs, sorted from list to list.
    base: Vec<Vec<(u32, u32)>>,
    /// Incremental pairs, sorted.
    incremental: Vec<(u32, u32)>,
    /// Incremental and sleeping pairs, sorted.
    beside: Vec<(u32, u32)>,
}

/// The contacts of pairs that sleep. They do not change.
#[derive(Debug, Default)]
pub(super) struct SleepingContacts {
    pub contacts: Vec<Contact>,
    /// The pairs that touch, sorted.
    touching: Vec<(u32, u32)>,
}

impl SleepingContacts {
    pub fn clear(&mut self) {
        self.contacts.clear();
        self.touching.clear();
    }

    /// Lists the contacts of the `pairs` that sleep, with the impulses that they fell asleep with.
    pub fn list(&mut self, bodies: &Bodies, pairs: &[(u32, u32)], impulses: &[StoredImpulse]) {
        self.clear();
        for (&(a, b), impulse) in pairs.iter().zip(impulses) {
            let (i, j) = (a as usize, b as usize);
            if !(bodies.is_at_rest(i) && bodies.is_at_rest(j) && impulse.is_active()) {
                continue;
            }
            // A constraint has the plane second, in both orders.
            let sign = if is_plane(bodies, i) { -1.0 } else { 1.0 };
            let points = manifold(&bodies.placed(i), &bodies.placed(j));
            let shares = match points.len() {
                1 => [*impulse, StoredImpulse::default()],
                _ => impulse.shares(),
            };
            let radius = smaller_radius(&bodies.shape[i], &bodies.shape[j]);
            for (feature, (point, share)) in points.iter().zip(shares).enumerate() {
                let is_touching = are_touching(radius, point.depth, share.normal);
                if is_touching {
                    self.touching.push((a, b));
                }
                let of = (bodies.entity[i], bodies.entity[j]);
                let on_first = point.normal * share.normal + sign * share.friction;
                let contact = Contact::new(of, feature as u32, point, is_touching, on_first);
                self.contacts.push(contact);
            }
        }
        self.touching.sort_unstable();
        self.touching.dedup();
    }
}

impl Touching {
    pub fn clear(&mut self) {
        self.base.clear();
        self.incremental.clear();
        self.beside.clear();
    }

    /// Lists the `pairs` that touch, of which the first `sorted` are sorted, and the `sleeping` pairs that touch.
    pub fn list(
        &mut self,
        touches: &[AtomicBool],
        pairs: &[(u32, u32)],
        sorted: usize,
        sleeping: &SleepingContacts,
    ) {
        let list = |range: Range<usize>, list: &mut Vec<(u32, u32)>| {
            list.clear();
            let touches = touches[range.clone()].iter().zip(&pairs[range]);
            let touching = touches.filter(|(touches, _)| touches.load(Relaxed));
            list.extend(touching.map(|(_, pair)| *pair));
        };
        let Self {
            base,
            incremental,
            beside,
        } = self;
        base.truncate(sorted.div_ceil(PER_TASK));
        map_chunks(sorted, PER_TASK, base, list);
        list(sorted..pairs.len(), incremental);
        incremental.sort_unstable();
        beside.clear();
        merge(beside, [&sleeping.touching[..]], incremental);
    }

    /// Adds the pairs that touch to a list, sorted. A pair may come twice.
    pub fn add_to(&self, list: &mut Vec<(u32, u32)>) {
        let base = self.base.iter().map(Vec::as_slice);
        merge(list, base, &self.beside);
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

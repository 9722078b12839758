//! Writes the messages of a fixed step.

use bevy::prelude::*;

use crate::{
    body::Bodies,
    messages::{CollisionEnded, CollisionStarted, Impact},
    parallel::map_chunks,
    solver::{contact::ContactSolver, impact::Impacts},
};

/// The pairs that touched in the last fixed step, sorted.
#[derive(Resource, Debug, Default)]
pub(crate) struct TouchingPairs {
    /// Indices into [`Bodies`], the lower first, of the awake pairs.
    now: Vec<IndexPair>,
    before: Vec<IndexPair>,
    /// The sleeping pairs of the last fixed step, and their revision.
    asleep: Vec<IndexPair>,
    asleep_revision: u64,
    hits: Vec<IndexPair>,
    /// The bodies to which the indices belong.
    entities: Vec<Entity>,
    changes: Vec<TouchChanges>,
}

type IndexPair = (u32, u32);

impl TouchingPairs {
    /// All pairs that touch, sorted, and the bodies to which their indices belong.
    pub fn all(&self) -> (Vec<IndexPair>, &[Entity]) {
        let all = if self.asleep.is_empty() {
            self.now.clone()
        } else {
            union(&self.now, &self.asleep)
        };
        (all, &self.entities)
    }

    /// Goes on from these pairs of these bodies, which are sorted.
    pub fn resume_from(&mut self, pairs: Vec<IndexPair>, entities: Vec<Entity>) {
        self.now = pairs;
        self.asleep.clear();
        // The solver's sleeping pairs are among them: the next step compares all pairs.
        self.asleep_revision = u64::MAX;
        self.entities = entities;
    }

    /// All pairs that touch: indices into [`Bodies`], the lower first.
    pub fn iter(&self) -> impl Iterator<Item = IndexPair> {
        self.now.iter().chain(&self.asleep).copied()
    }
}

/// Writes the messages of this fixed step: impacts first, then the pairs that began and ceased to touch.
pub(crate) fn write_messages(
    bodies: Res<Bodies>,
    solver: Res<ContactSolver>,
    impacts: Res<Impacts>,
    mut touching: ResMut<TouchingPairs>,
    mut started: MessageWriter<CollisionStarted>,
    mut ended: MessageWriter<CollisionEnded>,
    mut impact_messages: MessageWriter<Impact>,
) {
    impact_messages.write_batch(impacts.resolved.iter().copied());

    let TouchingPairs {
        now,
        before,
        asleep,
        asleep_revision,
        hits,
        entities,
        changes,
    } = &mut *touching;
    std::mem::swap(now, before);
    let entity = |entities: &[Entity], (a, b): IndexPair| {
        let (a, b) = (entities[a as usize], entities[b as usize]);
        (a.min(b), a.max(b))
    };
    if *entities != bodies.entity {
        for pairs in [&mut *before, &mut *asleep] {
            let mut elsewhere = Vec::new();
            pairs.retain(|&pair| {
                let found = bodies.renumbered(entities, 0, pair).map(|found| found.pair);
                match found {
                    Some(now) if now == pair => return true,
                    Some(now) => elsewhere.push(now),
                    None => {
                        let (a, b) = entity(entities, pair);
                        ended.write(CollisionEnded {
                            a,
                            b,
                            by_despawn: true,
                        });
                    }
                }
                false
            });
            pairs.append(&mut elsewhere);
            // Stable: it is fast for a sorted list and a few more.
            pairs.sort();
        }
        entities.clone_from(&bodies.entity);
    }

    let pair = |a: Entity, b: Entity| {
        let (a, b) = (bodies.index_of(a)? as u32, bodies.index_of(b)? as u32);
        Some((a.min(b), a.max(b)))
    };
    hits.clear();
    hits.extend(
        impacts
            .resolved
            .iter()
            .filter_map(|impact| pair(impact.a, impact.b)),
    );
    hits.sort_unstable();
    hits.dedup();
    now.clear();
    solver.graph.extend_with_touching(now);
    now.dedup();
    hits.retain(|hit| now.binary_search(hit).is_err());
    merge_into(now, hits);

    let sleeping = solver.graph.sleeping();
    let (all_before, all_now);
    let (before, now) = if *asleep_revision == sleeping.revision() {
        (&*before, &*now)
    } else {
        // A pair that falls asleep, or wakes, still touches.
        all_before = union(before, asleep);
        let asleep_now = sleeping.touching();
        all_now = union(now, &asleep_now);
        *asleep = asleep_now;
        *asleep_revision = sleeping.revision();
        (&all_before, &all_now)
    };

    // With few pairs, one task is enough.
    let tasks = (now.len() + before.len()) / PAIRS_PER_TASK + 1;
    let per_task = BODIES_PER_TASK.max(bodies.len().div_ceil(tasks));
    let changes = map_chunks(bodies.len(), per_task, changes, |range, changes| {
        let of_first =
            |pairs: &[IndexPair], i: usize| pairs.partition_point(|pair| (pair.0 as usize) < i);
        let part = |pairs: &[IndexPair]| of_first(pairs, range.start)..of_first(pairs, range.end);
        changes.find(&before[part(before)], &now[part(now)]);
    });
    for change in changes.iter() {
        started.write_batch(change.started.iter().map(|&pair| {
            let (a, b) = entity(entities, pair);
            CollisionStarted { a, b }
        }));
        ended.write_batch(change.ended.iter().map(|&pair| {
            let (a, b) = entity(entities, pair);
            CollisionEnded {
                a,
                b,
                by_despawn: false,
            }
        }));
    }
}

/// Number of bodies whose changed pairs one task finds.
const BODIES_PER_TASK: usize = 4096;
/// Number of pairs that are worth a task.
const PAIRS_PER_TASK: usize = 4096;

/// The pairs that began and the pairs that ceased to touch, sorted.
#[derive(Debug, Default)]
struct TouchChanges {
    started: Vec<IndexPair>,
    ended: Vec<IndexPair>,
}

impl TouchChanges {
    /// Lists the pairs that are in only one of two sorted lists.
    fn find(&mut self, mut before: &[IndexPair], mut now: &[IndexPair]) {
        self.started.clear();
        self.ended.clear();
        loop {
            let pairs = before.iter().zip(now);
            let same = pairs.take_while(|(old, new)| old == new).count();
            (before, now) = (&before[same..], &now[same..]);
            match (before.split_first(), now.split_first()) {
                (Some((old, rest)), new) if new.is_none_or(|(new, _)| old < new) => {
                    self.ended.push(*old);
                    before = rest;
                }
                (_, Some((new, rest))) => {
                    self.started.push(*new);
                    now = rest;
                }
                _ => break,
            }
        }
    }
}

/// The pairs of two lists, sorted.
fn union(one: &[IndexPair], other: &[IndexPair]) -> Vec<IndexPair> {
    let mut all = [one, other].concat();
    // Stable: it is fast for two sorted lists.
    all.sort();
    all.dedup();
    all
}

/// Puts a few sorted pairs into a sorted list, in place.
fn merge_into(list: &mut Vec<IndexPair>, pairs: &[IndexPair]) {
    let mut end = list.len();
    list.resize(end + pairs.len(), (0, 0));
    for (k, &pair) in pairs.iter().enumerate().rev() {
        let index = list[..end].partition_point(|&other| other < pair);
        list.copy_within(index..end, index + k + 1);
        list[index + k] = pair;
        end = index;
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::btree_set, prelude::*};

    use super::*;

    proptest! {
        /// The changes agree with a search for each pair.
        #[test]
        fn changes_are_what_one_list_has_and_the_other_lacks(
            common in btree_set((0..40u32, 0..40u32), 0..400),
            one in btree_set((0..40u32, 0..40u32), 0..20),
            other in btree_set((0..40u32, 0..40u32), 0..20),
        ) {
            let before: Vec<IndexPair> = common.union(&one).copied().collect();
            let now: Vec<IndexPair> = common.union(&other).copied().collect();
            let lacking = |list: &[IndexPair], wanted: &[IndexPair]| -> Vec<IndexPair> {
                wanted.iter().copied().filter(|pair| !list.contains(pair)).collect()
            };
            let mut changes = TouchChanges::default();
            changes.find(&before, &now);
            prop_assert_eq!(changes.started, lacking(&before, &now));
            prop_assert_eq!(changes.ended, lacking(&now, &before));
        }

        #[test]
        fn merged_lists_are_sorted(
            one in btree_set((0..40u32, 0..40u32), 0..100),
            other in btree_set((0..40u32, 0..40u32), 0..100),
        ) {
            let mut list: Vec<IndexPair> = one.iter().copied().collect();
            let pairs: Vec<IndexPair> = other.difference(&one).copied().collect();
            merge_into(&mut list, &pairs);
            let expected: Vec<IndexPair> = one.union(&other).copied().collect();
            prop_assert_eq!(list, expected);
        }
    }
}

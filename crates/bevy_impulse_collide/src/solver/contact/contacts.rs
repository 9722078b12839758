//! The contacts as others see them.

use std::sync::{Mutex, OnceLock, PoisonError};

use bevy::prelude::*;

use super::{
    kind::TOUCH,
    problem::{Problem, WidePairs},
    row::Rows,
};
use crate::{
    body::Bodies,
    collision::{BroadPhase, ManifoldPoint},
    shape::smaller_radius,
};

/// One point of contact, as the contact stage left it.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct Contact {
    /// The body whose entity sorts first.
    pub a: Entity,
    /// The other body.
    pub b: Entity,
    /// Which point of the pair's contact set: 0 or 1.
    pub feature: u32,
    /// Where both bodies feel the impulse, in world coordinates.
    pub point: Vec3,
    /// Unit vector from `b` to `a`.
    pub normal: Vec3,
    /// Overlap at the start of the substep in m; negative across a gap.
    pub depth: f32,
    /// Whether the surfaces touch: something presses them together, or they are within a thousandth of the smaller radius.
    pub is_touching: bool,
    /// Impulse on `a` in the last substep in N·s, friction included; `b` gets the opposite.
    pub impulse: Vec3,
}

/// The contacts of the last substep. They are listed when they are first asked for: most games do not ask in most steps. Their
/// order depends on the scene alone, as everything does.
#[derive(Resource, Debug, Default)]
pub struct Contacts {
    /// Has those that are solved several at a time.
    pub(super) problem: Problem,
    in_lanes: Listing,
    /// Those that are rows of the contact problem.
    pub(super) rows: Run,
    /// Those between bodies that sleep: they stay as they are.
    pub(super) asleep: Run,
    /// Which pairs touch that are solved several at a time: indices of the bodies, the lower first, sorted through all lists; and
    /// of the newcomers among the pairs, in any order.
    touching: Vec<Vec<(u32, u32)>>,
    newcomers: Vec<(u32, u32)>,
    /// Which pairs touch besides those of `touching`, sorted; and those of them that do not sleep.
    beside: Vec<(u32, u32)>,
    beside_awake: Vec<(u32, u32)>,
}

/// Contacts that are listed when they are first asked for.
#[derive(Debug, Default)]
struct Listing {
    lists: OnceLock<Vec<Vec<Contact>>>,
    /// Those of an earlier substep, for their memory.
    spare: Mutex<Vec<Vec<Contact>>>,
}

impl Listing {
    fn get(&self, list: impl FnOnce(&mut Vec<Vec<Contact>>)) -> &Vec<Vec<Contact>> {
        self.lists.get().unwrap_or_else(|| {
            // Not under the lock: whoever asks at the same time, maybe on this very thread, makes a list of its own.
            let mut lists = self.take_spare();
            list(&mut lists);
            self.lists.get_or_init(|| lists)
        })
    }

    fn take_spare(&self) -> Vec<Vec<Contact>> {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *spare)
    }

    fn forget(&mut self) {
        if let Some(lists) = self.lists.take() {
            *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = lists;
        }
    }
}

/// Contacts, and which pairs touch by them.
#[derive(Debug, Default)]
pub(super) struct Run {
    contacts: Vec<Contact>,
    touching: Vec<(u32, u32)>,
}

impl Run {
    pub fn clear(&mut self) {
        self.contacts.clear();
        self.touching.clear();
    }

    /// Sorts what touches.
    pub fn sort(&mut self) {
        self.touching.sort_unstable();
    }

    /// Adds a contact of two bodies. `point` has the normal from the second to the first, and `impulse` is on the first.
    pub fn push(
        &mut self,
        bodies: &Bodies,
        pair: (u32, u32),
        feature: u32,
        point: &ManifoldPoint,
        normal_impulse: f32,
        impulse: Vec3,
    ) {
        let (a, b) = (pair.0 as usize, pair.1 as usize);
        let radius = smaller_radius(&bodies.shape[a], &bodies.shape[b]);
        let is_touching = are_touching(radius, point.depth, normal_impulse);
        if is_touching {
            self.touching.push(pair);
        }
        let of = (bodies.entity[a], bodies.entity[b]);
        self.contacts
            .push(Contact::new(of, feature, point, is_touching, impulse));
    }
}

/// Whether two bodies touch at a point; `radius` is the smaller one.
pub(super) fn are_touching(radius: f32, depth: f32, normal_impulse: f32) -> bool {
    normal_impulse > 0.0 || depth >= -TOUCH * radius
}

impl Contact {
    /// `point` has the normal from the second body to the first, and `impulse` is on the first.
    pub(super) fn new(
        (a, b): (Entity, Entity),
        feature: u32,
        point: &ManifoldPoint,
        is_touching: bool,
        impulse: Vec3,
    ) -> Self {
        // The contact tells of the body whose entity sorts first.
        let sign = if a < b { 1.0 } else { -1.0 };
        Self {
            a: a.min(b),
            b: a.max(b),
            feature,
            point: point.point,
            normal: sign * point.normal,
            depth: point.depth,
            is_touching,
            impulse: sign * impulse,
        }
    }
}

impl Contacts {
    fn in_lanes(&self) -> &Vec<Vec<Contact>> {
        self.in_lanes.get(|lists| self.problem.list(lists))
    }

    fn runs(&self) -> impl Iterator<Item = &Vec<Contact>> + Clone {
        let others = [&self.rows.contacts, &self.asleep.contacts];
        self.in_lanes().iter().chain(others)
    }

    /// All contacts, one after the other.
    pub fn iter(&self) -> impl Iterator<Item = &Contact> + Clone {
        self.runs().flatten()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.runs().map(Vec::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All contacts, to change.
    pub(crate) fn runs_mut(&mut self) -> impl Iterator<Item = &mut Vec<Contact>> {
        self.in_lanes();
        let in_lanes = self.in_lanes.lists.get_mut().into_iter().flatten();
        in_lanes.chain([&mut self.rows.contacts, &mut self.asleep.contacts])
    }

    /// Forgets those of the last substep, but for those that sleep.
    pub(super) fn begin(&mut self) {
        self.in_lanes.forget();
        self.rows.clear();
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.begin();
        self.problem.clear();
        self.asleep.clear();
        self.touching.clear();
        self.newcomers.clear();
        self.beside.clear();
    }

    /// Takes the contacts that are rows in, and takes note of what touches.
    pub(super) fn end(&mut self, bodies: &Bodies, rows: &Rows) {
        for row in &rows.rows {
            self.rows.push(
                bodies,
                (row.a, row.b),
                row.feature,
                &row.point,
                row.normal_impulse,
                row.impulse(),
            );
        }
        self.problem
            .list_touching(&mut self.touching, &mut self.newcomers);
        let awake = &mut self.beside_awake;
        awake.clone_from(&self.newcomers);
        awake.extend_from_slice(&self.rows.touching);
        awake.sort_unstable();
        self.beside.clear();
        merge(&mut self.beside, [&self.asleep.touching[..]], awake);
    }

    /// How the pairs of a part are seated, if the stage has given lanes to those that there are now.
    pub(in crate::solver) fn wide_pairs(
        &self,
        broad_phase: &BroadPhase,
        part: usize,
    ) -> Option<WidePairs<'_>> {
        self.problem.wide_pairs(broad_phase, part)
    }

    /// Adds the pairs that touch to a list, sorted; indices of their bodies, the lower first. A pair may come twice.
    pub(crate) fn extend_with_touching(&self, list: &mut Vec<(u32, u32)>) {
        merge(list, self.touching.iter().map(Vec::as_slice), &self.beside);
    }
}

/// Adds what is in the `runs`, which are sorted one after the other, and what is `beside` them, which is sorted too.
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

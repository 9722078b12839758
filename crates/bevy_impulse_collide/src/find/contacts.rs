use bevy::prelude::*;

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

/// The contacts of the last substep. Their order depends on the scene alone, as everything does.
#[derive(Resource, Reflect, Clone, Debug, Default)]
#[reflect(Resource, Debug, Clone, Default)]
pub struct Contacts {
    /// Those that are solved several at a time.
    pub(crate) runs: Vec<Vec<Contact>>,
    /// Which of their pairs touch: indices of the bodies, the lower first, sorted through all lists; and of the newcomers
    /// among the pairs, in any order.
    pub(crate) touching: Vec<Vec<(u32, u32)>>,
    pub(crate) newcomers: Vec<(u32, u32)>,
    /// Those that are rows of the contact problem.
    pub(crate) rows: Run,
    /// Those between bodies that sleep: they stay as they are.
    pub(crate) asleep: Run,
    /// Which pairs touch besides those of `touching`, sorted; and those of them that do not sleep.
    beside: Vec<(u32, u32)>,
    beside_awake: Vec<(u32, u32)>,
}

/// Contacts, and which pairs touch by them.
#[derive(Reflect, Clone, Debug, Default)]
#[reflect(Debug, Clone, Default)]
pub(crate) struct Run {
    pub contacts: Vec<Contact>,
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

    /// Adds a contact of a pair of bodies.
    pub fn push(&mut self, pair: (u32, u32), contact: Contact) {
        if contact.is_touching {
            self.touching.push(pair);
        }
        self.contacts.push(contact);
    }
}

impl Contacts {
    fn runs(&self) -> impl Iterator<Item = &Vec<Contact>> + Clone {
        let others = [&self.rows.contacts, &self.asleep.contacts];
        self.runs.iter().chain(others)
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
        let others = [&mut self.rows.contacts, &mut self.asleep.contacts];
        self.runs.iter_mut().chain(others)
    }

    /// Takes note of what touches, once all are listed.
    pub(crate) fn sort_touching(&mut self) {
        let awake = &mut self.beside_awake;
        awake.clone_from(&self.newcomers);
        awake.extend_from_slice(&self.rows.touching);
        awake.sort_unstable();
        self.beside.clear();
        merge(&mut self.beside, [&self.asleep.touching[..]], awake);
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

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
    pub(crate) runs: Vec<Run>,
    /// Those between bodies that sleep: they stay as they are.
    pub(crate) asleep: Run,
}

/// Contacts that one task has listed.
#[derive(Reflect, Clone, Debug, Default)]
#[reflect(Debug, Clone, Default)]
pub(crate) struct Run {
    pub contacts: Vec<Contact>,
    /// Those pairs that touch: indices of the bodies, the lower first, sorted through all runs.
    pub touching: Vec<(u32, u32)>,
}

impl Contacts {
    /// All contacts, one after the other.
    pub fn iter(&self) -> impl Iterator<Item = &Contact> + Clone {
        let runs = self.runs.iter().chain([&self.asleep]);
        runs.flat_map(|run| &run.contacts)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        let awake: usize = self.runs.iter().map(|run| run.contacts.len()).sum();
        awake + self.asleep.contacts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds the pairs that touch to a list, sorted; indices of their bodies, the lower first. A pair may come twice.
    pub(crate) fn extend_with_touching(&self, list: &mut Vec<(u32, u32)>) {
        if self.asleep.touching.is_empty() {
            for run in &self.runs {
                list.extend_from_slice(&run.touching);
            }
        } else {
            list.extend(self.touching());
        }
    }

    fn touching(&self) -> impl Iterator<Item = (u32, u32)> {
        let awake = self.runs.iter().flat_map(|run| &run.touching);
        let mut awake = awake.copied().peekable();
        let mut asleep = self.asleep.touching.iter().copied().peekable();
        std::iter::from_fn(move || match (awake.peek(), asleep.peek()) {
            (Some(one), Some(other)) if other < one => asleep.next(),
            (Some(_), _) => awake.next(),
            (None, _) => asleep.next(),
        })
    }
}

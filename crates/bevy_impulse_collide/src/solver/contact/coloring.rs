//! Contacts by colour: no two contacts of one colour have a moving body in common.

use crate::solver::simd::LANES;

/// A pair to be coloured.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColoringEntry {
    /// Index of the pair.
    pub pair: u32,
    /// Indices of the bodies among the cell's solver bodies; zero for the ground.
    pub slots: (u32, u32),
    /// Whether contacts move the bodies.
    pub are_pushed: (bool, bool),
}

/// Sorts contacts by colour.
#[derive(Debug, Default)]
pub(super) struct Coloring {
    entries: Vec<(ColoringEntry, u32)>,
    /// The colours of each slot's contacts, one bit per colour. Zero between two uses.
    used: Vec<u64>,
    sorted: Vec<ColoringEntry>,
}

/// A contact that finds no free colour is a group by itself.
const NO_COLOR: u32 = u64::BITS;

impl Coloring {
    /// Starts anew, for contacts of bodies at `slots` slots.
    pub fn begin(&mut self, slots: usize) {
        self.entries.clear();
        self.used.resize(slots, 0);
    }

    /// Gives a contact the first colour that neither body has yet.
    pub fn add(&mut self, entry: ColoringEntry) {
        let ((a, b), (pushes_a, pushes_b)) = (entry.slots, entry.are_pushed);
        let used = self.used[a as usize] | self.used[b as usize];
        let color = used.trailing_ones();
        if color < NO_COLOR {
            // Any number of contacts may share the ground, or a body whose velocity stays.
            for (i, is_dynamic) in [(a, pushes_a), (b, pushes_b)] {
                if i != 0 && is_dynamic {
                    self.used[i as usize] |= 1 << color;
                }
            }
        }
        self.entries.push((entry, color));
    }

    /// Calls `group` with up to [`LANES`] contacts of one colour, colour after colour. The contacts of a colour keep the order in
    /// which they were added. The flag tells whether the group may share a body with the group before.
    pub fn each_group(&mut self, mut group: impl FnMut(&[ColoringEntry], bool)) {
        // There may be few entries, but many slots.
        for (ColoringEntry { slots: (a, b), .. }, _) in &self.entries {
            self.used[*a as usize] = 0;
            self.used[*b as usize] = 0;
        }
        let mut starts = [0; NO_COLOR as usize + 2];
        for (_, color) in &self.entries {
            starts[*color as usize + 1] += 1;
        }
        for color in 0..=NO_COLOR as usize {
            starts[color + 1] += starts[color];
        }
        let Some(&(any, _)) = self.entries.first() else {
            return;
        };
        self.sorted.clear();
        self.sorted.resize(self.entries.len(), any);
        let mut next = starts;
        for &(entry, color) in &self.entries {
            let place = &mut next[color as usize];
            self.sorted[*place] = entry;
            *place += 1;
        }
        for color in 0..=NO_COLOR as usize {
            let entries = &self.sorted[starts[color]..starts[color + 1]];
            let has_color = color < NO_COLOR as usize;
            let size = if has_color { LANES } else { 1 };
            for (k, entries) in entries.chunks(size).enumerate() {
                group(entries, k == 0 || !has_color);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    const PLACES: u32 = 12;

    proptest! {
        /// Every contact is in one group. Between two groups with the flag set, no two contacts share a body.
        #[test]
        fn contacts_of_a_color_have_no_moving_body_in_common(
            rounds in prop::collection::vec(
                prop::collection::vec((0..PLACES, 0..PLACES), 0..150), 1..3),
        ) {
            let mut colors = Coloring::default();
            for slots in rounds {
                let slots: Vec<_> = slots.into_iter().filter(|(a, b)| a != b).collect();
                colors.begin(PLACES as usize);
                for (pair, &slots) in (0..).zip(&slots) {
                    colors.add(ColoringEntry {
                        pair,
                        slots,
                        are_pushed: (true, true),
                    });
                }
                let (mut seen, mut moving, mut is_sound) = (Vec::new(), HashSet::new(), true);
                colors.each_group(|group, may_share| {
                    if may_share {
                        moving.clear();
                    }
                    for entry in group {
                        seen.push(entry.pair);
                        let (a, b) = entry.slots;
                        // The ground is no moving body.
                        is_sound &= [a, b].into_iter().filter(|&i| i != 0).all(|i| moving.insert(i));
                    }
                });
                seen.sort_unstable();
                prop_assert!(is_sound);
                prop_assert_eq!(seen, (0..slots.len() as u32).collect::<Vec<_>>());
            }
        }
    }
}

//! Places: the bodies that are near each other, directly or through others.
//!
//! A heavy body that presses on a light one is solved with the place where it is, and where a body grows there is no limit to the
//! energy of the contacts. What a body does must not depend on what is far away from it, so such choices are made by the place.

use crate::{
    body::{Bodies, Growing, HEAVY},
    solver::disjoint_sets::DisjointSets,
};

/// The places of the dynamic bodies, by the pairs that may meet. Nothing is found in a world that needs no places.
#[derive(Debug, Default)]
pub(super) struct Places {
    sets: DisjointSets,
    /// Whether a body grows at the place of each root; of other bodies it is out of date.
    grows: Vec<bool>,
    /// Number of the pairs that have been looked at, and of those whose bodies have been joined.
    count: usize,
    joined: usize,
    /// Indices of the pairs of a heavy body and a light one.
    heavy: Vec<u32>,
    /// Of each body, whether the sweeps may diverge where it is.
    diverges: Vec<bool>,
    /// Incremented when the places change.
    version: u64,
}

impl Places {
    /// Forgets all places.
    pub fn clear(&mut self) {
        self.count = 0;
        self.grows.clear();
        self.heavy.clear();
        self.diverges.clear();
        self.version += 1;
    }

    /// Takes in the pairs that have been added since the last call.
    pub fn update(&mut self, bodies: &Bodies, pairs: &[(u32, u32)]) {
        if self.count == pairs.len() {
            return;
        }
        let is_first = self.count == 0;
        let new = &pairs[std::mem::replace(&mut self.count, pairs.len())..];
        if bodies.mass_ratio < HEAVY && !bodies.have_kinematic && !bodies.have_capsules {
            return;
        }
        if is_first {
            self.sets.reset(bodies.len());
            self.joined = 0;
            self.grows.clear();
            self.grows
                .extend(bodies.growth.iter().map(|&growth| growth != Growing::NONE));
        }
        let first = (pairs.len() - new.len()) as u32;
        for (k, &(a, b)) in (first..).zip(new) {
            if bodies.are_heavy_and_light(a as usize, b as usize) {
                self.heavy.push(k);
            }
        }
        let Self { sets, grows, .. } = self;
        let any_grows = grows.contains(&true);
        if any_grows || !self.heavy.is_empty() {
            for &(a, b) in &pairs[std::mem::replace(&mut self.joined, pairs.len())..] {
                let (a, b) = (a as usize, b as usize);
                // A body that nothing pushes joins no place.
                if bodies.is_dynamic(a) && bodies.is_dynamic(b) {
                    let [a, b] = [a, b].map(|i| sets.root(bodies.whole_of(i)));
                    sets.join(a, b);
                    grows[a.min(b)] |= grows[a.max(b)];
                }
            }
        }
        self.diverges.clear();
        // A body that grows does work on its neighbours. All other places of this world are looked at: bodies that a heavy one has just
        // let go start with the impulses of its load. Where the sweeps converge, nothing grows, and nothing is changed.
        if any_grows {
            let may_diverge = |i: usize| !grows[sets.root(bodies.whole_of(i))];
            self.diverges.extend((0..bodies.len()).map(may_diverge));
        } else {
            self.diverges.resize(bodies.len(), true);
        }
        self.version += 1;
    }

    /// Whether sweeps over the contacts of body `i` may diverge. Those over balls of similar masses converge.
    pub fn may_diverge(&self, i: usize) -> bool {
        self.diverges.get(i).is_some_and(|&diverges| diverges)
    }

    /// Whether no body is where sweeps may diverge.
    pub fn are_calm(&self) -> bool {
        self.diverges.is_empty()
    }

    /// Indices of the pairs of a heavy body and a light one.
    pub fn heavy(&self) -> &[u32] {
        &self.heavy
    }

    /// The body that stands for the place of body `i`.
    pub fn root(&mut self, i: usize) -> usize {
        self.sets.root(i)
    }

    /// Another number whenever the places have changed.
    pub fn version(&self) -> u64 {
        self.version
    }
}

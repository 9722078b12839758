//! Sets of bodies that are joined pair by pair.

/// Disjoint sets of bodies. Each set has one root: its body of the lowest index.
#[derive(Debug, Default)]
pub(super) struct DisjointSets {
    /// For each body, another body of its set, or itself if it is the root.
    parents: Vec<u32>,
}

impl DisjointSets {
    /// Starts anew: each of the `bodies` is a set of its own.
    pub fn reset(&mut self, bodies: usize) {
        self.parents.clear();
        self.parents.extend(0..bodies as u32);
    }

    /// Joins the sets of two bodies.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b)] = a.min(b) as u32;
    }

    /// The root of a body's set. The path to it is halved on the way.
    pub fn root(&mut self, mut i: usize) -> usize {
        while self.parents[i] as usize != i {
            self.parents[i] = self.parents[self.parents[i] as usize];
            i = self.parents[i] as usize;
        }
        i
    }
}

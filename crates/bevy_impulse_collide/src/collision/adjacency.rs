//! The pairs of each body.

use crate::parallel::for_each;

/// The neighbours of each body. Neighbours in base pairs lie in arrays, sorted by body; neighbours in incremental pairs in linked
/// lists.
#[derive(Clone, Debug, Default)]
pub(super) struct Adjacency {
    /// End of each body's neighbours of higher index in `after`.
    ends_after: Vec<u32>,
    /// End of each body's neighbours of lower index in `before`.
    ends_before: Vec<u32>,
    after: Vec<u32>,
    before: Vec<u32>,
    /// The last link of each body, or [`NONE`].
    heads: Vec<u32>,
    /// A neighbour of an incremental pair, and the link before it, or [`NONE`].
    links: Vec<(u32, u32)>,
}

/// No link, or no neighbour any more.
const NONE: u32 = u32::MAX;

/// With fewer bodies, one thread makes both lists.
const MIN_BODIES_FOR_TWO_TASKS: usize = 2048;

impl Adjacency {
    /// Replaces all pairs by the pairs `found`, the lower body of each first, and lists them in `pairs`, sorted.
    pub fn rebuild(
        &mut self,
        bodies: usize,
        found: impl Iterator<Item = (u32, u32)> + Clone + Send + Sync,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        let Self {
            ends_after,
            ends_before,
            after,
            before,
            ..
        } = self;
        let swapped = found.clone().map(|(a, b)| (b, a));
        let mut list_before = || sort(bodies, swapped.clone(), ends_before, before);
        let mut list_after = || {
            sort(bodies, found.clone(), ends_after, after);
            pairs.clear();
            for body in 0..bodies {
                let after = &mut after[range(ends_after, body)];
                after.sort_unstable();
                pairs.extend(after.iter().map(|&neighbour| (body as u32, neighbour)));
            }
        };
        if bodies < MIN_BODIES_FOR_TWO_TASKS {
            list_after();
            list_before();
        } else {
            let jobs: [&mut (dyn FnMut() + Send); 2] = [&mut list_after, &mut list_before];
            for_each(jobs, |job| job());
        }
        self.heads.clear();
        self.heads.resize(bodies, NONE);
        self.links.clear();
    }

    /// Adds an incremental pair.
    pub fn link(&mut self, (a, b): (u32, u32)) {
        for (one, other) in [(a, b), (b, a)] {
            let head = &mut self.heads[one as usize];
            self.links.push((other, *head));
            *head = self.links.len() as u32 - 1;
        }
    }

    /// Makes room for this number of bodies.
    pub fn extend(&mut self, bodies: usize) {
        for (ends, neighbours) in [
            (&mut self.ends_after, &self.after),
            (&mut self.ends_before, &self.before),
        ] {
            if ends.len() < bodies {
                ends.resize(bodies, neighbours.len() as u32);
            }
        }
        if self.heads.len() < bodies {
            self.heads.resize(bodies, NONE);
        }
    }

    /// Takes out all pairs of a body, which are `of` it.
    pub fn forget(&mut self, body: u32, of: &[u32]) {
        for &neighbour in of {
            self.replace(neighbour as usize, body);
        }
        let i = body as usize;
        self.after[range(&self.ends_after, i)].fill(NONE);
        self.before[range(&self.ends_before, i)].fill(NONE);
        self.heads[i] = NONE;
    }

    /// Puts no body in the place of a neighbour of body `i`.
    fn replace(&mut self, i: usize, neighbour: u32) {
        let after = &mut self.after[range(&self.ends_after, i)];
        let before = &mut self.before[range(&self.ends_before, i)];
        let found = after.iter_mut().chain(before);
        found
            .filter(|other| **other == neighbour)
            .for_each(|other| *other = NONE);
        let mut link = self.heads[i];
        while let Some((other, next)) = self.links.get_mut(link as usize) {
            if *other == neighbour {
                *other = NONE;
            }
            link = *next;
        }
    }

    /// The neighbours of a body.
    pub fn of(&self, body: usize) -> impl Iterator<Item = u32> {
        let after = &self.after[range(&self.ends_after, body)];
        let before = &self.before[range(&self.ends_before, body)];
        let mut link = self.heads[body];
        let linked = std::iter::from_fn(move || {
            let &(neighbour, next) = self.links.get(link as usize)?;
            link = next;
            Some(neighbour)
        });
        let all = after.iter().chain(before).copied().chain(linked);
        all.filter(|&neighbour| neighbour != NONE)
    }

    /// Whether the two bodies are a pair.
    pub fn are_paired(&self, a: u32, b: u32) -> bool {
        // Both lists are searched side by side, so it takes no longer than the shorter one.
        let (of_a, of_b) = (self.of(a as usize), self.of(b as usize));
        of_a.zip(of_b)
            .any(|(neighbour_of_a, neighbour_of_b)| neighbour_of_a == b || neighbour_of_b == a)
    }
}

fn range(ends: &[u32], body: usize) -> std::ops::Range<usize> {
    let start = body.checked_sub(1).map_or(0, |before| ends[before]);
    start as usize..ends[body] as usize
}

/// Sorts the second bodies of the pairs by the first, by counting.
fn sort(
    bodies: usize,
    pairs: impl Iterator<Item = (u32, u32)> + Clone,
    ends: &mut Vec<u32>,
    neighbours: &mut Vec<u32>,
) {
    ends.clear();
    ends.resize(bodies + 1, 0);
    let mut count = 0;
    for (body, _) in pairs.clone() {
        ends[body as usize + 1] += 1;
        count += 1;
    }
    for i in 0..bodies {
        ends[i + 1] += ends[i];
    }
    neighbours.clear();
    neighbours.resize(count, 0);
    // Each entry is a start now. It moves to the end as the body's neighbours are stored.
    for (body, neighbour) in pairs {
        let next = &mut ends[body as usize];
        neighbours[*next as usize] = neighbour;
        *next += 1;
    }
}

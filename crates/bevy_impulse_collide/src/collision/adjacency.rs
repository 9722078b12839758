//! With whom each body is paired.

use crate::parallel::for_each;

/// The pairs of each body. It lists those of a sorted list at once, others as they come.
#[derive(Clone, Debug, Default)]
pub(super) struct Partners {
    /// Where the partners of each body end that come after it in a pair, and before it.
    ends_after: Vec<u32>,
    ends_before: Vec<u32>,
    after: Vec<u32>,
    before: Vec<u32>,
    /// Of each body: its last link, and for each link the partner and the link before it; [`NONE`] for none.
    heads: Vec<u32>,
    links: Vec<(u32, u32)>,
}

const NONE: u32 = u32::MAX;

/// With fewer bodies, the two lists are not worth two threads.
const BODIES_FOR_TWO: usize = 2048;

impl Partners {
    /// Starts anew, with these pairs, the lower body of each first; lists them, sorted.
    pub fn list(
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
                pairs.extend(after.iter().map(|&partner| (body as u32, partner)));
            }
        };
        if bodies < BODIES_FOR_TWO {
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

    /// Adds a pair.
    pub fn link(&mut self, (a, b): (u32, u32)) {
        for (one, other) in [(a, b), (b, a)] {
            let head = &mut self.heads[one as usize];
            self.links.push((other, *head));
            *head = self.links.len() as u32 - 1;
        }
    }

    /// The partners of a body.
    pub fn of(&self, body: usize) -> impl Iterator<Item = u32> {
        let after = &self.after[range(&self.ends_after, body)];
        let before = &self.before[range(&self.ends_before, body)];
        let mut link = self.heads[body];
        let linked = std::iter::from_fn(move || {
            let &(partner, next) = self.links.get(link as usize)?;
            link = next;
            Some(partner)
        });
        after.iter().chain(before).copied().chain(linked)
    }

    /// Whether these are a pair.
    pub fn are_paired(&self, a: u32, b: u32) -> bool {
        // Through both lists side by side: it takes no longer than the shorter one.
        let (of_a, of_b) = (self.of(a as usize), self.of(b as usize));
        of_a.zip(of_b)
            .any(|(partner_of_a, partner_of_b)| partner_of_a == b || partner_of_b == a)
    }
}

fn range(ends: &[u32], body: usize) -> std::ops::Range<usize> {
    let start = body.checked_sub(1).map_or(0, |before| ends[before]);
    start as usize..ends[body] as usize
}

/// Sorts partners by whose they are, by counting.
fn sort(
    bodies: usize,
    pairs: impl Iterator<Item = (u32, u32)> + Clone,
    ends: &mut Vec<u32>,
    partners: &mut Vec<u32>,
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
    partners.clear();
    partners.resize(count, 0);
    // These are starts yet; each moves to its body's end as its partners come in.
    for (body, partner) in pairs {
        let place = &mut ends[body as usize];
        partners[*place as usize] = partner;
        *place += 1;
    }
}

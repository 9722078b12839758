//! Predicted impacts: the entries of the queue.

use std::cmp::{Ordering, Reverse};

use crate::{
    body::Bodies,
    collision::{Meeting, next_impact},
    config::CollisionConfig,
};

/// An impact that will happen if neither body's flight changes before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Predicted {
    pub time: f32,
    pub a: u32,
    pub b: u32,
    pub changes: (u32, u32),
    /// Whether it is known to happen. If not, the bodies are known not to meet before.
    pub is_impact: bool,
}

impl Ord for Predicted {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time
            .total_cmp(&other.time)
            .then_with(|| (self.a, self.b, self.changes).cmp(&(other.a, other.b, other.changes)))
    }
}

impl PartialOrd for Predicted {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Predicted {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Predicted {}

pub(super) fn predict(
    bodies: &Bodies,
    config: &CollisionConfig,
    changes: &[u32],
    a: u32,
    b: u32,
    from: f32,
) -> Option<Reverse<Predicted>> {
    let Meeting { time, is_impact } = next_impact(bodies, config, a as usize, b as usize, from)?;
    Some(Reverse(Predicted {
        time,
        a,
        b,
        is_impact,
        changes: (changes[a as usize], changes[b as usize]),
    }))
}

//! The place of a pair's constraint.

use crate::solver::simd::LANES;

/// The constraints of a cell among which a lane is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Store {
    /// [`BallContacts`](super::ball::BallContacts)
    Balls,
    /// [`PointContacts`](super::point::PointContacts) of pairs
    Points,
    /// [`PointContacts`](super::point::PointContacts) with colliders. They are made anew in every substep: no pair has their
    /// handle.
    Surfaces,
}

/// The lane of a pair in one of its cell's constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LaneIndex {
    pub store: Store,
    pub group: usize,
    pub lane: usize,
}

/// The place of a pair's constraint: the cell, and the lane in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConstraintHandle {
    pub cell: usize,
    pub at: LaneIndex,
}

impl ConstraintHandle {
    /// Stands for no constraint.
    pub const NONE: u64 = u64::MAX;

    /// The handle in one number, so that cells can write the handles of their own pairs at the same time.
    pub fn packed(self) -> u64 {
        let LaneIndex { store, group, lane } = self.at;
        let index = (group * LANES + lane) as u64;
        index << 16 | (self.cell as u64) << 1 | u64::from(store == Store::Balls)
    }

    pub fn unpack(packed: u64) -> Option<Self> {
        let index = (packed >> 16) as usize;
        (packed != Self::NONE).then_some(Self {
            cell: (packed >> 1) as usize & 0x7fff,
            at: LaneIndex {
                store: match packed & 1 {
                    0 => Store::Points,
                    _ => Store::Balls,
                },
                group: index / LANES,
                lane: index % LANES,
            },
        })
    }
}

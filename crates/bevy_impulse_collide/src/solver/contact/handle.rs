//! The place of a pair's constraint.

use crate::solver::simd::LANES;

/// The lane of a pair in one of its cell's constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LaneIndex {
    /// In [`BallContacts`](super::ball::BallContacts), or in [`PointContacts`](super::point::PointContacts).
    pub is_ball: bool,
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
        let LaneIndex {
            is_ball,
            group,
            lane,
        } = self.at;
        let index = (group * LANES + lane) as u64;
        index << 16 | (self.cell as u64) << 1 | u64::from(is_ball)
    }

    pub fn unpack(packed: u64) -> Option<Self> {
        let index = (packed >> 16) as usize;
        (packed != Self::NONE).then_some(Self {
            cell: (packed >> 1) as usize & 0x7fff,
            at: LaneIndex {
                is_ball: packed & 1 != 0,
                group: index / LANES,
                lane: index % LANES,
            },
        })
    }
}

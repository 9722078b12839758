//! What a search for an impact has found.

/// When two bodies will meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    /// Seconds into the substep.
    pub time: f32,
    /// Whether it is an impact. If not, the search has ended here: until this time there is none.
    pub is_impact: bool,
}

impl Meeting {
    pub fn is_before(&self, other: &Self) -> bool {
        let order = self.time.total_cmp(&other.time);
        order.then(other.is_impact.cmp(&self.is_impact)).is_lt()
    }
}

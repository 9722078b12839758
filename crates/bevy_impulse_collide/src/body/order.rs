/// Fewer bodies than this lie in the order of their entities: they fit in the caches anyhow.
pub(crate) const SORTED_FROM: usize = 1024;

/// When the bodies were last sorted in space.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpaceOrder {
    /// Fixed steps since the order was last checked.
    pub(super) steps: u32,
    /// How many bodies there were then.
    pub(super) sorted: usize,
}

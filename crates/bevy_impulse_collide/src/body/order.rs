/// Fewer bodies than this lie in the order of their entities: they fit in the caches anyhow.
pub(crate) const SORTED_FROM: usize = 1024;

/// When bodies were last sorted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    pub(super) steps: u32,
    pub(super) sorted: usize,
}

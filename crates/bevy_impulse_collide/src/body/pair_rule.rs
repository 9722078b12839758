//! What a user's systems may say of one pair. `pairs/` gives the rules.

/// The rule of one pair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PairRule {
    pub is_ignored: bool,
    pub friction: Option<f32>,
    pub restitution: Option<f32>,
    pub tangential_restitution: Option<f32>,
}

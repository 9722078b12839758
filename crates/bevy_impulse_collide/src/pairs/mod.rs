//! Pairs of bodies under a user's own rules.
//!
//! A pair with a body that has [`CollisionHooks`](crate::components::CollisionHooks) is shown to the systems in
//! [`PairHooks`](crate::schedule::PairHooks) at the start of each substep, as long as the two are near each other. What a system
//! says holds for impacts and for resting contacts.

mod find;
mod near_pairs;
mod rules;

pub(crate) use {
    find::{find_near_pairs, run_pair_hooks},
    rules::apply_rules,
};

pub use near_pairs::{NearPair, NearPairs};

//! The solvers, which the stages call: contacts.

pub(crate) mod contact;

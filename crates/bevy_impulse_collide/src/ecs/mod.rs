//! Between Bevy's components and the packed arrays: what happens once a fixed step, around the substeps.

pub(crate) mod bad_input;
pub(crate) mod gather;
pub(crate) mod messages;
pub(crate) mod restart;
pub(crate) mod write_back;

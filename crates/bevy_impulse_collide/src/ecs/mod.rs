//! The work between Bevy's components and the packed arrays, once per fixed step, around the substeps.

pub(crate) mod bad_input;
pub(crate) mod gather;
pub(crate) mod messages;
pub(crate) mod restart;
pub(crate) mod shown_motion;
pub(crate) mod write_back;

//! The work between Bevy's components and the packed arrays, once per fixed step, around the substeps.

pub(crate) mod ancestors;
pub(crate) mod applied_forces;
pub(crate) mod bad_input;
pub(crate) mod compounds;
pub(crate) mod events;
pub(crate) mod followers;
pub(crate) mod gather;
pub(crate) mod hierarchy;
pub(crate) mod joints;
pub(crate) mod kind;
#[cfg(feature = "mesh")]
pub(crate) mod mesh_collider;
pub(crate) mod messages;
pub(crate) mod parents;
pub(crate) mod step_now;
pub(crate) mod write_back;

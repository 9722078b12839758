//! The physics at one moment, to go on from there: [`PhysicsSnapshot`] in memory, and [`PhysicsState`] in a saved world.
//!
//! Beside the components, the physics keeps the pairs that may meet, the impulses of the contacts with which the next step
//! starts, and who touches whom. Both hold what of this the future depends on.
//!
//! | you want | you call |
//! | --- | --- |
//! | to go back and on again, in memory | [`PhysicsSnapshot::take`], [`PhysicsSnapshot::restore`] |
//! | to save a world, and go on with both | [`save_physics`], then save the world as a Bevy scene |
//! | to start anew from the components alone | [`forget_past`] |

mod column;
mod index_of;
mod memory;
mod motions;
mod packed;
mod restart;
mod saved;
mod step_state;

pub(crate) use self::saved::resume_from_saved;
pub use self::{
    memory::{PhysicsSnapshot, Restored},
    restart::forget_past,
    saved::{PhysicsState, save_physics},
};

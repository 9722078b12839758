//! Records the last seconds of a [`bevy_impulse_collide`] world, and plays them again to the same bits: a bug report is a file.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_impulse_collide::prelude::*;
//! use bevy_impulse_recorder::RecorderPlugin;
//!
//! App::new()
//!     .add_plugins((DefaultPlugins, ImpulseCollidePlugin::default(), RecorderPlugin::default()))
//!     .run();
//! ```
//!
//! F12 writes `recording-1.txt`, and so does the first [`BadInput`](bevy_impulse_collide::messages::BadInput). [`play_headless`] plays
//! it, and [`play`] does so in an app of yours:
//!
//! ```no_run
//! use bevy_impulse_recorder::{Recording, RecordingError, play_headless};
//!
//! # fn main() -> Result<(), RecordingError> {
//! let recording = Recording::read("recording-1.txt")?;
//! println!("{}", play_headless(recording, None)); // same bits for 812 steps
//! # Ok(())
//! # }
//! ```
//!
//! # What is in a recording
//!
//! - A key frame: all components and resources of the physics, and
//!   [`PhysicsState`](bevy_impulse_collide::snapshot::PhysicsState).
//! - For each fixed step what came from outside since the step before: components that were inserted, changed or removed, entities that
//!   were despawned, resources that were set. A write of the same value counts too, as it does for the physics.
//! - A hash of all motions after each step.
//!
//! # What is not
//!
//! - Systems of your own in [`ImpulseStep`](bevy_impulse_collide::schedule::ImpulseStep) and
//!   [`PairHooks`](bevy_impulse_collide::schedule::PairHooks): fields, kinds of constraints, rules for pairs. The recorder warns of them,
//!   and the file says so. A replay is right up to the first step in which they do something.
//! - Snapshots: when a world takes or restores a [`PhysicsSnapshot`](bevy_impulse_collide::snapshot::PhysicsSnapshot), or forgets its
//!   past, the recording begins anew there. A world that takes one at each step has recordings of one step.
//! - Meshes: a `MeshCollider` names an asset. The [`Collider`](bevy_impulse_collide::components::Collider) that the physics makes of it is
//!   recorded.

mod files;
mod kinds;
mod recorder;
mod recording;
mod replay;
mod state_hash;
mod text;
mod values;

pub use files::{LastRecording, write_recording};
pub use recorder::{Recorder, RecorderPlugin, recording_of};
pub use recording::{Header, Recording};
pub use replay::{Outcome, Replay, play, play_headless};
pub use text::RecordingError;
#[doc(hidden)]
pub use text::sum;
pub use values::Difference;

/// The names of all components and resources that are recorded.
pub fn recorded_types() -> Vec<&'static str> {
    let components = kinds::kinds().into_iter().map(|kind| kind.name);
    let resources = kinds::settings().into_iter().map(|kind| kind.name);
    components.chain(resources).collect()
}

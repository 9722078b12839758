//! Numbers about the world and about a step.
//!
//! - [`Measure`]: energy, momentum, angular momentum, overlap, and a hash of the whole state
//! - [`ImpulseDiagnosticsPlugin`]: times and counts of each step, in Bevy's `DiagnosticsStore`

mod measure;
mod plugin;
mod step_times;

pub use measure::{Measure, Measurement};
pub use plugin::ImpulseDiagnosticsPlugin;

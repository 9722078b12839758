//! The six stages, one file each, in the order they run.
//!
//! 1. [`gravity`](gravity()): accelerations from every field
//! 2. [`half_step_correction`](half_step_correction()): v(t) is corrected by what the fields have become
//! 3. [`impulse_jolt`](impulse_jolt()): impacts, each at its own time; then [`first_half_kick`]: v(t) becomes v(t+h/2)
//! 4. [`contact`](contact()): resting and rolling contacts
//! 5. [`integrate`](integrate()): x(t) becomes x(t+h)
//! 6. [`projection`](projection()): left-over overlap is pushed out; then [`second_half_kick`]: v(t+h/2) becomes v(t+h)

mod contact;
mod gravity;
mod half_step_correction;
mod impulse_jolt;
mod integrate;
mod projection;

pub use contact::contact;
pub(crate) use gravity::clear_fields_of_held_bodies;
pub use gravity::gravity;
pub use half_step_correction::half_step_correction;
pub use impulse_jolt::{first_half_kick, impulse_jolt};
pub use integrate::integrate;
pub use projection::{projection, second_half_kick};

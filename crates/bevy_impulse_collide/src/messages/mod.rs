//! Messages for game code. They are written once a fixed step; read them with a `MessageReader`, in any schedule.

mod bad_input;
mod change;
mod collision;

pub use bad_input::{BadInput, InputProblem};
pub use change::{Divided, Merged};
pub use collision::{CollisionEnded, CollisionStarted, Impact};

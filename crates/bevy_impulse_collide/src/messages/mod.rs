//! Messages for game code. The physics writes them once in each fixed step. Read them with a `MessageReader`, in any schedule.
//!
//! A body with [`CollisionEvents`](crate::components::CollisionEvents) gets its collisions as entity events too, for observers.

mod bad_input;
mod change;
mod collision;
mod joint;
mod sensor;

pub use bad_input::{BadInput, InputProblem, ProblemReason, ProblemValue, UnloggedBadInput};
pub use change::{Divided, Merged};
pub use collision::{CollisionEnded, CollisionStarted, Impact};
pub(crate) use collision::{other_of, sign_on};
pub use joint::JointBroken;
pub use sensor::{SensorEntered, SensorLeft};

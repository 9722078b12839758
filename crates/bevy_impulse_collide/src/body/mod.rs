//! The packed arrays that a step works on.
//!
//! [`Bodies`] has one array per quantity (`store`). Threads work on runs of it (`columns`), a user's systems on one body (`view`). Inside a substep a body flies on a
//! parabola (`flight`). Bodies that are near in space lie near in memory (`sort`).

mod belt;
mod blocks;
mod columns;
mod flags;
mod flight;
mod follower;
mod growing;
mod last_step;
mod locked;
mod material;
mod motion;
mod order;
mod pair_rule;
mod parts;
mod path;
#[cfg(test)]
mod push_for_test;
mod renewal;
mod renumber;
mod rest;
mod seams;
mod sort;
mod store;
mod view;

pub(crate) use crate::kernel::IMMOVABLE;
pub(crate) use blocks::{Blocks, PerBody};
pub(crate) use columns::Columns;
pub(crate) use flags::BodyFlags;
pub(crate) use flight::Flight;
pub(crate) use follower::{Follower, velocities_between};
pub use growing::Growing;
pub(crate) use last_step::{FieldSettings, LastStep, Switch};
pub use material::Material;
pub(crate) use motion::Accelerations;
pub(crate) use order::{SORTED_FROM, SpaceOrder};
pub(crate) use pair_rule::PairRule;
pub(crate) use path::{Piece, Pose, Turn, pieces};
pub(crate) use renumber::{Renumbered, is_gone};
pub(crate) use rest::{HEAVY, SQUEEZES};
pub(crate) use seams::{SeamBox, Seams};
pub use store::Bodies;
pub use view::{BodyMut, BodyRef, BodyView};

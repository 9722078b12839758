//! The time at which two bodies will hit each other: by a formula for balls, by conservative advancement for capsules, parts of
//! compounds, colliders, and planes that turn.
//!
//! The advancement looks at two shapes on their ways (`flight_path`) at one time after the other (`sight`).
//!
//! Most pairs do not hit each other in a substep. Two filters rule such pairs out at little cost: `ball_filter` for balls, several
//! pairs at a time, and `capsule_filter` for pairs with a capsule.

mod advancement;
mod ball_filter;
mod balls;
mod capsule_filter;
mod contact_points;
mod flight_path;
mod meeting;
mod next_impact;
mod resting;
mod sight;
mod surfaces;
#[cfg(test)]
mod tests;

pub(crate) use ball_filter::{BallFilter, PAIRS_PER_FILTER};
pub(crate) use capsule_filter::CapsuleFilter;
pub(crate) use contact_points::{approach, contact_points};
pub(crate) use meeting::Meeting;
pub(crate) use next_impact::next_impact;
pub(crate) use resting::SlowApproach;

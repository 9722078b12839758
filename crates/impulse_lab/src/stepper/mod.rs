//! Six ways to step a ball on a plane, here for many bodies in three dimensions.
//!
//! In one dimension, with the plane at x = 0, each method is the sequence at the head of its file: [`one_dimension`] has three of them
//! as written. With many bodies, each "if x ≤ 0" is a sweep over all contact points, repeated until none changes.

mod half_step;
mod leapfrog;
pub mod one_dimension;
mod spook;
mod springs;
mod stages;
mod time_of_impact;
mod without_contact;

pub use half_step::HalfStepCorrected;
pub use leapfrog::Leapfrog;
pub use spook::Spook;
pub use springs::Springs;
pub use time_of_impact::TimeOfImpact;
pub use without_contact::WithoutContact;

//! A colony: one rod-shaped cell grows, divides and divides again, until thousands of cells push each other apart on a plane.
//!
//! A cell is a [`Capsule`](bevy_impulse_collide::prelude::Capsule) in the plane z = 0 whose length grows until it is twice as long
//! over all as at its birth; then it divides, and the daughters lie at a small angle to each other. Cells move only because they
//! push each other, and drag soon ends every motion, as in the world of bacteria. This alone makes the rods align with their
//! neighbours in patches, and the pressure rise towards the middle.
//!
//! All contacts depend on each other, as each cell in the middle must push all cells out to the rim. They are solved as one system,
//! [`ContactMethod::Global`](bevy_impulse_collide::prelude::ContactMethod::Global).
//!
//! Lengths are in units that a biologist reads as micrometres; four seconds stand for a generation.

mod alignment;
mod birth;
mod cell;
mod compare;
mod course;
mod founding;
mod options;
mod plugin;
mod report;
mod run;
#[cfg(test)]
mod tests;
mod view;
mod walls;

pub use self::{
    options::{ColonyOptions, Walls},
    plugin::ColonyPlugin,
    report::{ColonyReport, colony_report},
    run::run,
};
